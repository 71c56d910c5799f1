/** @weight 0.5 for 20 s */
import { spawnSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordedSpan, RenderRecordingRequest } from '@rtms/contracts';
import { Pictures, pictureTimes, samplesOf, toneIn } from '../../../test/composed-file.js';
import { recordingBenches, type RecordingBench } from '../../../test/recording-bench.js';
import type { RecordingNotes } from '../recordings/recording-directory.js';

const openBench = recordingBenches();
const noSource = () => {
  throw new Error('unused');
};
const begin = Date.UTC(2026, 10, 26, 9);
const at = (ms: number) => new Date(begin + ms).toISOString();
const workOf = (bench: RecordingBench, recordingID: string) => join(bench.directory, 'work', recordingID);

interface Part {
  startMs: number;
  color: string;
  hertz: number;
}

/** Two seconds as recorders leave them. After one second there is a white flash of 100 ms, with a tone. */
function makePart(path: string, { color, hertz }: Part): void {
  const flash = "drawbox=c=white:t=fill:enable='between(t,0.999,1.099)'";
  const sound = `aevalsrc='0.5*sin(2*PI*${hertz}*t)*between(t,1,1.1)':s=48000`;
  const { status, stderr } = spawnSync('ffmpeg', [
    ...['-v', 'error', '-y', '-f', 'lavfi', '-i', `color=${color}:s=320x180:r=30,${flash}`],
    ...['-f', 'lavfi', '-i', sound, '-t', '2', '-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '0', '-g', '300'],
    ...[
      '-pix_fmt',
      'yuv420p',
      '-c:a',
      'libopus',
      '-ac',
      '2',
      '-movflags',
      '+frag_keyframe+empty_moov+default_base_moof',
    ],
    ...['-frag_duration', '500000', '-f', 'mp4', path],
  ]);
  if (status !== 0) throw new Error(String(stderr));
}

/** Leaves a recording as an earlier process of the node would, and has its file made. */
async function record(bench: RecordingBench, recordingID: string, parts: Part[]): Promise<RecordedSpan[] | undefined> {
  const directory = workOf(bench, recordingID);
  await mkdir(directory, { recursive: true });
  const shape = { hasAudio: true, video: { codec: 'h264' as const, size: { width: 320, height: 180 } } };
  const notes: RecordingNotes = {
    request: { recordingID, meetingID: 'room_1' },
    parts: parts.map(({ startMs }, i) => ({ file: `part-${i}.mp4`, shape, startedAt: at(startMs) })),
    stopped: { reason: 'requested', until: at(0) },
  };
  parts.forEach((part, i) => makePart(join(directory, `part-${i}.mp4`), part));
  await writeFile(join(directory, 'recording.json'), JSON.stringify(notes));
  const ready = bench.facts.next(({ type }) => type === 'recording.ready');
  const ended = bench.ends.next();
  await bench.recordings.recover();
  const fact = await ready;
  await ended;
  return fact.type === 'recording.ready' ? fact.spans : undefined;
}

const request = (spans: Record<string, RecordedSpan[]>): RenderRecordingRequest => ({
  ...{ recordingID: 'rec_new', meetingID: 'room_1', accountID: 'acc_1', tracks: ['video', 'audio'] },
  composition: {
    ...{ layout: 'grid', width: 640, height: 360, fit: 'contain', hasEmptyTiles: false, audio: 'all' },
    backgroundColor: '#202020',
  },
  sources: Object.entries(spans).map(([recordingID, own]) => {
    return { recordingID, sourceID: recordingID, name: recordingID, isHost: false, sizeBytes: 1, spans: own };
  }),
});

const whole = { x: 200, y: 100, width: 240, height: 160 };
const left = { x: 40, y: 110, width: 240, height: 140 };
const right = { x: 360, y: 110, width: 240, height: 140 };

/** The name of a colour that video has made slightly different. */
function named([red = 0, green = 0, blue = 0]: number[]): string {
  if (red > 200 && green > 200 && blue > 200) return 'white';
  if (Math.max(red, green, blue) < 60) return 'background';
  return red > 90 ? 'red' : green > 90 ? 'green' : 'blue';
}

describe('a composition of recordings', () => {
  it('has each source at its time, with its sound, also after a gap', async () => {
    const bench = await openBench(noSource);
    const spans = await record(bench, 'rec_one', [
      { startMs: 0, color: 'red', hertz: 440 },
      { startMs: 4_070, color: 'green', hertz: 440 },
    ]);
    expect(spans?.map(({ startedAt }) => startedAt)).toEqual([at(0), at(4_070)]);
    const other = await record(bench, 'rec_two', [{ startMs: 1_030, color: 'blue', hertz: 1_000 }]);
    const ready = bench.facts.next(({ type }) => type === 'recording.ready');
    await bench.recordings.render(request({ rec_one: spans!, rec_two: other! }));
    expect(bench.recordings.inventory()).toEqual([{ recordingID: 'rec_new', state: 'processing' }]);
    expect(await ready).toMatchObject({ width: 640, height: 360, durationSeconds: expect.closeTo(6.1, 0) as number });
    const path = join(bench.directory, 'files', 'rec_new.mp4');
    const pictures = new Pictures(path);
    const seen = (seconds: number, area: typeof whole) => named(pictures.colorAt(seconds, area));
    expect([0.5, 1.5, 1.9].map(seconds => seen(seconds, left))).toEqual(['red', 'red', 'red']);
    expect([0.5, 1.5, 2.5].map(seconds => seen(seconds, right))).toEqual(['red', 'blue', 'blue']);
    // Away, with its tile.
    expect(seen(2.5, left)).not.toBe('red');
    expect([4.0, 4.14, 5.5].map(seconds => seen(seconds, whole))).toEqual(['background', 'green', 'green']);
    // A picture of each flash, and one of 40 ms before it.
    expect([seen(0.96, whole), seen(1.05, left)]).toEqual(['red', 'white']);
    expect([1.99, 2.08].map(seconds => seen(seconds, right))).toEqual(['blue', 'white']);
    expect([5.03, 5.12].map(seconds => seen(seconds, whole))).toEqual(['green', 'white']);
    const samples = samplesOf(path);
    const isHeard = (hertz: number, from: number) => toneIn(samples, hertz, from, 0.04) > 0.2;
    expect([0.94, 1.03, 1.14].map(from => isHeard(440, from))).toEqual([false, true, false]);
    expect([1.97, 2.06, 2.17].map(from => isHeard(1_000, from))).toEqual([false, true, false]);
    expect([5.01, 5.1, 5.21].map(from => isHeard(440, from))).toEqual([false, true, false]);
    const times = pictureTimes(path);
    expect(Math.max(...times.slice(1).map((time, i) => time - times[i]!))).toBeLessThan(50);
    await bench.ends.atLeast(3);
    expect(await readdir(join(bench.directory, 'work'))).toEqual([]);
  });

  it('fails without the file of a source, after a crash, and when the node leaves, and leaves no files', async () => {
    const bench = await openBench(noSource);
    const span = { startedAt: at(0), seconds: 2 };
    const reasonOf = async (begun: () => Promise<unknown>) => {
      const failed = bench.facts.next(({ type }) => type === 'recording.failed');
      await begun();
      const fact = await failed;
      return 'reason' in fact ? fact.reason : undefined;
    };
    const missing = request({ rec_gone: [span] });
    expect(await reasonOf(() => bench.recordings.render(missing))).toBe('source_ended');
    await bench.ends.atLeast(1);
    const left = join(workOf(bench, 'rec_left'), 'recording.json');
    await mkdir(workOf(bench, 'rec_left'), { recursive: true });
    await writeFile(left, JSON.stringify({ request: { recordingID: 'rec_left' }, parts: [], isRendered: true }));
    expect(await reasonOf(() => bench.recordings.recover())).toBe('node_lost');
    await bench.ends.atLeast(2);
    bench.recorder.render = (_task, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
    const spans = await record(bench, 'rec_one', [{ startMs: 0, color: 'red', hertz: 440 }]);
    await bench.recordings.render(request({ rec_one: spans! }));
    expect(await reasonOf(() => bench.recordings.leaveAll())).toBe('node_drained');
    await bench.recordings.render(request({ rec_one: spans! }));
    await bench.recordings.delete({ recordingID: 'rec_new' });
    expect(bench.recordings.isIdle).toBe(true);
    expect(await readdir(join(bench.directory, 'work'))).toEqual([]);
  });
});
