// The age of a picture when a page shows it by WHEP. An encoder sends it by SRT or RTMP to an ingest node. Prints one JSON line. After
// `npm run build`.
//   npm run bench:ingest-latency -- [seconds] [rounds]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, launchChromium, waitFor } from '@rtms/testing';
import type { Page } from 'playwright-core';
import type { ExternalSession } from '../../test/system/harness/api-client.js';
import { TestBrowser } from '../../test/system/harness/browser.js';
import { startStack } from '../../test/system/harness/stack.js';
import { clockSize, runClock } from '../../tools/rtms/clock-picture.mjs';
import { percentile } from '../percentile.js';
import { on } from './latency-page-calls.js';

const [seconds = 15, rounds = 3] = process.argv.slice(2).map(Number);
/** Time for jitter buffers and the bandwidth estimate to settle. */
const settleMs = 5_000;
const srtLatencyMs = 120;
const aimMs = 400;
const frameRate = 30;
const protocols = ['srt', 'rtmp'] as const;

const stack = await startStack({ dedicatedPostgres: true });
const chromium = await launchChromium({ fakeMedia: true });
const browser = await TestBrowser.open({ browser: chromium, entryPoint: 'bench/latency/latency-page.ts' });
try {
  for (const feature of protocols)
    await stack.admin.expect(200, 'PUT', '/admin/v1/features', { feature, enabled: true });
  const [rtmp, srt] = [await freePort(), await freePort()];
  // A port for each round: an ended session keeps its port for up to half a minute.
  const ports = { RTMP_PORT: String(rtmp), SRT_PORTS: `${srt}-${srt + rounds - 1}` };
  await stack.addIngest('ingest-1', { ...ports, SRT_LATENCY_MS: String(srtLatencyMs) });
  const ages = { srt: [] as number[], rtmp: [] as number[] };
  for (let round = 0; round < rounds; round += 1)
    for (const protocol of protocols) ages[protocol].push(...(await measure(protocol)));
  const ms = Object.fromEntries(
    protocols.map(each => [each, { p50: percentile(ages[each], 0.5), p95: percentile(ages[each], 0.95) }]),
  );
  const load = loadavg().map(each => Math.round(each * 10) / 10);
  console.log(JSON.stringify({ bench: 'ingest-latency', seconds, rounds, load, srtLatencyMs, ms, aimMs }));
} finally {
  await browser.close();
  await chromium.close();
  await stack.close();
}
process.exit();

/** Returns the ages of the pictures of some seconds, in ms. */
async function measure(protocol: (typeof protocols)[number]): Promise<number[]> {
  const { api } = stack;
  const meetingID = await api.createRoom();
  const { sessionID, ingest } = await api.openSession(meetingID, ['video', 'audio'], protocol);
  const stop = encode(protocol, ingest);
  const page = await browser.openPage();
  try {
    await api.sessionBecomes(meetingID, sessionID, 'active');
    const { endpoint, token } = await api.openAdaptivePlayback(meetingID, sessionID, ['video']);
    await on(page, 'watchByWhep', { url: endpoint, token }, true);
    return await agesOn(page);
  } finally {
    await page.close();
    await stop();
    await api.expect(200, 'POST', '/v1/rooms', { action: 'end', meetingID });
  }
}

async function agesOn(page: Page): Promise<number[]> {
  const hasPicture = async (): Promise<boolean> => (await on(page, 'readings', 'whep')).ages.length > 0;
  await waitFor(hasPicture, { timeoutMs: 60_000, what: 'pictures' });
  await pause(settleMs);
  await on(page, 'readings', 'whep');
  await pause(seconds * 1_000);
  return (await on(page, 'readings', 'whep')).ages;
}

/** An encoder whose picture is the time of this machine. Returns a function that ends it. */
function encode(protocol: (typeof protocols)[number], ingest: ExternalSession['ingest']): () => Promise<void> {
  const { url, passphrase = '', streamKey = '' } = ingest;
  const { width, height } = clockSize;
  const clock = [
    '-f',
    'rawvideo',
    '-pix_fmt',
    'gray',
    '-s',
    `${width}x${height}`,
    '-r',
    String(frameRate),
    '-i',
    'pipe:0',
  ];
  const sound = ['-re', '-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000'];
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p'];
  // As OBS does: an interval of 2 s, and no B-frames.
  const video = ['-map', '0:v', '-vf', 'scale=640:360:flags=neighbor', ...h264, '-g', String(2 * frameRate)];
  const audio = ['-map', '1:a', '-c:a', 'aac', '-ar', '48000', '-ac', '2'];
  const srt = `${url}&mode=caller&latency=${srtLatencyMs * 1_000}&passphrase=${passphrase}`;
  // FFmpeg collects 2.9 kB of sound otherwise, 0.25 s, for which the picture waits.
  const smallPackets = ['-pes_payload_size', '0'];
  const output = protocol === 'srt' ? ['-f', 'mpegts', ...smallPackets, srt] : ['-f', 'flv', `${url}/${streamKey}`];
  const args = ['-v', 'error', '-fflags', 'nobuffer', ...clock, ...sound, ...video, ...audio, '-flush_packets', '1'];
  const encoder = spawn('ffmpeg', [...args, ...output], { stdio: ['pipe', 'ignore', 'inherit'] });
  const stopClock = runClock(encoder.stdin, frameRate);
  return async () => {
    stopClock();
    const gone = once(encoder, 'close');
    encoder.kill('SIGKILL');
    await gone;
  };
}
