/** @weight 0.45 for 45 s */
import { sharedChromium, waitFor } from '@rtms/testing';
import { Secret, TOTP } from 'otpauth';
import type { Browser } from 'playwright-core';
import type { DashboardUsers } from './harness/account.js';
import { DashboardPage } from './harness/dashboard-page.js';
import { sharedStack, type SharedStack } from './harness/shared-stack.js';

describe('an account’s people in the dashboard', () => {
  let stack: SharedStack;
  let users: DashboardUsers;
  let browser: Browser;
  let owner: DashboardPage;
  let user: { email: string; password: string };

  beforeAll(async () => {
    [stack, browser] = await Promise.all([sharedStack(), sharedChromium()]);
    users = await stack.makeUsers();
    user = { email: users.email, password: users.password };
    owner = await signedIn(user);
  });

  afterAll(async () => {
    await browser?.close();
  });

  async function signedIn(who: { email: string; password: string }): Promise<DashboardPage> {
    const page = await DashboardPage.open(browser, stack.gateway.url, { reducedMotion: 'reduce' });
    await page.signIn(who);
    await page.navigation().waitFor();
    return page;
  }

  /** Looks for the text before the action begins: a toast vanishes after 4 s, and a busy machine may look later. */
  const tells = async (text: string, act: () => Promise<void>, { page } = owner) => {
    await Promise.all([page.getByRole('alert').getByText(text).first().waitFor(), act()]);
  };
  const statusOf = async (credential: string) => (await stack.api.as(credential).call('GET', '/v1/rooms')).status;
  const becomesInvalid = async (credential: string) => {
    const isRefused = async () => (await statusOf(credential)) >= 400;
    await waitFor(isRefused, { everyMs: 100, what: 'the key to be refused' });
    expect(await statusOf(credential)).toBe(401);
  };
  const issuedCredential = async (page = owner) => {
    const field = page
      .dialog('Your new key')
      .getByRole('textbox', { name: 'Both, for the Authorization header', exact: true });
    const credential = await field.inputValue();
    await page.answer('Your new key', 'Done');
    expect(await page.page.content()).not.toContain(credential.split(':')[1]);
    return credential;
  };

  describe('on their profile', () => {
    let totp: TOTP;
    let codes: string[];

    const fill = (label: string, value: string, place = owner.page.locator('main')) =>
      place.getByLabel(label, { exact: true }).fill(value);
    /** Each code works once, until one step later: use the present one, then the next. */
    const codeIn = (steps: 0 | 1) => totp.generate({ timestamp: Date.now() + steps * 30_000 });
    const readCodes = async () => {
      const list = owner.dialog('Recovery codes').getByRole('listitem');
      await list.first().waitFor();
      const shown = await list.allInnerTexts();
      await owner.answer('Recovery codes', 'Done');
      return shown.map(text => text.trim());
    };
    const signInWith = async (code: () => string) => {
      await owner.signIn(user);
      // The field is there once the password was checked, which takes long on a busy machine.
      await owner.field('Code').waitFor();
      await owner.field('Code').fill(code());
      await owner.click('Sign in');
    };

    it('change the password, which signs out everywhere else', async () => {
      const elsewhere = await signedIn(user);
      await owner.visit('/profile');
      user.password = 'a new and long password';
      await fill('Current password', 'not the password');
      await fill('New password', user.password);
      await fill('New password again', user.password);
      const change = () => owner.click('Change password');
      await tells('The current password is wrong.', change);
      await fill('Current password', users.password);
      await tells('The password was changed.', change);
      await elsewhere.page.reload();
      await elsewhere.heading('Sign in to the dashboard').waitFor();
      await elsewhere.signIn(user);
      await elsewhere.heading('Overview').waitFor();
      await owner.page.reload();
      await owner.heading('Profile and security').waitFor();
      await owner.button('Set up').waitFor();
      expect(await owner.button('Sign in').count()).toBe(0);
      await elsewhere.close();
    });

    it('switch on the second factor, and see their recovery codes once', async () => {
      await owner.click('Set up');
      const setup = owner.dialog('Second factor');
      const secret = await setup.getByRole('textbox', { name: 'Secret' }).inputValue();
      totp = new TOTP({ secret: Secret.fromBase32(secret) });
      await setup.getByRole('img', { name: 'QR code of the secret' }).waitFor();
      await setup.getByRole('textbox', { name: 'Code' }).waitFor();
      await setup.getByRole('textbox', { name: 'Code' }).fill(codeIn(0));
      await owner.answer('Second factor', 'Confirm');
      codes = await readCodes();
      expect(new Set(codes).size).toBe(10);
      await owner.page.getByText('10 recovery codes are left.').waitFor();
      expect(await owner.page.content()).not.toContain(codes[0]);
    });

    it('sign in with a code of their app, and with a recovery code once', async () => {
      await owner.signOut();
      await signInWith(() => codeIn(1));
      await owner.heading('Profile and security').waitFor();
      const left = owner.page.getByText(/recovery codes are left/);
      await left.waitFor();
      expect(await left.innerText()).toBe('10 recovery codes are left.');
      await owner.signOut();
      const [code = ''] = codes;
      await signInWith(() => code);
      await owner.page.getByText('9 recovery codes are left.').waitFor();
      await owner.signOut();
      await tells('The email address, the password or the code is wrong.', () => signInWith(() => code));
      await owner.field('Code').fill(codes[1] ?? '');
      await owner.click('Sign in');
      await owner.page.getByText('8 recovery codes are left.').waitFor();
    });

    it('make new recovery codes, and switch the second factor off', async () => {
      await owner.click('Make new recovery codes');
      const renewing = owner.dialog('Make new recovery codes');
      await fill('Current password', user.password, renewing);
      await fill('Code', codes[2] ?? '', renewing);
      await renewing.getByRole('button', { name: 'Make new recovery codes' }).click();
      const made = await readCodes();
      expect(new Set([...made, ...codes]).size).toBe(20);
      await owner.page.getByText('10 recovery codes are left.').waitFor();

      await owner.click('Switch off');
      const ending = owner.dialog('Switch off');
      await fill('Current password', user.password, ending);
      await fill('Code', codes[3] ?? '', ending);
      await ending.getByRole('button', { name: 'Switch off' }).click();
      await ending.getByRole('alert').getByText('The code is wrong or was used before.').waitFor();
      await fill('Code', made[0] ?? '', ending);
      await tells('The second factor was switched off.', () =>
        ending.getByRole('button', { name: 'Switch off' }).click(),
      );
      await owner.signOut();
      await owner.signIn(user);
      await owner.button('Set up').waitFor();
    });
  });

  it('rotate a main key, and the former one stays valid for the chosen overlap', async () => {
    await owner.follow('API keys');
    await owner.click('Rotate sandbox key');
    await owner.dialog('Rotate sandbox key').getByRole('textbox').fill('1');
    await owner.dialog('Rotate sandbox key').getByRole('button', { name: 'Rotate' }).click();
    expect(await statusOf(await issuedCredential())).toBe(200);
    expect((await stack.api.call('GET', '/v1/rooms')).status).toBe(200);
    await owner.region('Sandbox').getByText('overlapping').waitFor();
  });

  it('make a disposable key, see it once, and revoke it', async () => {
    await owner.page.getByRole('tab', { name: 'Disposable keys' }).click();
    await owner.click('Create disposable key');
    const form = owner.dialog('Create disposable key');
    await form.getByRole('textbox', { name: 'Name' }).fill('Kiosk');
    await form.getByRole('checkbox', { name: 'readRooms' }).check();
    await form.getByRole('button', { name: 'Save' }).click();
    const credential = await issuedCredential();
    expect(await statusOf(credential)).toBe(200);
    await owner.click('Revoke Kiosk');
    await owner.answer('Revoke this key?', 'Revoke');
    await owner.row('Kiosk').getByText('revoked').waitFor();
    await becomesInvalid(credential);
  });

  it('add a domain and delete it, and go on at the top of the content', async () => {
    await owner.follow('Domains');
    await owner.click('Add domain');
    await owner.dialog('Add domain').getByRole('textbox', { name: 'Domain' }).fill('shop.example.com');
    await tells('The domain was added.', () => owner.answer('Add domain', 'Save'));
    await owner.button('Add domain').and(owner.page.locator(':focus')).waitFor();
    await owner.button('Delete shop.example.com').focus();
    await owner.page.keyboard.press('Enter');
    await owner.answer('Delete this domain?', 'Delete');
    await owner.page.getByText('No domains yet').waitFor();
    await owner.page.locator('#content:focus').waitFor();
    expect(await owner.row('shop.example.com').count()).toBe(0);
  });

  it('add a sub-user, whose keys they see once', async () => {
    await owner.follow('Sub-users');
    await owner.click('Add sub-user');
    const form = owner.dialog('Add sub-user');
    await form.getByRole('textbox', { name: 'Name' }).fill('Grace');
    await form.getByRole('textbox', { name: 'Email' }).fill('grace@example.com');
    await form.getByRole('checkbox', { name: 'readRooms' }).check();
    await form.getByRole('button', { name: 'Save' }).click();
    const issued = owner.dialog('The keys of the new sub-user');
    const name = await issued.getByRole('textbox', { name: 'API username' }).inputValue();
    const key = await issued.getByRole('textbox', { name: 'Sandbox key' }).inputValue();
    await owner.answer('The keys of the new sub-user', 'Done');
    expect(await statusOf(`${name}:${key}`)).toBe(200);
    expect(await owner.page.content()).not.toContain(key);
    await owner.click('Delete Grace');
    await owner.answer('Delete this sub-user?', 'Delete');
    await becomesInvalid(`${name}:${key}`);
  });

  it('see the features that an administrator grants and withdraws', async () => {
    const administrator = await signedIn({ email: users.adminEmail, password: users.adminPassword });
    await administrator.follow('Accounts');
    await administrator.page.getByRole('link', { name: `Open ${stack.name}`, exact: true }).click();
    const recording = { name: 'Recording' };
    await administrator.region('Entitlements').getByRole('switch', recording).click();
    await administrator
      .region('Entitlements')
      .getByRole('switch', { ...recording, checked: false })
      .waitFor();
    await owner.follow('Balance');
    const granted = owner.region('Entitlements');
    await granted.getByText('Not granted').waitFor();
    const others = granted.getByText('Granted', { exact: true });
    await others.nth(2).waitFor();
    expect(await others.count()).toBe(3);

    const minutes = administrator.page.getByRole('form', { name: 'Sandbox' });
    await minutes.getByRole('textbox', { name: 'Meeting minutes' }).fill('77');
    const set = () => minutes.getByRole('button', { name: 'Set sandbox minutes' }).click();
    await tells('The minutes were set.', set, administrator);
    await administrator.click('Rotate sandbox key');
    await administrator.dialog('Rotate sandbox key').getByRole('button', { name: 'Rotate' }).click();
    expect(await statusOf(await issuedCredential(administrator))).toBe(200);
    await administrator.region('Disposable keys').getByText('Kiosk').waitFor();
    await owner.region('Sandbox').getByText('77').waitFor();
    await administrator.close();
  });

  it('are made, given a new password and removed by an administrator', async () => {
    const administrator = await signedIn({ email: users.adminEmail, password: users.adminPassword });
    const passwordShown = async () => {
      const dialog = administrator.dialog('The new password');
      const password = await dialog.getByRole('textbox', { name: 'Password', exact: true }).inputValue();
      await administrator.answer('The new password', 'Done');
      expect(await administrator.page.content()).not.toContain(password);
      return password;
    };
    const email = `lin@${stack.name}.example`;
    await administrator.follow('Dashboard users');
    await administrator.click('New user');
    const form = administrator.dialog('New user');
    await form.getByRole('textbox', { name: 'Email' }).fill(email);
    await form.getByLabel('Account').first().click();
    await administrator.page.getByRole('option', { name: stack.name }).click();
    await form.getByRole('button', { name: 'New user' }).click();
    const first = await passwordShown();
    const lin = await signedIn({ email, password: first });

    await administrator.click(`Reset the password of ${email}`);
    await administrator.answer('Reset this password?', 'Reset');
    const second = await passwordShown();
    expect(second).not.toBe(first);
    await lin.page.reload();
    await lin.signIn({ email, password: second });
    await lin.heading('Overview').waitFor();

    await administrator.click(`Delete ${email}`);
    await administrator.answer('Delete this user?', 'Delete');
    await administrator.row(email).waitFor({ state: 'detached' });
    await lin.page.reload();
    await lin.heading('Sign in to the dashboard').waitFor();
    await Promise.all([lin.close(), administrator.close()]);
  });
});
