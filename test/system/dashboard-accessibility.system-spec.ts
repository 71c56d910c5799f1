import { launchChromium, waitFor } from '@rtms/testing';
import type { Browser, Page, Route } from 'playwright-core';
import { graveFindings } from './harness/accessibility.js';
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
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  }, 60_000);

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
    expect(await graveFindings(dashboard.page, ['color-contrast'])).toEqual([]);
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
    const held: Route[] = [];
    await page.route(list, route => void held.push(route));
    await signedIn.owner.visit('/domains');
    await page.getByRole('progressbar', { name: 'Loading' }).waitFor();
    await waitFor(() => held.length > 0, { what: 'the list to be asked for' });
    await expectAccessible(signedIn.owner);

    await page.route(list, route => route.abort());
    await held[0]?.abort();
    await page.getByRole('alert').getByText('This could not be loaded').waitFor({ timeout: 20_000 });
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
      await dashboard.visit(addressOf(path, examples));
      await dashboard.untilLoaded();
      await expectAccessible(dashboard);
    });
  });
});

/** What a narrow window moves aside may take a moment to be gone. */
async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  let tooWide: string[] = [];
  const fits = async () => (tooWide = await page.evaluate(widerThanTheWindow)).length === 0;
  await waitFor(fits, { timeoutMs: 3_000, what: 'the page to fit' }).catch(() => expect(tooWide).toEqual([]));
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
