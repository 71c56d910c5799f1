// Pictures of every page of the dashboard in light and dark at two widths, of the running service with examples on every
// page. `npm run screenshots` after `npm run build` writes them to `screenshots`, which Git ignores.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { launchChromium } from '@rtms/testing';
import { addExamples } from '../system/harness/dashboard-examples.js';
import { DashboardPage } from '../system/harness/dashboard-page.js';
import { addressOf, registeredPages, visitorPages } from '../system/harness/dashboard-registry.js';
import { shareLink } from '../system/harness/share-link.js';
import { startStack } from '../system/harness/stack.js';
import { scenes } from './scenes.js';

const folder = 'screenshots';
const widths = { wide: { width: 1360, height: 900 }, phone: { width: 390, height: 844 } };
const schemes = ['light', 'dark'] as const;
const limitsOff = { RATE_LIMIT_KEY_READS: '0', RATE_LIMIT_ADDRESS_READS: '0' };

const stack = await startStack({ dedicatedPostgres: true, env: limitsOff });
const browser = await launchChromium({ fakeMedia: { framesPerSecond: 10 } });
let taken = 0;

/** Pictures of a page in each scheme and width. */
async function take(name: string, dashboard: DashboardPage): Promise<void> {
  for (const [width, size] of Object.entries(widths)) {
    for (const scheme of schemes) {
      await dashboard.show(size, scheme);
      // As high as the page, so that sticky elements appear once.
      const height = await dashboard.page.evaluate(() => document.documentElement.scrollHeight);
      await dashboard.show({ ...size, height: Math.max(size.height, height) }, scheme);
      await dashboard.page.screenshot({ path: join(folder, `${name}-${width}-${scheme}.png`), animations: 'disabled' });
      taken += 1;
    }
  }
  await dashboard.show(widths.wide, 'light');
}

async function open(): Promise<DashboardPage> {
  return DashboardPage.open(browser, stack.gateway.url, { viewport: widths.wide, reducedMotion: 'reduce' });
}

/** `/rooms/:meetingID` as `rooms-meetingID`; with a prefix for administrators’ pages. */
function nameOf(path: string, role: string): string {
  const words = path.match(/\w[\w-]*/g) ?? ['start'];
  return [...(role === 'administrator' ? ['admin'] : []), ...words].join('-');
}

try {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const examples = await addExamples(stack);
  const { email, password, adminEmail, adminPassword } = await stack.makeUsers();
  const [owner, administrator] = [await open(), await open()];
  await take('sign-in', owner);
  await owner.signIn({ email, password });
  await administrator.signIn({ email: adminEmail, password: adminPassword });
  await Promise.all([owner, administrator].map(each => each.button('Color scheme').waitFor()));
  for (const [name, act] of Object.entries(scenes)) {
    await act(owner, examples);
    await take(name, owner);
  }
  const visitor = await open();
  for (const path of visitorPages()) {
    await visitor.visit(`${path}#${path === '/watch' ? '' : 'a'.repeat(43)}`);
    await take(nameOf(path, 'visitor'), visitor);
  }
  await visitor.page.goto(await shareLink(owner));
  await visitor.showsMoreFrames('Live stream');
  await take('watch-live', visitor);
  const signedIn = { owner, administrator };
  for (const { path, role } of registeredPages()) {
    await signedIn[role].visit(addressOf(path, examples));
    await signedIn[role].untilLoaded();
    await take(nameOf(path, role), signedIn[role]);
  }
  console.log(`${taken} pictures in ${folder}`);
} finally {
  await browser.close();
  await stack.close();
}
process.exit();
