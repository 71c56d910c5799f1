/** @weight 0.2 for 80 s */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ApiClient } from './harness/api-client.js';
import { IngestBench } from './harness/ingest-bench.js';
import type { LiveMedia } from './harness/live-encoder.js';

const run = promisify(execFile);
const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error', '-pix_fmt', 'yuv420p'];

describe('conversion of an SRT encoder’s media', () => {
  let bench: IngestBench;
  let api: ApiClient;

  beforeAll(async () => {
    bench = await IngestBench.with();
    api = bench.api;
  });
  afterEach(() => bench?.vanishAll());
  afterAll(() => bench?.close());

  it.each<[string, LiveMedia]>([
    ['HEVC', { video: hevc }],
    ['MPEG-2 and MP2', { video: ['-c:v', 'mpeg2video', '-b:v', '2M'], audio: ['-c:a', 'mp2', '-b:a', '192k'] }],
  ])('converts %s', async (_, media) => {
    const opened = await bench.open('srt');
    const { meetingID, session } = opened;
    await bench.activate(opened, () => [bench.send(session, media)]);
    await bench.recordTogether(meetingID, session.sessionID, 6);
    expect((await api.session(meetingID, session.sessionID)).health).not.toContain('b_frames');
  });

  it('converts a varying frame rate without copies of pictures, and keeps audio and video together', async () => {
    const opened = await bench.open('srt');
    const { meetingID, session } = opened;
    const select = ['-vf', "select='lt(mod(t,1),0.2)+not(mod(n,5))'", '-vsync', 'vfr'];
    await bench.activate(opened, () => [bench.send(session, { video: [...select, ...hevc] })]);
    const { path } = await bench.recordTogether(meetingID, session.sessionID, 6);
    const show = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0'];
    const times = (await run('ffprobe', [...show, path])).stdout
      .trim()
      .split('\n')
      .map(parseFloat)
      .sort((a, b) => a - b);
    const seconds = (times.at(-1) ?? 0) - (times[0] ?? 0);
    // The encoder sends nine pictures a second, of 25 that its clock knows.
    expect(times.length / seconds).toBeLessThan(12);
  });

  it('says when the encoder sends no audio, although the session needs it', async () => {
    const opened = await bench.open('srt');
    const { meetingID, session } = opened;
    await bench.fail(opened, 'track_missing', () => bench.send(session, { audio: 'none' }));
    expect((await api.session(meetingID, session.sessionID)).state).toBe('pending');
  });

  it('takes video alone', async () => {
    const opened = await bench.open('srt', ['video']);
    const { active } = await bench.activate(opened, () => [bench.send(opened.session, { audio: 'none' })]);
    expect(active.tracks.map(({ kind }) => kind)).toEqual(['video']);
  });
});
