/** @weight 0.3 for 50 s */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EncoderPublisher, waitFor } from '@rtms/testing';
import type { Page } from 'playwright-core';
import { boundPortsOf } from './harness/bound-ports.js';
import { isStillWatching, media, receivesMore, TestBrowser } from './harness/browser.js';
import { descendants } from './harness/processes.js';
import { recordedOnDisk } from './harness/recorded.js';
import { RoomMember } from './harness/room-member.js';
import type { ServiceProcess } from './harness/service-process.js';
import { startStack, type Stack } from './harness/stack.js';

const run = promisify(execFile);

describe('a publisher whose video has B-frames', () => {
  let stack: Stack;
  let other: ServiceProcess;
  let browser: TestBrowser;
  let rooms: TestBrowser;
  let encoder: EncoderPublisher;
  let meetingID: string;
  let sessionID: string;
  let member: RoomMember;
  let camera: string;
  let viewer: Page;
  /** Ports of SFU and transcoders before anybody watched. */
  let idlePorts: number[];

  beforeAll(async () => {
    stack = await startStack();
    other = await stack.addTranscoder('transcoder-2');
    browser = await TestBrowser.open();
    rooms = await TestBrowser.open({ entryPoint: 'test/browser/room-page.ts' });
    meetingID = await stack.api.createRoom();
    const session = await stack.api.openSession(meetingID);
    ({ sessionID } = session);
    const coding = { size: '320x180', frameRate: 15, profile: 'high', faults: { bFrames: 2 } } as const;
    encoder = await EncoderPublisher.publish({ ...session.ingest, ...coding });
    await stack.api.sessionBecomes(meetingID, sessionID, 'active');
    await healthBecomes('b_frames');
  });

  afterAll(async () => {
    await encoder?.vanish();
    await browser?.close();
    await rooms?.close();
    await stack?.close();
  });

  const health = async (): Promise<readonly string[]> => (await stack.api.session(meetingID, sessionID)).health ?? [];

  const healthBecomes = (code: string, isThere = true): Promise<unknown> => {
    const what = `the health code ${code} to ${isThere ? 'come' : 'go'}`;
    return waitFor(async () => (await health()).includes(code) === isThere, { everyMs: 200, what });
  };

  const nodes = (): ServiceProcess[] => [stack.sfu, stack.transcoder, other];

  const repairersOf = ({ pid }: ServiceProcess) =>
    descendants(pid).filter(({ command }) => command.includes('-payload_type 96 -f rtp'));

  const repairers = () => nodes().flatMap(repairersOf);

  /** One repair serves all. On a busy machine, a repair that took too long to start may still end beside its successor. */
  const isRepairedOnce = () =>
    waitFor(() => repairers().length > 0 && repairers().length < 2, { everyMs: 200, what: 'one repair' });

  const ports = (): number[] => nodes().map(({ pid }) => boundPortsOf(pid).length);

  async function recordedPictures(): Promise<{ hasBFrames: boolean }> {
    const folder = await mkdtemp(join(tmpdir(), 'rtms-rescue-'));
    try {
      const { recordingID } = await stack.api.startRecording(meetingID, { sourceSessionID: sessionID });
      await stack.api.recordingBecomes(recordingID, 'recording');
      await recordedOnDisk(mediaDirs(), recordingID, 2);
      await stack.api.stopRecording(recordingID);
      const { downloadUrl } = await stack.api.recordingBecomes(recordingID, 'ready');
      const file = join(folder, 'recorded.mp4');
      await writeFile(file, Buffer.from(await (await fetch(downloadUrl)).arrayBuffer()));
      const args = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'stream=has_b_frames', '-of', 'csv=p=0'];
      return { hasBFrames: Number((await run('ffprobe', [...args, file])).stdout) > 0 };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  const mediaDirs = (): string[] => [stack.mediaDir, join(stack.folder, 'transcoder-2')];

  it('costs nothing while nobody watches', async () => {
    idlePorts = ports();
    expect(await health()).not.toContain('b_frames_repaired');
    expect(repairers()).toEqual([]);
  });

  it('is repaired for a member, whose picture goes on', async () => {
    member = await RoomMember.join(rooms, await stack.api.join(meetingID, 'Ada', 'host'));
    const isExternal = (entry: { kind: string }) => entry.kind === 'externalSession';
    const { state } = await member.knows(looked => looked.state.roster.find(isExternal)?.tracks.length === 2, 'tracks');
    camera = await member.watch(state.roster.find(isExternal)?.participantID ?? '', 'camera');
    await healthBecomes('b_frames_repaired');
    await isRepairedOnce();
    await member.sees(camera, 30);
  });

  it('is repaired for a viewer, while a recording takes the original', async () => {
    const { endpoint, token } = await stack.api.openPlayback(meetingID, sessionID);
    viewer = await browser.openPage();
    await media(viewer, 'watchWithWhipWhep', { url: endpoint, token });
    await receivesMore(viewer, { frames: 30, audioPackets: 50 });
    expect(await recordedPictures()).toEqual({ hasBFrames: true });
    await isRepairedOnce();
  });

  it('is repaired by another transcoder after the loss of the first, for the same connections', async () => {
    const [lost, follower] = repairersOf(other).length > 0 ? [other, stack.transcoder] : [stack.transcoder, other];
    await lost.stop('SIGKILL');
    await waitFor(() => repairersOf(follower).length > 0, {
      everyMs: 200,
      what: 'a repair by the other transcoder',
    });
    await healthBecomes('b_frames_repaired');
    await isStillWatching(viewer, stack.sfu, { frames: 30, audioPackets: 50 });
    await member.sees(camera, 30);
    await lost.start();
  });

  it('leaves no process and no port behind when the last viewer leaves', async () => {
    await media(viewer, 'stopAll');
    // The node keeps the ports of a member that vanishes for the grace time.
    await member.call('leave');
    await member.close();
    await healthBecomes('b_frames_repaired', false);
    await waitFor(() => repairers().length < 1, { everyMs: 200, what: 'the end of FFmpeg' });
    await healthBecomes('b_frames');
    await waitFor(() => ports().every((count, index) => count <= (idlePorts[index] ?? 0)), {
      everyMs: 200,
      what: `the ports of ${idlePorts.join()}, now ${ports().join()}`,
    });
  });
});
