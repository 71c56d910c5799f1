/** @weight 1 for 90 s */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EncoderPublisher, waitFor } from '@rtms/testing';
import type { Page } from 'playwright-core';

import { media, receives, receivesMore, TestBrowser } from './harness/browser.js';
import { usualOffsetOf } from './harness/lip-sync.js';
import { descendants } from './harness/processes.js';
import { recordedOnDisk } from './harness/recorded.js';

import type { ServiceProcess } from './harness/service-process.js';
import { startStack, type Stack } from './harness/stack.js';

const run = promisify(execFile);

describe('a publisher whose video has B-frames', () => {
  let folder: string;
  let stack: Stack;
  let transcoders: ServiceProcess[];
  let browser: TestBrowser;
  let rooms: TestBrowser;
  let encoder: EncoderPublisher;
  let meetingID: string;
  let sessionID: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rtms-rescue-'));
    stack = await startStack();
    transcoders = [stack.transcoder, await stack.addTranscoder('transcoder-2')];
    [browser, rooms] = [await TestBrowser.open(), await TestBrowser.open({ entryPoint: 'test/browser/room-page.ts' })];
    const file = await blinkingClip();
    meetingID = await stack.api.createRoom();
    const session = await stack.api.openSession(meetingID);
    ({ sessionID } = session);
    const coding = { size: '640x360', frameRate: 30, profile: 'high', faults: { bFrames: 2 } } as const;
    encoder = await EncoderPublisher.publish({ ...session.ingest, ...coding, file });
    await stack.api.sessionBecomes(meetingID, sessionID, 'active');
    await healthHas('b_frames');
  });

  afterAll(async () => {
    await encoder?.vanish();
    await browser?.close();
    await rooms?.close();
    await stack?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** White for a tenth of each second, with a beep at the same time. */
  async function blinkingClip(): Promise<string> {
    const path = join(folder, 'clip.mp4');
    const white = `color=black:size=640x360:rate=30,drawbox=color=white:t=fill:enable='lt(mod(t,1),0.1)'`;
    const beep = `aevalsrc='sin(2*PI*1000*t)*lt(mod(t,1),0.1)':sample_rate=48000`;
    const inputs = ['-f', 'lavfi', '-i', white, '-f', 'lavfi', '-i', beep, '-t', '20'];
    await run('ffmpeg', ['-v', 'error', ...inputs, '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', path]);
    return path;
  }

  const health = async (): Promise<readonly string[]> => (await stack.api.session(meetingID, sessionID)).health ?? [];

  const healthHas = (code: string) =>
    waitFor(async () => (await health()).includes(code), { what: `the health code ${code}`, timeoutMs: 30_000 });

  const repairersOf = ({ pid }: ServiceProcess) =>
    descendants(pid ?? 0).filter(({ command }) => command.includes('-f rtp'));

  const repairers = () => transcoders.filter(({ pid }) => pid !== undefined).flatMap(repairersOf);

  async function watch(): Promise<Page> {
    const { endpoint, token } = await stack.api.openPlayback(meetingID, sessionID);
    const page = await browser.openPage();
    await media(page, 'watchWithWhipWhep', { url: endpoint, token });
    return page;
  }

  it('costs nothing while nobody watches', async () => {
    expect(await health()).not.toContain('b_frames_repaired');
    expect(repairers()).toEqual([]);
  });

  it('is shown to viewers without B-frames, and recorded with them', async () => {
    const { recordingID } = await stack.api.startRecording(meetingID, { sourceSessionID: sessionID });
    const since = Date.now();
    const page = await watch();
    await healthHas('b_frames_repaired');
    console.log('repaired after', Date.now() - since);
    await receivesMore(page, { frames: 1 });
    console.log('first frame after', Date.now() - since);
    const before = await media(page, 'watched');
    const from = Date.now();
    await receives(page, { frames: before.frames + 90 });
    console.log('90 frames in', Date.now() - from, repairers().length, await health());
    const { recording, path } = { recording: recordingID, path: join(folder, 'seen.webm') };
    await writeFile(path, await recordPage(page, 12_000));
    console.log('lip sync', await usualOffsetOf(path));
    await recordedOnDisk(stack.mediaDir, recording, 2).catch(() => undefined);
    await stack.api.stopRecording(recordingID);
    const { downloadUrl } = await stack.api.recordingBecomes(recordingID, 'ready');
    const file = join(folder, 'recorded.mp4');
    await writeFile(file, Buffer.from(await (await fetch(downloadUrl)).arrayBuffer()));
    const probe = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'stream=has_b_frames', '-of', 'csv=p=0'];
    expect(Number((await run('ffprobe', [...probe, file])).stdout)).toBeGreaterThan(0);
    console.log('recorded lip sync', await usualOffsetOf(file));
    await page.close();
  }, 120_000);

  /** Records the sound and the picture of the newest player, as its user sees them. */
  async function recordPage(page: Page, ms: number): Promise<Buffer> {
    const text = await page.evaluate(async duration => {
      const stream = [...document.querySelectorAll('video')].at(-1)!.srcObject as MediaStream;
      const recorder = new MediaRecorder(stream, { mimeType: 'video/webm;codecs=vp8,opus' });
      const pieces: Blob[] = [];
      recorder.ondataavailable = ({ data }) => pieces.push(data);
      recorder.start();
      await new Promise(resolve => setTimeout(resolve, duration));
      await new Promise(resolve => {
        recorder.onstop = resolve;
        recorder.stop();
      });
      const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
      let binary = '';
      for (const byte of bytes) binary += String.fromCharCode(byte);
      return btoa(binary);
    }, ms);
    return Buffer.from(text, 'base64');
  }
});
