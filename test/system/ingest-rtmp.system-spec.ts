/** @weight 0.2 for 100 s */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitFor } from '@rtms/testing';
import { encodeAmf } from '../../apps/ingest/src/rtmp/amf0.js';
import { messageTypes, writeMessage } from '../../apps/ingest/src/rtmp/chunk-stream.js';
import type { ApiClient } from './harness/api-client.js';
import { bFrames, IngestBench, mostOffsetMs } from './harness/ingest-bench.js';
import type { LiveMedia } from './harness/live-encoder.js';
import { WhepViewer } from './harness/whep-viewer.js';

const run = promisify(execFile);

describe('publishing by RTMP', () => {
  let bench: IngestBench;
  let api: ApiClient;

  beforeAll(async () => {
    bench = await IngestBench.with();
    api = bench.api;
  });
  afterEach(() => bench?.vanishAll());
  afterAll(() => bench?.close());

  it.each(['rtmp', 'rtmps'] as const)(
    'takes H264 and AAC by %s, and keeps audio and video together',
    async protocol => {
      const opened = await bench.open(protocol);
      const { meetingID, session } = opened;
      const { active } = await bench.activate(opened);
      expect(active.tracks.map(({ kind, codec }) => `${kind} ${codec}`).sort()).toEqual(['audio opus', 'video H264']);
      await bench.recordTogether(meetingID, session.sessionID, 8);
      await bench.soundBecomes(meetingID, session.sessionID);
    },
  );

  it('converts an old codec of Flash, with PCM', async () => {
    const opened = await bench.open('rtmp');
    const media = { video: ['-c:v', 'flashsv'], audio: ['-c:a', 'pcm_s16le', '-ar', '44100'] };
    const { active } = await bench.activate(opened, () => [bench.send(opened.session, media)]);
    expect(active.tracks.map(({ kind, codec }) => `${kind} ${codec}`).sort()).toEqual(['audio opus', 'video H264']);
  });

  it('hands on B-frames to recordings, and a transcoder removes them while a viewer watches', async () => {
    const opened = await bench.open('rtmp');
    const { meetingID, session } = opened;
    await bench.activate(opened, () => [bench.send(session, { video: bFrames })]);
    const { path } = await bench.recordTogether(meetingID, session.sessionID, 6);
    const show = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'packet=dts_time,pts_time', '-of', 'json'];
    const { packets } = JSON.parse((await run('ffprobe', [...show, path])).stdout) as {
      packets: { dts_time: string; pts_time: string }[];
    };
    const pictures = packets.map(({ dts_time, pts_time }) => ({ dts: Number(dts_time), pts: Number(pts_time) }));
    const shown = pictures.map(({ pts }) => pts).sort((a, b) => a - b);
    const pairs = pictures.slice(1).map((picture, i) => [pictures[i]!, picture] as const);
    expect(pairs.filter(([former, { dts }]) => dts <= former.dts)).toEqual([]);
    expect(pictures.filter(({ dts, pts }) => pts < dts)).toEqual([]);
    // Of three pictures, two are B-frames.
    expect(pairs.filter(([former, { pts }]) => pts < former.pts).length).toBeGreaterThan(shown.length / 4);
    // The encoder sends 25 pictures a second. The median, because a busy machine may lose some.
    const steps = shown.slice(1).map((time, index) => time - shown[index]!);
    expect(steps.sort((a, b) => a - b)[steps.length >> 1]).toBeLessThan(0.05);
    const viewer = await WhepViewer.connect(await api.openPlayback(meetingID, session.sessionID));
    try {
      const health = async () => (await api.session(meetingID, session.sessionID)).health ?? [];
      const isRepaired = async () => (await health()).includes('b_frames_repaired');
      await waitFor(isRepaired, { what: 'a transcoder to remove the B-frames', everyMs: 200 });
    } finally {
      viewer.close();
    }
  });

  it.each<[string, LiveMedia]>([
    ['a copy', {}],
    ['B-frames', { video: bFrames }],
  ])('gives a viewer smaller pictures of %s on request, and the whole picture again', async (_, media) => {
    const opened = await bench.open('rtmp', undefined, { webrtcRenditions: true });
    const { meetingID, session } = opened;
    await bench.activate(opened, () => [bench.send(session, { ...media, size: '864x480' })]);
    const viewer = await WhepViewer.watch(await api.openPlayback(meetingID, session.sessionID), { events: false });
    try {
      for (const [layer, height] of [
        [{ spatialLayerId: 2 }, 480],
        [{ spatialLayerId: 0 }, 120],
        [{ spatialLayerId: 1 }, 240],
        [undefined, 480],
      ] as const) {
        await viewer.choose(layer);
        await viewer.sees(height);
      }
      await viewer.hearsOn();
    } finally {
      viewer.close();
    }
    const { offsetMs } = await bench.recordTogether(meetingID, session.sessionID, 8);
    expect(offsetMs).toBeLessThanOrEqual(mostOffsetMs);
  });

  it('refuses a wrong key and a wrong application at once', async () => {
    const { session } = await bench.open('rtmp');
    const wrongKey = bench.send({ ingest: { ...session.ingest, streamKey: 'x'.repeat(32) } });
    expect(await wrongKey.ended).not.toBe(0);
    const wrongApp = bench.send({ ingest: { ...session.ingest, url: session.ingest.url.replace('/live', '/other') } });
    expect(await wrongApp.ended).not.toBe(0);
  });

  it('refuses a second encoder, and says so', async () => {
    const { meetingID, session } = await bench.open('rtmp');
    const first = bench.send(session);
    await api.sessionBecomes(meetingID, session.sessionID, 'active');
    expect(await bench.send(session).ended).not.toBe(0);
    await bench.problemBecomes(meetingID, session.sessionID, 'already_publishing');
    expect(first.isRunning).toBe(true);
  });

  it('keeps session and broadcast when the encoder comes back', async () => {
    const opened = await bench.open('rtmp');
    const { meetingID } = opened;
    const { sessionID } = opened.session;
    const { encoder: first } = await bench.activate(opened);
    const { broadcastID } = await api.openBroadcast(meetingID, sessionID);
    await api.broadcastBecomes(meetingID, broadcastID, 'active');
    await first.vanish();
    await api.sessionBecomes(meetingID, sessionID, 'pending');
    await bench.activate(opened);
    await api.broadcastBecomes(meetingID, broadcastID, 'active');
  });

  it('refuses a codec that it cannot convert, and says so', async () => {
    const { meetingID, session } = await bench.open('rtmp');
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
    await bench.problemBecomes(meetingID, session.sessionID, 'codec_unsupported');
  });

  it('drops the encoder when the session ends, and logs no key', async () => {
    const opened = await bench.open('rtmp');
    const { meetingID, session } = opened;
    const { encoder } = await bench.activate(opened);
    await api.expect(200, 'DELETE', `/v1/meetings/${meetingID}/external-sessions/${session.sessionID}`);
    expect(await encoder.ended).not.toBe(0);
    for (const name of ['ingest', 'gateway'])
      expect(await readFile(join(bench.stack.folder, `${name}.log`), 'utf8')).not.toContain(session.ingest.streamKey);
  });
});
