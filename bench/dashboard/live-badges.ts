/**
 * Measures how long the badge "Live" of a picture on the page of a room outlasts its media: from the answer of the API that ends a
 * playback, a broadcast or a session until the page says so. `npm run bench:badges -- [rounds]` after `npm run build`; prints one JSON
 * line.
 */
import { launchChromium } from '@rtms/testing';
import { DashboardPage } from '../../test/system/harness/dashboard-page.js';
import { endRunning, picturesOf } from '../../test/system/harness/live-pictures.js';
import { startStack } from '../../test/system/harness/stack.js';

const rounds = Number(process.argv[2] ?? 3);
const aimMs = 2_000;

const stack = await startStack({ dedicatedPostgres: true });
const browser = await launchChromium({ fakeMedia: { framesPerSecond: 10 } });
const delays: Record<string, number[]> = {};
try {
  const users = await stack.makeUsers();
  const owner = await DashboardPage.open(browser, stack.gateway.url);
  await owner.signIn(users);
  await owner.heading('Overview').waitFor();
  for (let round = 0; round < rounds; round += 1) {
    const meetingID = await stack.api.createRoom();
    await owner.visit(`/rooms/${meetingID}`);
    await owner.click('Publish camera');
    await owner.region('Watch by WHEP').getByRole('button', { name: 'Watch', exact: true }).click();
    await owner.click('Broadcast and watch');
    const pictures = picturesOf(meetingID);
    for (const { panel } of pictures) await owner.region(panel).getByText('Live', { exact: true }).waitFor();
    for (const { panel, ...media } of pictures) {
      await endRunning(stack.api, media);
      const endedAt = performance.now();
      await owner.region(panel).getByRole('status').getByText('It was ended on request.').waitFor();
      (delays[panel] ??= []).push(Math.round(performance.now() - endedAt));
    }
  }
  const worstMs = Math.max(...Object.values(delays).flat());
  console.log(JSON.stringify({ bench: 'badges', rounds, delaysMs: delays, worstMs, aimMs, met: worstMs <= aimMs }));
} finally {
  await browser.close();
  await stack.close();
}
process.exit();
