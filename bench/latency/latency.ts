// The age of a picture when a page shows it: by a direct peer connection, by WHEP, by the client SDK and by hls.js.
// One page of one browser has all of them. Prints one JSON line.
//   npm run bench:latency -- [seconds a way]
import { setTimeout as pause } from 'node:timers/promises';
import { launchChromium, waitFor } from '@rtms/testing';
import type { Page } from 'playwright-core';
import { ApiClient } from '../../test/system/harness/api-client.js';
import { TestBrowser } from '../../test/system/harness/browser.js';
import { HlsPlayer } from '../../test/system/harness/hls-player.js';
import { percentile } from '../percentile.js';
import { runningService } from '../running-service.js';
import type { Readings } from './latency-page.js';
import { on } from './latency-page-calls.js';

interface Latency {
  p50: number;
  p95: number;
  pictures: number;
  unreadable: number;
}

const seconds = Number(process.argv[2] ?? 20);
/** Time for jitter buffers and the bandwidth estimate to settle. */
const settleMs = 5_000;
const whepAimMs = 40;
/** Of low-latency HLS. */
const lowAimMs = 3_000;
const segmentsBefore = 6;

const service = await runningService();
const chromium = await launchChromium({ fakeMedia: true });
const browser = await TestBrowser.open({ browser: chromium, entryPoint: 'bench/latency/latency-page.ts' });
try {
  const page = await browser.openPage();
  const api = new ApiClient(service.gateway, `${service.apiUserName}:${service.apiKey}`);
  const meetingID = await api.createRoom();
  const { sessionID, ingest } = await api.openSession(meetingID, ['video']);
  await on(page, 'publish', ingest);
  await api.sessionBecomes(meetingID, sessionID, 'active');
  const { endpoint, token } = await api.openPlayback(meetingID, sessionID, ['video']);
  await on(page, 'watchDirectly');
  await on(page, 'watchByWhep', { url: endpoint, token });
  await on(page, 'watchAsMember', await api.join(meetingID, 'viewer'));
  const [direct, whep, member] = (await measure(page, ['direct', 'whep', 'member'])) as [Latency, Latency, Latency];
  // Their decoders would only compete with the broadcast's encoder.
  for (const way of ['direct', 'whep', 'member']) await on(page, 'stopWatching', way);
  let targetDurationMs = NaN;
  const hls = await measureHls('hls', 'normal');
  const low = await measureHls('low', 'low');
  await api.call('POST', '/v1/rooms', { action: 'end', meetingID });
  const hlsAimMs = 3 * targetDurationMs + 1_000;
  const differences = {
    ...{ whepP50: round(whep.p50 - direct.p50), whepP95: round(whep.p95 - direct.p95) },
    ...{ memberP50: round(member.p50 - direct.p50), memberP95: round(member.p95 - direct.p95) },
  };
  const aims = { whep: differences.whepP50 <= whepAimMs, hls: hls.p50 <= hlsAimMs, low: low.p50 <= lowAimMs };
  const ms = { direct, whep, member, hls, low, targetDurationMs };

  /** Measures a broadcast of its own, and ends it. */
  async function measureHls(way: string, latency: 'normal' | 'low'): Promise<Latency> {
    const { broadcastID } = await api.openBroadcast(meetingID, sessionID, { latency });
    const { playbackUrl } = await api.broadcastBecomes(meetingID, broadcastID, 'active');
    const playlist = await HlsPlayer.open(playbackUrl);
    // A viewer of the first seconds is nearer to the source than one who comes later.
    const isOld = async (): Promise<boolean> => (await playlist.newestSegment()) >= segmentsBefore;
    await waitFor(isOld, { timeoutMs: 60_000, what: `${segmentsBefore} segments` });
    await on(page, 'watchByHls', way, playbackUrl);
    const [measured] = (await measure(page, [way])) as [Latency];
    if (way === 'hls') targetDurationMs = (await on(page, 'targetDuration')) * 1000;
    // Its encoder would compete with the next one.
    await on(page, 'stopWatching', way);
    await api.call('DELETE', `/v1/meetings/${meetingID}/broadcasts/${broadcastID}`);
    return measured;
  }
  console.log(
    JSON.stringify({ bench: 'latency', seconds, ms, differences, aims: { whepAimMs, hlsAimMs, lowAimMs, met: aims } }),
  );
} finally {
  await browser.close();
  await service.close();
}
process.exit();

/** Measures several ways over the same seconds. */
async function measure(page: Page, ways: readonly string[]): Promise<Latency[]> {
  for (const way of ways) {
    const hasPicture = async (): Promise<boolean> => (await on(page, 'readings', way)).ages.length > 0;
    await waitFor(hasPicture, { timeoutMs: 60_000, what: `pictures by ${way}` });
  }
  await pause(settleMs);
  for (const way of ways) await on(page, 'readings', way);
  await pause(seconds * 1000);
  return Promise.all(ways.map(async way => toLatency(await on(page, 'readings', way))));
}

function toLatency({ ages, unreadable }: Readings): Latency {
  return { p50: percentile(ages, 0.5), p95: percentile(ages, 0.95), pictures: ages.length, unreadable };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
