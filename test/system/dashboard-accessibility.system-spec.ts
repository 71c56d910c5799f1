/** @weight 0.8 for 105 s */
import { EventLog, sharedChromium, waitFor } from '@rtms/testing';
import type { Browser, Page, Route } from 'playwright-core';
import { graveFindings } from './harness/accessibility.js';
import { dialogs, type DialogExample } from './harness/dashboard-dialogs.js';
import { addExamples } from './harness/dashboard-examples.js';
import { DashboardPage } from './harness/dashboard-page.js';
import { addressOf, registeredPages, visitorPages, type RegisteredPage } from './harness/dashboard-registry.js';
import { shareLink } from './harness/share-link.js';
import { sharedStack, type SharedStack } from './harness/shared-stack.js';

const wide = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

describe('the pages of the dashboard', () => {
  let stack: SharedStack;
  let browser: Browser;
  let ownerEmail: string;
  /** For the parameters of addresses, buttons and dialogs. */
  let examples: Record<string, string>;
  let signedIn: Record<'owner' | 'administrator', DashboardPage>;

  beforeAll(async () => {
    // A new account shows the empty states first; the examples follow.
    [stack, browser] = await Promise.all([sharedStack(), sharedChromium()]);
    const { email, password, adminEmail, adminPassword } = await stack.makeUsers();
    ownerEmail = email;
    signedIn = {
      owner: await open({ email, password }),
      administrator: await open({ email: adminEmail, password: adminPassword }),
    };
  });

  afterEach(async () => {
    await Promise.all([signedIn.owner, signedIn.administrator].map(({ page }) => page.unrouteAll()));
  });

  afterAll(async () => {
    await browser?.close();
  });

  async function open(user: { email: string; password: string }): Promise<DashboardPage> {
    const dashboard = await DashboardPage.open(browser, stack.gateway.url, { viewport: wide, reducedMotion: 'reduce' });
    await dashboard.signIn(user);
    await dashboard.navigation().waitFor();
    return dashboard;
  }

  /** Light, dark, and on a phone. */
  async function expectAccessible(dashboard: DashboardPage): Promise<void> {
    await expectNothingGrave(dashboard);
    await dashboard.show(phone);
    await expectNoSidewaysScrolling(dashboard.page);
  }

  it('let every user sign in', async () => {
    const stranger = await DashboardPage.open(browser, stack.gateway.url, { viewport: wide, reducedMotion: 'reduce' });
    await stranger.heading('Sign in to the dashboard').waitFor();
    expect(stranger.consoleErrors).toEqual([]);
    await expectAccessible(stranger);
    await stranger.signIn({ email: 'nobody@example.com', password: 'nothing at all' });
    await stranger.page.getByRole('alert').waitFor();
    await expectAccessible(stranger);
    await stranger.close();
  });

  it.each(visitorPages())('%s is accessible to a visitor, also after a refusal', async path => {
    const stranger = await DashboardPage.open(browser, stack.gateway.url, { viewport: wide, reducedMotion: 'reduce' });
    const fragments: Record<string, string> = { '/watch': '', '/setup': `zzzzzzzz-${'a'.repeat(22)}` };
    await stranger.visit(`${path}#${fragments[path] ?? 'a'.repeat(43)}`);
    await expectAccessible(stranger);
    if (path === '/watch') await stranger.page.getByRole('alert').getByText('This link is not complete').waitFor();
    else {
      if (path === '/setup') await stranger.page.locator('input[type=email]').fill('root@example.com');
      await stranger.page.locator('input[type=password]').fill('a new and long password');
      await stranger.page.keyboard.press('Enter');
      await stranger.page
        .getByRole('alert')
        .getByText(/^This (?:link|invitation|set-up code) .* has expired/)
        .waitFor();
    }
    await expectAccessible(stranger);
    await stranger.close();
  });

  it('ask for the password again', async () => {
    const { owner } = signedIn;
    await owner.page.route('**/dashboard/api/keys/rotate', route => route.fulfill(passwordWanted));
    await owner.visit('/api-keys');
    await owner.click('Rotate sandbox key');
    await owner.dialog('Rotate sandbox key').getByRole('button', { name: 'Rotate', exact: true }).click();
    const dialog = owner.dialog('Confirm your password');
    await dialog.getByLabel('Password', { exact: true }).and(owner.page.locator(':focus')).waitFor();
    await expectNothingGrave(owner);
    await owner.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('show that they load, that they failed, and that they are empty', async () => {
    const { page } = signedIn.owner;
    const list = (url: URL) => url.pathname === '/v1/domains';
    const held = new EventLog<Route>();
    await page.route(list, held.add);
    await signedIn.owner.visit('/domains');
    await page.getByRole('progressbar', { name: 'Loading' }).waitFor();
    const [first] = await held.atLeast(1);
    await expectAccessible(signedIn.owner);

    await page.route(list, route => route.abort());
    await first?.abort();
    await page.getByRole('alert').getByText('This could not be loaded').waitFor();
    await expectAccessible(signedIn.owner);

    await page.unroute(list);
    await signedIn.owner.click('Try again');
    await page.getByText('No domains yet').waitFor();
    await expectAccessible(signedIn.owner);
  });

  describe('with what an account has', () => {
    beforeAll(async () => {
      const { nodes } = await stack.admin.expect(200, 'GET', '/admin/v1/nodes');
      examples = { ...(await addExamples(stack)), ownerEmail, nodeID: nodes[0]!.nodeID };
    });

    it.each(registeredPages())(
      '$path of the $role is accessible while it loads, fails, shows data and asks',
      async each => {
        const dashboard = signedIn[each.role];
        // Earlier tests break the connection.
        dashboard.consoleErrors.length = 0;
        if (asksSomething(each)) await expectAccessibleLoading(dashboard, each);
        else await dashboard.visit(addressOf(each.path, examples));
        await dashboard.untilLoaded();
        expect(dashboard.consoleErrors.filter(error => !isRefused(error))).toEqual([]);
        await expectAccessible(dashboard);
        const own = dialogs.filter(({ path, role }) => path === each.path && role === each.role);
        for (const dialog of own) await expectAccessibleDialog(dashboard, dialog);
      },
    );

    it('have dialogs on existing pages only', () => {
      const addresses = registeredPages().map(({ role, path }) => `${role} ${path}`);
      expect(addresses).toEqual(expect.arrayContaining(dialogs.map(({ role, path }) => `${role} ${path}`)));
    });

    /**
     * Holds the page's answers back, then refuses them, then lets the page try again. The colours of these states are those of
     * the page above.
     */
    async function expectAccessibleLoading(dashboard: DashboardPage, { path }: RegisteredPage): Promise<void> {
      const { page } = dashboard;
      let refuse = (): void => undefined;
      const held = new Promise<void>(resolve => (refuse = resolve));
      await page.route(isAsked, async route => {
        await held;
        // The page has cancelled the first request.
        await route.fulfill(refusal).catch(() => undefined);
      });
      await dashboard.visit(addressOf(path, examples));
      await page.getByRole('progressbar').first().waitFor();
      await dashboard.show(wide);
      expect(await graveFindings(page, 'structure')).toEqual([]);

      refuse();
      await page.getByRole('alert').getByText('This could not be loaded').first().waitFor();
      await dashboard.untilLoaded();
      expect(await graveFindings(page, 'structure')).toEqual([]);

      await page.unroute(isAsked);
      const again = dashboard.button('Try again');
      // One click may take several of these buttons away: `click` would wait for one that is gone.
      while ((await again.count()) > 0)
        await again.evaluateAll((all: HTMLElement[]) => all.forEach(each => each.click()));
    }

    async function expectAccessibleDialog(dashboard: DashboardPage, each: DialogExample): Promise<void> {
      const { page } = dashboard;
      if (each.tab !== undefined) await page.getByRole('tab', { name: each.tab }).click();
      await dashboard.untilLoaded();
      const opener = dashboard.button(addressOf(each.button, examples));
      await opener.focus();
      await page.keyboard.press('Enter');
      const dialog = dashboard.dialog(addressOf(each.dialog, examples));
      await dialog.waitFor();
      await page.waitForFunction(element => element?.contains(document.activeElement), await dialog.elementHandle());
      await expectNothingGrave(dashboard);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await opener.and(page.locator(':focus')).waitFor();
    }

    it('show what is live, and the camera that publishes', async () => {
      const { owner } = signedIn;
      await owner.show(wide);
      await owner.visit('/');
      await owner.click('Go live in this browser');
      await owner.showsMoreFrames('WHEP player');
      await expectAccessible(owner);
      await owner.show(wide);
      await owner.follow('Overview');
      await owner.region('Live now').getByText('Browser camera', { exact: true }).waitFor();
      await owner.untilLoaded();
      await expectAccessible(owner);
      await owner.show(wide);
      await owner.click('Stop publishing');
      await owner.region('Live now').getByText('Browser camera', { exact: true }).waitFor({ state: 'detached' });
    });

    it('show a share link to a visitor, with the keyboard and on a phone', async () => {
      const { owner } = signedIn;
      await owner.show(wide);
      const link = await shareLink(owner);
      await expectAccessible(owner);
      await owner.show(wide);
      const viewer = await DashboardPage.open(browser, stack.gateway.url, { viewport: wide, reducedMotion: 'reduce' });
      await viewer.page.goto(link);
      await viewer.page.getByRole('status').getByText('Live', { exact: true }).waitFor();
      await viewer.showsMoreFrames('Live stream');
      await expectAccessible(viewer);
      await viewer.page.getByRole('radio', { name: 'Low delay (WebRTC)' }).focus();
      await viewer.page.keyboard.press('ArrowRight');
      await viewer.page
        .getByRole('radio', { name: 'HLS', checked: true })
        .and(viewer.page.locator(':focus'))
        .waitFor({ state: 'attached' });
      await viewer.showsMoreFrames('Live stream');
      // Players ask again for what a busy machine could not give in time.
      expect(viewer.consoleErrors.filter(error => !error.startsWith('Failed to load resource'))).toEqual([]);
      await viewer.close();
      await owner.click('Stop publishing');
    });

    it('have a menu, a drawer and a way past them for the keyboard', async () => {
      const { page } = signedIn.owner;
      await signedIn.owner.visit('/domains');
      await signedIn.owner.show(wide);
      await signedIn.owner.untilLoaded();
      const focused = page.locator(':focus');
      await page.keyboard.press('Tab');
      await focused.and(page.getByText('Skip to content', { exact: true })).waitFor();
      await page.keyboard.press('Enter');
      await focused.and(page.locator('#content')).waitFor();
      await page.keyboard.press('Tab');
      await focused.and(signedIn.owner.button('Add domain')).waitFor();

      await page.getByRole('button', { name: /: your account$/ }).press('Enter');
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
      await expectNothingGrave(signedIn.owner);
      await page.keyboard.press('Escape');
      await focused.and(page.getByRole('button', { name: /: your account$/ })).waitFor();

      await signedIn.owner.show(phone, 'light');
      await signedIn.owner.click('Open navigation');
      await signedIn.owner.navigation().getByRole('link', { name: 'Rooms', exact: true }).waitFor();
      await expectNothingGrave(signedIn.owner, phone);
      await signedIn.owner.follow('Rooms');
      await focused.and(page.locator('#content')).waitFor();
    });
  });

  /** Looks at the colours of the scheme that the page has, then at those of the other one: each change draws the whole page. */
  async function expectNothingGrave(dashboard: DashboardPage, size = wide): Promise<void> {
    await dashboard.show(size);
    expect(await graveFindings(dashboard.page)).toEqual([]);
    await dashboard.show(size, dashboard.colorScheme === 'light' ? 'dark' : 'light');
    expect(await graveFindings(dashboard.page, 'contrast')).toEqual([]);
  }
});

/** Requests of a page, except those for the session and for changes. */
const isAsked = ({ pathname }: URL) =>
  /^\/(?:(?:v1|admin\/v1|dashboard\/api)\/|openapi\.json$)/.test(pathname) && !/\/(?:session|events)$/.test(pathname);

/** The browser reports the answers that the test refuses. */
const isRefused = (error: string) => error.includes('status of 403');

const passwordWanted = {
  status: 403,
  json: {
    success: false,
    error: 'Confirm your password first.',
    code: 'FORBIDDEN',
    reason: 'confirmation_required',
  },
};

const refusal = {
  status: 403,
  json: { success: false, error: 'You may not see this.', code: 'FORBIDDEN', reason: 'not_permitted' },
};

/** The other pages request nothing. */
function asksSomething({ path }: RegisteredPage): boolean {
  return !['/profile', '/agents/import', '/doctor', '/help/https'].includes(path);
}

async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  let tooWide: string[] = [];
  const fits = async () => (tooWide = await page.evaluate(widerThanTheWindow)).length < 1;
  await waitFor(fits, { everyMs: 50, what: 'the page to fit' }).catch(() => expect(tooWide).toEqual([]));
}

/** Elements that make a page wider than its window. */
function widerThanTheWindow(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  return [...document.querySelectorAll('body *')]
    .filter(element => element.getBoundingClientRect().right > clientWidth)
    .map(({ tagName, className, textContent }) => `${tagName} ${className}: ${textContent.slice(0, 40)}`);
}
