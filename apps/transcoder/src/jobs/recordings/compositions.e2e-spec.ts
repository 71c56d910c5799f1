/** @weight 0.3 for 86 s */
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ComposedSource, CompositionStyle } from '@rtms/contracts';
import { EventLog, waitFor } from '@rtms/testing';
import {
  brightestAt,
  isHeard,
  pictureTimes,
  Pictures,
  samplesOf,
  soundOffsets,
  toneIn,
} from '../../../test/composed-file.js';
import {
  fileOf,
  fragmentsOf,
  probeRecording,
  recordingBenches,
  recordingRequest,
  waitForMedia,
  workOf,
  type RecordingBench,
} from '../../../test/recording-bench.js';
import { sfuNodeID } from '../../../test/broadcast-bench.js';
import { RtpSource } from '../../../test/rtp-source.js';
import type { RecordingNotes } from './recording-directory.js';

const openBench = recordingBenches();

const colors: Record<string, string> = { red: 'red', green: 'lime', blue: 'blue' };
const tones: Record<string, number> = { red: 440, green: 1000, blue: 2300 };

const coloured = ({ sourceID }: { sourceID: string }) =>
  new RtpSource({
    video: 'h264',
    size: '320x180',
    picture: `color=${colors[sourceID]}`,
    sound: `sine=frequency=${tones[sourceID]}:sample_rate=48000`,
  });

const style = (change: Partial<CompositionStyle> = {}): CompositionStyle => ({
  ...{ layout: 'grid', width: 640, height: 360, fit: 'contain', hasEmptyTiles: false, audio: 'all' },
  backgroundColor: '#202020',
  ...change,
});

const source = (sourceID: string, change: Partial<ComposedSource> = {}): ComposedSource => ({
  ...{ sourceID, view: 'camera', sfuNodeID, tracks: ['audio', 'video'], name: sourceID, isHost: false },
  ...change,
});

const request = (sources: ComposedSource[], change: Partial<CompositionStyle> = {}) => ({
  ...recordingRequest(),
  composition: { ...style(change), sources },
});

const recordingID = 'rec_1';

async function stop(bench: RecordingBench) {
  await bench.recordings.stop({ recordingID });
  const file = await bench.fact('recording.ready');
  return { file, path: fileOf(bench) };
}

/** The parts, when each has its length but the last. On a busy machine the length of a part is noted after the next part begins. */
const partsOf = (bench: RecordingBench): Promise<RecordingNotes['parts']> =>
  waitFor(
    async () => {
      const { parts } = JSON.parse(await readFile(join(workOf(bench), 'recording.json'), 'utf8')) as RecordingNotes;
      return parts.slice(0, -1).every(({ seconds }) => seconds !== undefined) ? parts : undefined;
    },
    { what: 'the lengths of the parts' },
  );

/** Seconds from the begin of the recording to the begin of a part. */
function beginOf(part: string, parts: RecordingNotes['parts']): number {
  const index = parts.findIndex(({ file }) => file === part);
  return parts.slice(0, index).reduce((sum, { seconds = NaN }) => sum + seconds, 0);
}

/** Notes each layout that begins. On a busy machine sources stall, so that more layouts begin than a test expects. */
function watchLayouts(bench: RecordingBench) {
  const layouts = new EventLog<{ shown: string; part: string }>();
  const compose = bench.recorder.compose.bind(bench.recorder);
  bench.recorder.compose = (scene, path, onExit) => {
    const names = scene.tiles.flatMap(({ name, picture }) => (picture ? [name] : []));
    layouts.add({ shown: names.join(), part: basename(path) });
    return compose(scene, path, onExit);
  };
  /** Resolves with the part of a layout after the first `from` ones that shows these sources and has so many seconds. */
  const becomes = (shown: string, from: number, seconds: number): Promise<string> =>
    waitFor(
      async () => {
        const candidates = layouts.all.slice(from).filter(layout => layout.shown === shown);
        for (const { part } of candidates) if ((await fragmentsOf(bench, part)) >= seconds) return part;
        return undefined;
      },
      { what: `a part of ${seconds} s that shows ${shown || 'nobody'}` },
    );
  return { layouts, becomes };
}

const left = { x: 40, y: 120, width: 240, height: 100 };
const right = { x: 360, y: 120, width: 240, height: 100 };
const whole = { x: 40, y: 40, width: 560, height: 280 };

function nameOf([red = 0, green = 0, blue = 0]: number[]): string {
  const bright = { red: red > 160, green: green > 160, blue: blue > 160 };
  const names = Object.entries(bright).flatMap(([name, is]) => (is ? [name] : []));
  return names.join() || 'dark';
}

/** Tells the colour of an area at a time. */
function seenIn(path: string) {
  const pictures = new Pictures(path);
  return (seconds: number, area: typeof left) => nameOf(pictures.colorAt(seconds, area));
}

describe('a composed recording', () => {
  it('shows two sources side by side, and both are heard', async () => {
    const bench = await openBench(coloured);
    const { becomes } = watchLayouts(bench);
    await bench.recordings.start(request([source('red'), source('green')]));
    const part = await becomes('red,green', 0, 4);
    const parts = await partsOf(bench);
    const begin = beginOf(part, parts);
    const { file, path } = await stop(bench);
    const seen = seenIn(path);
    expect(file).toMatchObject({ width: 640, height: 360, format: 'mp4' });
    const found = await probeRecording(bench);
    expect(found.video).toMatchObject({ codec_name: 'h264', r_frame_rate: '30/1' });
    expect(found.audio).toMatchObject({ codec_name: 'opus', channels: 2 });
    expect([seen(begin + 2, left), seen(begin + 2, right)]).toEqual(['red', 'green']);
    const samples = samplesOf(path);
    for (const tone of [440, 1000]) expect(isHeard(samples, tone)).toBe(true);
    expect(toneIn(samples, 2300, 1, 1)).toBeLessThan(0.01);
  });

  it('follows the room in parts that join without a gap', async () => {
    const bench = await openBench(coloured);
    const { becomes } = watchLayouts(bench);
    await bench.recordings.start(request([source('red')]));
    const alone = await becomes('red', 0, 2);
    await bench.recordings.compose({ recordingID, sources: [source('red'), source('green')] });
    const both = await becomes('red,green', 0, 2);
    await bench.recordings.compose({ recordingID, sources: [source('red'), source('green')] });
    await bench.recordings.compose({ recordingID, sources: [source('green'), source('blue', { view: 'screen' })] });
    const screen = await becomes('blue,green', 0, 2);
    const parts = await partsOf(bench);
    const { file, path } = await stop(bench);
    const seen = seenIn(path);
    const [begin = NaN, ...begins] = parts.map(({ startedAt = '' }) => Date.parse(startedAt));
    expect(begins.map(time => time - begin)).toEqual(
      parts.slice(1).map(part => Math.round(beginOf(part.file, parts) * 1000)),
    );
    const times = pictureTimes(path);
    const gaps = times.slice(1).map((time, i) => time - times[i]!);
    // No picture is missing or repeated. The first one of a part is 6.5 ms early, by the delay of the encoder of the sound.
    expect([Math.min(...gaps), Math.max(...gaps)]).toEqual([27, 40]);
    expect(gaps.filter(gap => gap < 33 || gap > 34).length).toBeLessThanOrEqual(2 * parts.length - 1);
    expect(Math.abs(file.durationSeconds - times.length / 30)).toBeLessThan(0.05);
    const [first, second, third] = [alone, both, screen].map(part => beginOf(part, parts)) as [number, number, number];
    expect(seen(first + 1, whole)).toBe('red');
    expect([seen(second + 1, left), seen(second + 1, right)]).toEqual(['red', 'green']);
    expect(seen(third + 1, left)).toBe('blue');
    expect(seen(third + 1, { x: 520, y: 150, width: 100, height: 60 })).toBe('green');
    const samples = samplesOf(path);
    expect(toneIn(samples, 2300, second, 0.5)).toBeLessThan(0.01);
    expect([isHeard(samples, 440, first, second), isHeard(samples, 440, second, third)]).toEqual([true, true]);
  });

  it('goes on when a source stalls, ends, and comes back', async () => {
    const bench = await openBench(coloured);
    const { layouts, becomes } = watchLayouts(bench);
    await bench.recordings.start(request([source('red'), source('green')]));
    await becomes('red,green', 0, 2);
    bench.sfu.isSilent = true;
    await bench.sfu.openFeeds.get('rec_1/green/camera')!.stop();
    // First the last picture stays, then the source leaves.
    await becomes('red', layouts.length, 2);
    bench.sfu.isSilent = false;
    const again = source('green', { trackIDs: ['trk_again'] });
    await bench.recordings.compose({ recordingID, sources: [source('red'), again] });
    await becomes('red,green', layouts.length, 2);
    const { file, path } = await stop(bench);
    const seen = seenIn(path);
    const shown: { tiles: string; at: number }[] = [];
    for (let at = 0.5; at < file.durationSeconds - 0.2; at += 0.5) {
      const tiles = [seen(at, left), seen(at, right)].join();
      if (shown.at(-1)?.tiles !== tiles) shown.push({ tiles, at });
    }
    const order = shown.map(({ tiles }) => tiles);
    // On a busy machine, red is alone at the beginning too.
    const first = order.indexOf('red,green');
    const alone = order.indexOf('red,red', first);
    const both = order.lastIndexOf('red,green');
    expect([first >= 0, alone > first, both > alone]).toEqual([true, true, true]);
    // The other source is heard before and afterwards.
    const [samples, stalled] = [samplesOf(path), shown[alone]!.at];
    expect([isHeard(samples, 440, 0, stalled), isHeard(samples, 440, stalled)]).toEqual([true, true]);
    expect(bench.facts.all.map(({ type }) => type)).not.toContain('recording.interrupted');
  });

  it('of sound alone has no picture', async () => {
    const bench = await openBench(coloured);
    const { composition, ...rest } = request([source('red'), source('green')], { hasEmptyTiles: true });
    await bench.recordings.start({ ...rest, tracks: ['audio'], composition });
    // Nothing waits for the sound of a source.
    await waitForMedia(bench, 'part-0.mp4', 5);
    const { file, path } = await stop(bench);
    const found = await probeRecording(bench);
    expect([found.video, file.width, found.audio?.['codec_name']]).toEqual([undefined, undefined, 'opus']);
    const samples = samplesOf(path);
    for (const tone of [440, 1000]) expect(isHeard(samples, tone)).toBe(true);
  });

  it('shows names as they are written, and an empty tile for a source without a picture', async () => {
    const bench = await openBench(coloured);
    const name = "%{pts}':[x];\n\\ drawtext=text=1,Ada";
    const sources = [source('red', { name }), source('blue', { tracks: ['audio'], name: 'Bob' })];
    const { becomes } = watchLayouts(bench);
    await bench.recordings.start(request(sources, { hasEmptyTiles: true, nameTagsColor: '#ffffff' }));
    const part = await becomes(name, 0, 2);
    const at = 1 + beginOf(part, await partsOf(bench));
    const { path } = await stop(bench);
    // Red and blue are dark: only the letters are bright.
    const [redTag, blueTag] = [
      { x: 0, y: 230, width: 320, height: 60 },
      { x: 400, y: 150, width: 160, height: 60 },
    ];
    for (const area of [redTag, blueTag]) expect(brightestAt(path, at, area)).toBeGreaterThan(180);
    expect(brightestAt(path, at, { ...redTag, y: 100 })).toBeLessThan(120);
    expect(isHeard(samplesOf(path), 2300)).toBe(true);
  });

  it('of an empty room is a background with silence, and shows who comes', async () => {
    const bench = await openBench(coloured);
    const { becomes } = watchLayouts(bench);
    await bench.recordings.start(request([], { width: 322, height: 182 }));
    await becomes('', 0, 2);
    await bench.recordings.compose({ recordingID, sources: [source('green', { isHost: true })] });
    const shown = await becomes('green', 0, 1);
    const parts = await partsOf(bench);
    const { file, path } = await stop(bench);
    const seen = seenIn(path);
    expect(file).toMatchObject({ width: 322, height: 182 });
    const area = { x: 20, y: 20, width: 280, height: 140 };
    expect([seen(1, area), seen(beginOf(shown, parts) + 0.5, area)]).toEqual(['dark', 'green']);
    expect(toneIn(samplesOf(path), 1000, 0.5, 0.5)).toBeLessThan(0.001);
  });

  it('covers its tiles, and leaves out pictures above the limit of the account', async () => {
    const bench = await openBench(({ sourceID }) =>
      sourceID === 'green'
        ? new RtpSource({ video: 'vp8', size: '640x360', picture: 'color=lime' })
        : coloured({ sourceID }),
    );
    const maxSource = { pixels: 320 * 180, pixelsPerSecond: 1e9 };
    const { becomes } = watchLayouts(bench);
    await bench.recordings.start({ ...request([source('red'), source('green')], { fit: 'cover' }), maxSource });
    const part = await becomes('red', 0, 2);
    const at = 1 + beginOf(part, await partsOf(bench));
    const { path } = await stop(bench);
    const seen = seenIn(path);
    const corner = { x: 0, y: 0, width: 60, height: 60 };
    expect([seen(at, corner), seen(at, right)]).toEqual(['red', 'red']);
  });

  it('begins another part when its FFmpeg dies, and continues', async () => {
    const bench = await openBench(coloured);
    const { layouts, becomes } = watchLayouts(bench);
    await bench.recordings.start(request([source('red')]));
    await becomes('red', 0, 4);
    const { length: before } = layouts;
    process.kill(bench.recordings.recorderPids().get(recordingID)!, 'SIGKILL');
    expect(await bench.fact('recording.interrupted')).toMatchObject({ reason: 'recorder_lost' });
    await becomes('red', before, 2);
    await bench.recordings.interrupt({ recordingID });
    expect(bench.recordings.inventory()).toEqual([{ recordingID, state: 'interrupted' }]);
    const { length: beforeReturn } = layouts;
    await bench.recordings.resume({ recordingID, sfuNodeID, onlyIf: 'interrupted' });
    await becomes('red', beforeReturn, 2);
    const { file, path } = await stop(bench);
    const seen = seenIn(path);
    expect(file.durationSeconds).toBeGreaterThan(5);
    expect(seen(file.durationSeconds - 0.5, whole)).toBe('red');
    expect(bench.sfu.openFeeds.size).toBe(0);
  });

  it('is completed by another node from its pieces', async () => {
    const bench = await openBench(coloured, true);
    const { becomes } = watchLayouts(bench);
    await bench.recordings.start(request([source('red')]));
    await becomes('red', 0, 2);
    await bench.recordings.compose({ recordingID, sources: [source('green')] });
    // The pieces of both parts are stored every 3 s.
    await becomes('green', 0, 7);
    const other = bench.open('other');
    await other.complete({ recordingID });
    const { durationSeconds } = await bench.fact('recording.ready');
    expect(durationSeconds).toBeGreaterThan(4);
    const seen = seenIn(fileOf(bench));
    // On a busy machine the first seconds show nobody yet.
    const shown = Array.from({ length: Math.floor(2 * durationSeconds) }, (_, index) => seen(index / 2, whole));
    expect(shown).toContain('red');
    expect(seen(durationSeconds - 0.5, whole)).toBe('green');
    await other.close();
  });

  it('keeps the sound of a source within 40 ms of its picture', async () => {
    const record = async () => {
      const bench = await openBench(({ sourceID }) =>
        sourceID === 'flash'
          ? new RtpSource({
              ...{ video: 'h264', size: '320x180', picture: 'color=black' },
              filters: "drawbox=color=white:t=fill:enable='lt(mod(t,1),0.1)'",
              sound: "aevalsrc='lt(mod(t,1),0.1)*sin(2*PI*1500*t)':s=48000",
            })
          : coloured({ sourceID }),
      );
      const { becomes } = watchLayouts(bench);
      await bench.recordings.start(request([source('flash', { isHost: true }), source('red')], { audio: 'host' }));
      await becomes('flash,red', 0, 6);
      const { path } = await stop(bench);
      const offsets = soundOffsets(path, left).map(Math.abs);
      // The median, because a busy machine delays single packets.
      const offset = offsets.sort((one, other) => one - other)[Math.floor(offsets.length / 2)];
      if (offset === undefined || offset > 40 || offsets.length < 3)
        throw new Error(`sound and picture are ${offset} ms apart, in ${offsets.length} flashes`);
      return true;
    };
    // On a busy machine much of the sound may be late, and is silence then.
    await waitFor(record, { timeoutMs: 180_000, what: 'a recording with sound and picture together' });
  });
});
