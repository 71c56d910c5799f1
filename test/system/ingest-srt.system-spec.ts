/** @weight 0.8 for 90 s */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { freePort, waitFor } from '@rtms/testing';
import type { ApiClient, ExternalSession } from './harness/api-client.js';
import { usualOffsetOf } from './harness/lip-sync.js';
import { LiveEncoder, type LiveMedia } from './harness/live-encoder.js';
import { LossyLink } from './harness/lossy-link.js';
import { recordedOnDisk } from './harness/recorded.js';
import type { ServiceProcess } from './harness/service-process.js';
import { startStack, type Stack } from './harness/stack.js';

const run = promisify(execFile);
const bFrames = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-b_strategy', '0', '-pix_fmt', 'yuv420p'];
const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error', '-pix_fmt', 'yuv420p'];

describe('publishing by SRT', () => {
  let stack: Stack;
  let api: ApiClient;
  let node: ServiceProcess;
  let folder: string;
  const encoders: LiveEncoder[] = [];

  beforeAll(async () => {
    stack = await startStack({ env: { GRACE_SECONDS: '20' } });
    api = stack.api;
    await stack.admin.expect(200, 'PUT', '/admin/v1/features', { feature: 'srt', enabled: true });
    const port = await freePort();
    node = await stack.addIngest('ingest-1', { SRT_PORTS: `${port}-${port + 4}` });
    folder = await mkdtemp(join(tmpdir(), 'rtms-srt-'));
  });
  afterEach(() => Promise.all(encoders.splice(0).map(each => each.vanish())));
  afterAll(async () => {
    await stack?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const open = async (tracks?: string[]) => {
    const meetingID = await api.createRoom();
    const session = await api.openSession(meetingID, tracks, 'srt');
    return { meetingID, session };
  };
  const send = (session: ExternalSession, media?: LiveMedia): LiveEncoder => {
    const encoder = LiveEncoder.srt(session.ingest, media);
    encoders.push(encoder);
    return encoder;
  };
  const record = async (meetingID: string, sessionID: string, fragments: number): Promise<string> => {
    const { recordingID } = await api.startRecording(meetingID, { sourceSessionID: sessionID });
    await recordedOnDisk(stack.mediaDir, recordingID, fragments);
    await api.stopRecording(recordingID);
    const { downloadUrl } = await api.recordingBecomes(recordingID, 'ready');
    const path = join(folder, `${recordingID}.mp4`);
    await writeFile(path, Buffer.from(await (await fetch(downloadUrl)).arrayBuffer()));
    return path;
  };

  /** Encoders try again until they are connected. */
  const returned = (meetingID: string, session: ExternalSession) =>
    waitFor(
      async () => {
        if (!encoders.at(-1)?.isRunning) send(session);
        return (await api.session(meetingID, session.sessionID)).state === 'active';
      },
      { what: 'the encoder to publish at the former address', everyMs: 250 },
    );

  const problemBecomes = (meetingID: string, sessionID: string, problem: string) =>
    waitFor(async () => (await api.session(meetingID, sessionID)).ingest.problem === problem, {
      what: `the session to show ${problem}`,
    });

  it('takes H264 and AAC, and keeps audio and video together', async () => {
    const { meetingID, session } = await open();
    send(session);
    const active = await api.sessionBecomes(meetingID, session.sessionID, 'active');
    expect(active.tracks.map(({ kind, codec }) => `${kind} ${codec}`).sort()).toEqual(['audio opus', 'video H264']);
    const path = await record(meetingID, session.sessionID, 12);
    expect(await usualOffsetOf(path)).toBeLessThanOrEqual(40);
    const isSound = async () =>
      String((await api.session(meetingID, session.sessionID)).health) === 'no_keyframe_requests';
    await waitFor(isSound, { what: 'no other problem of the media' });
  });

  it('refuses a wrong passphrase, says so, and then takes the right one', async () => {
    const { meetingID, session } = await open();
    const stranger = LiveEncoder.srt({ ...session.ingest, passphrase: 'x'.repeat(32) });
    encoders.push(stranger);
    expect(await stranger.ended).not.toBe(0);
    await problemBecomes(meetingID, session.sessionID, 'wrong_passphrase');
    send(session);
    const { ingest } = await api.sessionBecomes(meetingID, session.sessionID, 'active');
    expect(ingest.problem).toBeNull();
  });

  it('repairs the loss of 5 % of the packets', async () => {
    const { meetingID, session } = await open();
    const { port } = new URL(session.ingest.url);
    const link = await LossyLink.open(Number(port));
    Object.assign(link, { loss: 0.05, jitterMs: 10 });
    try {
      const url = session.ingest.url.replace('127.0.0.1', link.address);
      send({ ...session, ingest: { ...session.ingest, url } });
      await api.sessionBecomes(meetingID, session.sessionID, 'active');
      const path = await record(meetingID, session.sessionID, 8);
      expect((await run('ffmpeg', ['-v', 'error', '-i', path, '-f', 'null', '-'])).stderr).toBe('');
      expect(link.counts.lost).toBeGreaterThan(5);
    } finally {
      await Promise.all(encoders.splice(0).map(each => each.vanish()));
      link.close();
    }
  });

  it('refuses a second encoder while the first one sends', async () => {
    const { meetingID, session } = await open();
    const first = send(session);
    await api.sessionBecomes(meetingID, session.sessionID, 'active');
    const second = send(session);
    expect(await second.ended).not.toBe(0);
    expect(first.isRunning).toBe(true);
    expect((await api.session(meetingID, session.sessionID)).state).toBe('active');
  });

  it('keeps session and broadcast when the encoder comes back, also after the node has restarted', async () => {
    const { meetingID, session } = await open();
    const { sessionID } = session;
    const first = send(session);
    await api.sessionBecomes(meetingID, sessionID, 'active');
    const { broadcastID } = await api.openBroadcast(meetingID, sessionID);
    await api.broadcastBecomes(meetingID, broadcastID, 'active');
    await first.vanish();
    await api.sessionBecomes(meetingID, sessionID, 'pending');
    await returned(meetingID, session);
    await api.broadcastBecomes(meetingID, broadcastID, 'active');
    await node.stop();
    await api.sessionBecomes(meetingID, sessionID, 'pending');
    await node.start();
    await returned(meetingID, session);
    await api.broadcastBecomes(meetingID, broadcastID, 'active');
  });

  it.each<[string, LiveMedia]>([
    ['B-frames', { video: bFrames }],
    ['HEVC', { video: hevc }],
    ['MPEG-2 and MP2', { video: ['-c:v', 'mpeg2video', '-b:v', '2M'], audio: ['-c:a', 'mp2', '-b:a', '192k'] }],
  ])('converts %s', async (_, media) => {
    const { meetingID, session } = await open();
    send(session, media);
    await api.sessionBecomes(meetingID, session.sessionID, 'active');
    expect(await usualOffsetOf(await record(meetingID, session.sessionID, 8))).toBeLessThanOrEqual(40);
    expect((await api.session(meetingID, session.sessionID)).health).not.toContain('b_frames');
  });

  it('says when the encoder sends no audio, although the session needs it', async () => {
    const { meetingID, session } = await open();
    send(session, { audio: 'none' });
    await problemBecomes(meetingID, session.sessionID, 'track_missing');
    expect((await api.session(meetingID, session.sessionID)).state).toBe('pending');
  });

  it('takes video alone', async () => {
    const { meetingID, session } = await open(['video']);
    send(session, { audio: 'none' });
    const active = await api.sessionBecomes(meetingID, session.sessionID, 'active');
    expect(active.tracks.map(({ kind }) => kind)).toEqual(['video']);
  });

  it('shows no passphrase in logs or process lists, and frees the port of an ended session', async () => {
    const { meetingID, session } = await open();
    const { passphrase = '' } = session.ingest;
    const { stdout } = await run('ps', ['-eo', 'args', '-ww']);
    expect(stdout).toContain('ffmpeg');
    expect(stdout).not.toContain(passphrase);
    for (const name of ['ingest', 'gateway'])
      expect(await readFile(join(stack.folder, `${name}.log`), 'utf8')).not.toContain(passphrase);
    await api.expect(200, 'DELETE', `/v1/meetings/${meetingID}/external-sessions/${session.sessionID}`);
    const { port } = new URL(session.ingest.url);
    await waitFor(async () => !(await run('ss', ['-lun'])).stdout.includes(`:${port} `), {
      what: 'the port to be free',
      timeoutMs: 60_000,
    });
  });
});
