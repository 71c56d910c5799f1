/** @weight 0.8 for 60 s */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, makeCertificates, waitFor, type TestCertificates } from '@rtms/testing';
import { encodeAmf } from '../../apps/ingest/src/rtmp/amf0.js';
import { messageTypes, writeMessage } from '../../apps/ingest/src/rtmp/chunk-stream.js';
import type { ApiClient, ExternalSession } from './harness/api-client.js';
import { usualOffsetOf } from './harness/lip-sync.js';
import { LiveEncoder, type LiveMedia } from './harness/live-encoder.js';
import { recordedOnDisk } from './harness/recorded.js';
import { startStack, type Stack } from './harness/stack.js';

const run = promisify(execFile);
const bFrames = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-b_strategy', '0', '-pix_fmt', 'yuv420p'];

describe('publishing by RTMP', () => {
  let stack: Stack;
  let api: ApiClient;
  let folder: string;
  let certificates: TestCertificates;
  const encoders: LiveEncoder[] = [];

  beforeAll(async () => {
    certificates = makeCertificates('127.0.0.1');
    stack = await startStack({ env: { GRACE_SECONDS: '20' } });
    api = stack.api;
    for (const feature of ['rtmp', 'rtmps'])
      await stack.admin.expect(200, 'PUT', '/admin/v1/features', { feature, enabled: true });
    const [rtmp, rtmps] = [await freePort(), await freePort()];
    const { cert, key } = certificates.server;
    const secure = { RTMPS_PORT: String(rtmps), RTMPS_CERT_FILE: cert, RTMPS_KEY_FILE: key };
    await stack.addIngest('ingest-1', { RTMP_PORT: String(rtmp), ...secure });
    folder = await mkdtemp(join(tmpdir(), 'rtms-rtmp-'));
  });
  afterEach(() => Promise.all(encoders.splice(0).map(each => each.vanish())));
  afterAll(async () => {
    await stack?.close();
    certificates?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  const open = async (protocol: 'rtmp' | 'rtmps' = 'rtmp') => {
    const meetingID = await api.createRoom();
    return { meetingID, session: await api.openSession(meetingID, ['video', 'audio'], protocol) };
  };
  const send = ({ ingest }: Pick<ExternalSession, 'ingest'>, media?: LiveMedia): LiveEncoder => {
    const encoder = LiveEncoder.rtmp(ingest, media);
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
  const problemBecomes = (meetingID: string, sessionID: string, problem: string) =>
    waitFor(async () => (await api.session(meetingID, sessionID)).ingest.problem === problem, {
      what: `the session to show ${problem}`,
    });

  it.each(['rtmp', 'rtmps'] as const)(
    'takes H264 and AAC by %s, and keeps audio and video together',
    async protocol => {
      const { meetingID, session } = await open(protocol);
      send(session);
      const active = await api.sessionBecomes(meetingID, session.sessionID, 'active');
      expect(active.tracks.map(({ kind, codec }) => `${kind} ${codec}`).sort()).toEqual(['audio opus', 'video H264']);
      expect(await usualOffsetOf(await record(meetingID, session.sessionID, 8))).toBeLessThanOrEqual(40);
      const isSound = async () =>
        String((await api.session(meetingID, session.sessionID)).health) === 'no_keyframe_requests';
      await waitFor(isSound, { what: 'no other problem of the media' });
    },
  );

  it('converts an old codec of Flash, with PCM', async () => {
    const { meetingID, session } = await open();
    send(session, { video: ['-c:v', 'flashsv'], audio: ['-c:a', 'pcm_s16le', '-ar', '44100'] });
    await api.sessionBecomes(meetingID, session.sessionID, 'active');
  });

  it('converts B-frames', async () => {
    const { meetingID, session } = await open();
    send(session, { video: bFrames });
    await api.sessionBecomes(meetingID, session.sessionID, 'active');
    const path = await record(meetingID, session.sessionID, 6);
    expect(await usualOffsetOf(path)).toBeLessThanOrEqual(40);
    const show = [
      '-v',
      'error',
      '-select_streams',
      'v',
      '-show_entries',
      'stream=has_b_frames,profile',
      '-of',
      'csv=p=0',
    ];
    expect((await run('ffprobe', [...show, path])).stdout.trim()).toBe('Constrained Baseline,0');
  });

  it('refuses a wrong key and a wrong application at once', async () => {
    const { session } = await open();
    const wrongKey = send({ ingest: { ...session.ingest, streamKey: 'x'.repeat(32) } });
    expect(await wrongKey.ended).not.toBe(0);
    const wrongApp = send({ ingest: { ...session.ingest, url: session.ingest.url.replace('/live', '/other') } });
    expect(await wrongApp.ended).not.toBe(0);
  });

  it('refuses a second encoder, and says so', async () => {
    const { meetingID, session } = await open();
    const first = send(session);
    await api.sessionBecomes(meetingID, session.sessionID, 'active');
    expect(await send(session).ended).not.toBe(0);
    await problemBecomes(meetingID, session.sessionID, 'already_publishing');
    expect(first.isRunning).toBe(true);
  });

  it('keeps session, broadcast and recording when the encoder comes back', async () => {
    const { meetingID, session } = await open();
    const { sessionID } = session;
    const first = send(session);
    await api.sessionBecomes(meetingID, sessionID, 'active');
    const { broadcastID } = await api.openBroadcast(meetingID, sessionID);
    await api.broadcastBecomes(meetingID, broadcastID, 'active');
    await first.vanish();
    await api.sessionBecomes(meetingID, sessionID, 'pending');
    send(session);
    await api.sessionBecomes(meetingID, sessionID, 'active');
    await api.broadcastBecomes(meetingID, broadcastID, 'active');
  });

  it('refuses a codec that it cannot convert, and says so', async () => {
    const { meetingID, session } = await open();
    const { hostname, port } = new URL(session.ingest.url);
    const encoder = connect(Number(port), hostname);
    const command = (...values: Parameters<typeof encodeAmf>) =>
      writeMessage({ type: messageTypes.command, streamID: 1, payload: encodeAmf(...values) });
    encoder.write(Buffer.concat([Buffer.of(3), Buffer.alloc(2 * 1_536), command('connect', 1, { app: 'live' })]));
    encoder.write(command('publish', 2, null, session.ingest.streamKey ?? '', 'live'));
    const heard: Buffer[] = [];
    encoder.on('data', data => heard.push(data));
    await waitFor(() => Buffer.concat(heard).includes('Publish.Start'), { what: 'the permission to publish' });
    // HEVC by Enhanced RTMP.
    const payload = Buffer.from([0x90, 0x68, 0x76, 0x63, 0x31]);
    encoder.write(writeMessage({ type: messageTypes.video, streamID: 1, payload }));
    await once(encoder, 'close');
    await problemBecomes(meetingID, session.sessionID, 'codec_unsupported');
  });

  it('drops the encoder when the session ends, and logs no key', async () => {
    const { meetingID, session } = await open();
    const encoder = send(session);
    await api.sessionBecomes(meetingID, session.sessionID, 'active');
    await api.expect(200, 'DELETE', `/v1/meetings/${meetingID}/external-sessions/${session.sessionID}`);
    expect(await encoder.ended).not.toBe(0);
    for (const name of ['ingest', 'gateway'])
      expect(await readFile(join(stack.folder, `${name}.log`), 'utf8')).not.toContain(session.ingest.streamKey);
  });
});
