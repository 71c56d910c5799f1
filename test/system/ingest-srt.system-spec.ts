/** @weight 0.8 for 90 s */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, waitFor } from '@rtms/testing';
import type { ApiClient, ExternalSession } from './harness/api-client.js';
import { bFrames, IngestBench } from './harness/ingest-bench.js';
import { usualOffsetOf } from './harness/lip-sync.js';
import type { LiveMedia } from './harness/live-encoder.js';
import { LossyLink } from './harness/lossy-link.js';

const run = promisify(execFile);
const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error', '-pix_fmt', 'yuv420p'];

describe('publishing by SRT', () => {
  let bench: IngestBench;
  let api: ApiClient;

  beforeAll(async () => {
    const port = await freePort();
    bench = await IngestBench.start(['srt'], { SRT_PORTS: `${port}-${port + 4}` });
    api = bench.api;
  });
  afterEach(() => bench.vanishAll());
  afterAll(() => bench?.close());

  /** Encoders try again until they are connected. */
  const returned = (meetingID: string, session: ExternalSession) =>
    waitFor(
      async () => {
        if (!bench.lastEncoder?.isRunning) bench.send(session);
        return (await api.session(meetingID, session.sessionID)).state === 'active';
      },
      { what: 'the encoder to publish at the former address', everyMs: 250 },
    );

  it('takes H264 and AAC, and keeps audio and video together', async () => {
    const { meetingID, session } = await bench.open('srt');
    bench.send(session);
    const active = await api.sessionBecomes(meetingID, session.sessionID, 'active');
    expect(active.tracks.map(({ kind, codec }) => `${kind} ${codec}`).sort()).toEqual(['audio opus', 'video H264']);
    const path = await bench.record(meetingID, session.sessionID, 12);
    expect(await usualOffsetOf(path)).toBeLessThanOrEqual(40);
    await bench.soundBecomes(meetingID, session.sessionID);
  });

  it('refuses a wrong passphrase, says so, and then takes the right one', async () => {
    const { meetingID, session } = await bench.open('srt');
    const stranger = bench.send({ ingest: { ...session.ingest, passphrase: 'x'.repeat(32) } });
    expect(await stranger.ended).not.toBe(0);
    await bench.problemBecomes(meetingID, session.sessionID, 'wrong_passphrase');
    bench.send(session);
    const { ingest } = await api.sessionBecomes(meetingID, session.sessionID, 'active');
    expect(ingest.problem).toBeNull();
  });

  it('repairs the loss of 5 % of the packets', async () => {
    const { meetingID, session } = await bench.open('srt');
    const { port } = new URL(session.ingest.url);
    const link = await LossyLink.open(Number(port));
    Object.assign(link, { loss: 0.05, jitterMs: 10 });
    try {
      const url = session.ingest.url.replace('127.0.0.1', link.address);
      bench.send({ ...session, ingest: { ...session.ingest, url } });
      await api.sessionBecomes(meetingID, session.sessionID, 'active');
      const path = await bench.record(meetingID, session.sessionID, 8);
      expect((await run('ffmpeg', ['-v', 'error', '-i', path, '-f', 'null', '-'])).stderr).toBe('');
      expect(link.counts.lost).toBeGreaterThan(5);
    } finally {
      await bench.vanishAll();
      link.close();
    }
  });

  it('refuses a second encoder while the first one sends', async () => {
    const { meetingID, session } = await bench.open('srt');
    const first = bench.send(session);
    await api.sessionBecomes(meetingID, session.sessionID, 'active');
    const second = bench.send(session);
    expect(await second.ended).not.toBe(0);
    expect(first.isRunning).toBe(true);
    expect((await api.session(meetingID, session.sessionID)).state).toBe('active');
  });

  it('keeps session and broadcast when the encoder comes back, also after the node has restarted', async () => {
    const { meetingID, session } = await bench.open('srt');
    const { sessionID } = session;
    const first = bench.send(session);
    await api.sessionBecomes(meetingID, sessionID, 'active');
    const { broadcastID } = await api.openBroadcast(meetingID, sessionID);
    await api.broadcastBecomes(meetingID, broadcastID, 'active');
    await first.vanish();
    await api.sessionBecomes(meetingID, sessionID, 'pending');
    await returned(meetingID, session);
    await api.broadcastBecomes(meetingID, broadcastID, 'active');
    await bench.node.stop();
    await api.sessionBecomes(meetingID, sessionID, 'pending');
    await bench.node.start();
    await returned(meetingID, session);
    await api.broadcastBecomes(meetingID, broadcastID, 'active');
  });

  it.each<[string, LiveMedia]>([
    ['B-frames', { video: bFrames }],
    ['HEVC', { video: hevc }],
    ['MPEG-2 and MP2', { video: ['-c:v', 'mpeg2video', '-b:v', '2M'], audio: ['-c:a', 'mp2', '-b:a', '192k'] }],
  ])('converts %s', async (_, media) => {
    const { meetingID, session } = await bench.open('srt');
    bench.send(session, media);
    await api.sessionBecomes(meetingID, session.sessionID, 'active');
    expect(await usualOffsetOf(await bench.record(meetingID, session.sessionID, 8))).toBeLessThanOrEqual(40);
    expect((await api.session(meetingID, session.sessionID)).health).not.toContain('b_frames');
  });

  it('says when the encoder sends no audio, although the session needs it', async () => {
    const { meetingID, session } = await bench.open('srt');
    bench.send(session, { audio: 'none' });
    await bench.problemBecomes(meetingID, session.sessionID, 'track_missing');
    expect((await api.session(meetingID, session.sessionID)).state).toBe('pending');
  });

  it('takes video alone', async () => {
    const { meetingID, session } = await bench.open('srt', ['video']);
    bench.send(session, { audio: 'none' });
    const active = await api.sessionBecomes(meetingID, session.sessionID, 'active');
    expect(active.tracks.map(({ kind }) => kind)).toEqual(['video']);
  });

  it('shows no passphrase in logs or process lists, and frees the port of an ended session', async () => {
    const { meetingID, session } = await bench.open('srt');
    const { passphrase = '' } = session.ingest;
    const { stdout } = await run('ps', ['-eo', 'args', '-ww']);
    expect(stdout).toContain('ffmpeg');
    expect(stdout).not.toContain(passphrase);
    for (const name of ['ingest', 'gateway'])
      expect(await readFile(join(bench.stack.folder, `${name}.log`), 'utf8')).not.toContain(passphrase);
    await api.expect(200, 'DELETE', `/v1/meetings/${meetingID}/external-sessions/${session.sessionID}`);
    const { port } = new URL(session.ingest.url);
    await waitFor(async () => !(await run('ss', ['-lun'])).stdout.includes(`:${port} `), {
      what: 'the port to be free',
      timeoutMs: 60_000,
    });
  });
});
