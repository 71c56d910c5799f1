/** @weight 0.2 for 60 s */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EncoderPublisher, waitFor } from '@rtms/testing';
import type { Broadcast } from './harness/api-client.js';
import { HlsPlayer } from './harness/hls-player.js';
import type { ServiceProcess } from './harness/service-process.js';
import { recordedOnDisk } from './harness/recorded.js';
import { mountRefusal, SmallDisk } from './harness/small-disk.js';
import { startStack, type Stack } from './harness/stack.js';

const refusal = mountRefusal();
if (refusal) process.stderr.write(`The tests of a full disk are skipped, as nothing can be mounted here: ${refusal}\n`);

(refusal ? describe.skip : describe)('a transcoder whose disk is full', () => {
  let stack: Stack;
  let disk: SmallDisk;
  let small: ServiceProcess;
  let pid: number;
  let encoder: EncoderPublisher;
  let source: { meetingID: string; sessionID: string };
  let onSmall: Broadcast;
  let onOther: Broadcast;
  let recordingID: string;

  beforeAll(async () => {
    // A transcoder takes new work while 64 MB are free.
    disk = SmallDisk.mount(128);
    // A busy machine may need more than the usual 30 s to give a broadcast to another transcoder.
    stack = await startStack({ env: { GRACE_SECONDS: '120' } });
    // While the other transcoder is away or full, the gateway has no choice.
    await stack.transcoder.stop();
    small = await stack.addTranscoder('transcoder-small', { MEDIA_DIR: disk.path, MAX_BROADCASTS: '1' });
    pid = small.pid;
    const meetingID = await stack.api.createRoom();
    const { sessionID, ingest } = await stack.api.openSession(meetingID);
    source = { meetingID, sessionID };
    encoder = await EncoderPublisher.publish({ ...ingest, size: '160x90', frameRate: 10 });
    await stack.api.sessionBecomes(meetingID, sessionID, 'active');
    recordingID = await record();
    onSmall = await broadcast(small);
    await stack.transcoder.start();
    onOther = await broadcast(stack.transcoder);
    await recordedOnDisk(disk.path, recordingID, 3);
    disk.fill();
  });

  afterAll(async () => {
    await encoder?.vanish();
    await stack?.close();
    await disk?.close();
  });

  /** Opens a broadcast, expects it on this transcoder, and waits until it is active. */
  async function broadcast(node: ServiceProcess): Promise<Broadcast> {
    const { meetingID, sessionID } = source;
    const open = () => stack.api.openBroadcast(meetingID, sessionID);
    const { broadcastID, playbackUrl } = await waitFor(open, { what: 'a transcoder to take the broadcast' });
    expect(new URL(playbackUrl).origin).toBe(node.url);
    return stack.api.broadcastBecomes(meetingID, broadcastID, 'active');
  }

  async function record(): Promise<string> {
    const { meetingID, sessionID: sourceSessionID } = source;
    const started = await stack.api.startRecording(meetingID, { sourceSessionID });
    await stack.api.recordingBecomes(started.recordingID, 'recording');
    return started.recordingID;
  }

  /** The parts that are down on a node that is ready. */
  const partsDown = async (): Promise<string[]> => {
    const answer = await fetch(`${small.url}/readyz`);
    if (!answer.ok) throw new Error(await answer.text());
    return Object.keys(((await answer.json()) as { error: object }).error);
  };

  it('names the disk, fails its broadcast and ends its recording', async () => {
    await waitFor(async () => (await partsDown()).includes('disk'), { what: 'readyz to name the disk' });
    const failed = await stack.api.broadcastBecomes(source.meetingID, onSmall.broadcastID, 'failed');
    expect(failed.endReason).toBe('encoder_failed');
    expect(await stack.api.recordingBecomes(recordingID, 'processing')).toMatchObject({ endReason: 'recorder_failed' });
  });

  it('keeps running, and harms neither the publisher nor another transcoder’s broadcast', async () => {
    expect(small.pid).toBe(pid);
    expect((await fetch(`${small.url}/healthz`)).status).toBe(200);
    await stack.api.sessionBecomes(source.meetingID, source.sessionID, 'active');
    const player = await HlsPlayer.open(onOther.playbackUrl);
    const before = await player.newestSegment();
    await waitFor(async () => (await player.newestSegment()) > before, {
      everyMs: 200,
      what: 'a newer segment',
    });
  });

  it('leaves new broadcasts and recordings to other transcoders', async () => {
    const { broadcastID } = await broadcast(stack.transcoder);
    const second = await record();
    expect(await readdir(join(stack.mediaDir, 'recordings', 'work', 'transcoder-1'))).toEqual([second]);
    const path = `/v1/meetings/${source.meetingID}/broadcasts/${broadcastID}`;
    expect((await stack.api.call('DELETE', path)).status).toBe(200);
  });

  it('writes the file of its recording once the disk has room, and names the disk no longer', async () => {
    expect((await stack.api.recordingBecomes(recordingID, 'processing')).sizeBytes).toBeNull();
    await disk.makeRoom();
    const ready = await stack.api.recordingBecomes(recordingID, 'ready');
    expect(ready).toMatchObject({ endReason: 'recorder_failed' });
    expect(ready.durationSeconds).toBeGreaterThan(2);
    const file = await (await fetch(ready.downloadUrl)).arrayBuffer();
    expect(file.byteLength).toBe(ready.sizeBytes);
    await waitFor(async () => (await partsDown()).length < 1, { what: 'readyz to name nothing' });
    expect(small.pid).toBe(pid);
  });

  it('takes over the broadcast of another transcoder that dies', async () => {
    await stack.transcoder.stop('SIGKILL');
    const isTaken = async () => {
      const { state, playbackUrl } = await stack.api.broadcast(source.meetingID, onOther.broadcastID);
      return state === 'active' && new URL(playbackUrl).origin === small.url;
    };
    await waitFor(isTaken, {
      everyMs: 200,
      what: 'the broadcast to be active on the other transcoder',
    });
  });
});
