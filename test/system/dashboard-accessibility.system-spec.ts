import { EventLog, launchChromium, waitFor } from '@rtms/testing';
import type { Browser, Page, Route } from 'playwright-core';
import { graveFindings } from './harness/accessibility.js';
import { dialogs } from './harness/dashboard-dialogs.js';
import { addExamples } from './harness/dashboard-examples.js';
import { DashboardPage } from './harness/dashboard-page.js';
import { addressOf, registeredPages } from './harness/dashboard-registry.js';
import { startStack, type Stack } from './harness/stack.js';

const wide = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

describe('the pages of the dashboard', () => {
  let stack: Stack;
  let browser: Browser;
  let examples: Awaited<ReturnType<typeof addExamples>>;
  let signedIn: Record<'owner' | 'administrator', DashboardPage>;

  beforeAll(async () => {
    // The empty states are an account's first sight; the examples come after them.
    [stack, browser] = await Promise.all([startStack({ env: rateLimitsOff }), launchChromium()]);
    const { email, password, adminEmail, adminPassword } = stack.signIn;
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
    await stack?.close();
  });

  async function open(user: { email: string; password: string }): Promise<DashboardPage> {
    const dashboard = await DashboardPage.open(browser, stack.gateway.url, { viewport: wide, reducedMotion: 'reduce' });
    await dashboard.signIn(user);
    await dashboard.page.getByRole('navigation', { name: 'Pages' }).waitFor();
    return dashboard;
  }

  /** Light, dark, and on a phone. */
  async function expectAccessible(dashboard: DashboardPage): Promise<void> {
    await dashboard.show('light', wide);
    expect(await graveFindings(dashboard.page)).toEqual([]);
    await dashboard.show('dark', wide);
    expect(await graveFindings(dashboard.page, 'contrast')).toEqual([]);
    await dashboard.show('light', phone);
    await expectNoSidewaysScrolling(dashboard.page);
  }

  it('let everybody sign in', async () => {
    const stranger = await DashboardPage.open(browser, stack.gateway.url, { viewport: wide, reducedMotion: 'reduce' });
    await stranger.heading('Sign in to the dashboard').waitFor();
    await expectAccessible(stranger);
    await stranger.signIn({ email: 'nobody@example.com', password: 'nothing at all' });
    await stranger.page.getByRole('alert').waitFor();
    await expectAccessible(stranger);
    await stranger.close();
  });

  it('tell that they load, that they failed, and that there is nothing', async () => {
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
      examples = await addExamples(stack);
    });

    it.each(registeredPages())('$path of the $role has nothing grave, and fits a phone', async ({ path, role }) => {
      const dashboard = signedIn[role];
      if (asksForSomething(path, role)) await expectToLoadAndFail(dashboard, path);
      else await dashboard.visit(addressOf(path, examples));
      await dashboard.untilLoaded();
      await expectAccessible(dashboard);
    });

    /** The page then shows what it asked for. Its colours in these states are those of the page that is looked at above. */
    async function expectToLoadAndFail(dashboard: DashboardPage, path: string): Promise<void> {
      const { page } = dashboard;
      let refuse = (): void => undefined;
      const held = new Promise<void>(resolve => (refuse = resolve));
      await page.route(isAsked, async route => {
        await held;
        // Asked again, the page has given up the first request.
        await route.fulfill(refusal).catch(() => undefined);
      });
      await dashboard.visit(addressOf(path, examples));
      await dashboard.show('light', wide);
      await page.getByRole('progressbar').first().waitFor();
      expect(await graveFindings(page, 'structure')).toEqual([]);

      refuse();
      await page.getByRole('alert').getByText('This could not be loaded').first().waitFor();
      expect(await graveFindings(page, 'structure')).toEqual([]);
      await page.unroute(isAsked);
      await dashboard.visit(addressOf(path, examples));
    }

    it.each(dialogs)('$dialog at $path of the $role takes the focus and gives it back', async each => {
      const { page } = signedIn[each.role];
      await signedIn[each.role].visit(addressOf(each.path, examples));
      await signedIn[each.role].show('light', wide);
      if (each.tab !== undefined) await page.getByRole('tab', { name: each.tab }).click();
      await signedIn[each.role].untilLoaded();
      const opener = signedIn[each.role].button(each.button);
      await opener.focus();
      await page.keyboard.press('Enter');
      const dialog = signedIn[each.role].dialog(each.dialog);
      await dialog.waitFor();
      await dialog.and(page.locator(':focus-within')).waitFor();
      await expectNothingGrave(signedIn[each.role]);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await opener.and(page.locator(':focus')).waitFor();
    });

    it('have a menu, a drawer and a way past them for the keyboard', async () => {
      const { page } = signedIn.owner;
      await signedIn.owner.visit('/domains');
      await signedIn.owner.show('light', wide);
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

      await signedIn.owner.show('light', phone);
      await signedIn.owner.click('Open navigation');
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Rooms', exact: true }).waitFor();
      await expectNothingGrave(signedIn.owner);
      await signedIn.owner.follow('Rooms');
      await focused.and(page.locator('#content')).waitFor();
    });
  });

  async function expectNothingGrave(dashboard: DashboardPage): Promise<void> {
    await dashboard.show('light', dashboard.page.viewportSize() ?? wide);
    expect(await graveFindings(dashboard.page)).toEqual([]);
    await dashboard.show('dark', dashboard.page.viewportSize() ?? wide);
    expect(await graveFindings(dashboard.page, 'contrast')).toEqual([]);
  }
});

/** What a page asks for, but for who is signed in and what has changed. */
const isAsked = ({ pathname }: URL) =>
  /^\/(?:(?:v1|admin\/v1|dashboard\/api)\/|openapi\.json$)/.test(pathname) && !/\/(?:session|events)$/.test(pathname);

const refusal = {
  status: 403,
  json: { success: false, error: 'You may not see this.', code: 'FORBIDDEN', reason: 'not_permitted' },
};

/** The other pages have nothing to wait for, or lead to one of these. */
function asksForSomething(path: string, role: 'owner' | 'administrator'): boolean {
  return !['/profile', '/agents/import'].includes(path) && !(path === '/' && role === 'administrator');
}

async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  let tooWide: string[] = [];
  const fits = async () => (tooWide = await page.evaluate(widerThanTheWindow)).length === 0;
  await waitFor(fits, { what: 'the page to fit' }).catch(() => expect(tooWide).toEqual([]));
}

/** The elements because of which a page would have to be scrolled to the side. */
function widerThanTheWindow(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  return [...document.querySelectorAll('body *')]
    .filter(element => element.getBoundingClientRect().right > clientWidth)
    .map(({ tagName, className, textContent }) => `${tagName} ${className}: ${textContent.slice(0, 40)}`);
}

const rateLimitsOff = {
  RATE_LIMIT_KEY_READS: '0',
  RATE_LIMIT_KEY_WRITES: '0',
  RATE_LIMIT_ADDRESS_READS: '0',
  RATE_LIMIT_ADDRESS_WRITES: '0',
};
