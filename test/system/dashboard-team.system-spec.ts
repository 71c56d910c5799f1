/** @weight 0.5 for 10 s */
import { sharedChromium } from '@rtms/testing';
import type { Browser } from 'playwright-core';
import { DashboardPage, type SignIn } from './harness/dashboard-page.js';
import { sharedStack, type SharedStack } from './harness/shared-stack.js';

describe('the team of an account in the dashboard', () => {
  let stack: SharedStack;
  let browser: Browser;
  let owner: DashboardPage;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([sharedStack(), sharedChromium()]);
    const users = await stack.makeUsers();
    owner = await open();
    await signIn(owner, users);
  });
  afterAll(async () => {
    await browser?.close();
  });

  const open = () => DashboardPage.open(browser, stack.gateway.url, { reducedMotion: 'reduce' });
  async function signIn(page: DashboardPage, user: SignIn): Promise<void> {
    await page.signIn(user);
    await page.navigation().waitFor();
  }

  it('grows by a link, whose user has the limits of the role until an owner changes or removes the user', async () => {
    const user = { email: `bo@${stack.name.toLowerCase()}.example`, password: 'a long password of bo' };
    await owner.follow('Team');
    await owner.click('Invite');
    const form = owner.dialog('Invite');
    await form.getByRole('textbox', { name: 'Email' }).fill(user.email);
    await form.getByText('Viewer', { exact: true }).click();
    await form.getByRole('button', { name: 'Make link' }).click();
    const issued = owner.dialog(`The invitation link for ${user.email}`);
    const link = new URL(await issued.getByRole('textbox', { name: 'Link' }).inputValue());
    await issued.getByRole('button', { name: 'Done' }).click();

    const member = await open();
    await member.visit(`/invitation${link.hash}`);
    await member.page.getByLabel('Password', { exact: true }).fill(user.password);
    await member.click('Join');
    await member.click('Go to sign-in');
    await signIn(member, user);
    await member.follow('Rooms');
    await member.page.getByText('Rooms appear here').waitFor();
    expect(await member.button('Create room').count()).toBe(0);
    const pages = member.navigation();
    for (const title of ['Team', 'API keys']) expect(await pages.getByRole('link', { name: title }).count()).toBe(0);
    expect(await statusOfRoom(member)).toBe(403);

    await owner.page.reload();
    await owner.click(`Change the role of ${user.email}`);
    const role = owner.dialog(`Change the role of ${user.email}`);
    await role.getByText('Developer', { exact: true }).click();
    await role.getByRole('button', { name: 'Save' }).click();
    await owner.row(user.email).getByText('Developer').waitFor();
    expect(await statusOfRoom(member)).toBe(201);
    await member.page.reload();
    await member.button('Create room').waitFor();

    await owner.click(`Remove ${user.email}`);
    await owner.answer('Remove this user?', 'Remove');
    await owner.row(user.email).waitFor({ state: 'detached' });
    expect(await statusOfRoom(member)).toBe(401);
    await member.close();
  });

  /** The status with which the gateway answers the page when it creates a room. */
  function statusOfRoom({ page }: DashboardPage): Promise<number> {
    return page.evaluate(async () => {
      const session = (await (await fetch('/dashboard/api/session')).json()) as {
        session: { csrfToken: string } | null;
      };
      const headers = { 'Content-Type': 'application/json', 'X-CSRF-Token': session.session?.csrfToken ?? '' };
      const body = JSON.stringify({ action: 'create', userName: 'Bo' });
      return (await fetch('/v1/rooms', { method: 'POST', headers, body })).status;
    });
  }
});
