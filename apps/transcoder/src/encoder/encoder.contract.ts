import { EventLog } from '@rtms/testing';
import { encodeIvf } from '../../test/ivf.js';
import { MatroskaMuxer } from './matroska/matroska.js';
import { silentFrameMs, silentOpusFrame } from './matroska/stream-writer.js';
import type { Encoder, EncoderExit, EncoderRun, EncodingPlan, FinishedSegment } from './encoder.js';

export interface EncoderUnderTest {
  encoder: Encoder;
  /** Ends the run's encoder as a crash would. */
  crash(run: EncoderRun): void;
  /** Files that runs have left. */
  leftovers(): Promise<string[]>;
}

const frameRate = 25;
const size = { width: 320, height: 180 };

export const plan: EncodingPlan = {
  broadcastID: 'bcast_1',
  segmentSeconds: 1,
  frameRate: { numerator: frameRate, denominator: 1 },
  video: [
    { name: '180p', width: 320, height: 180, bitrate: 300_000 },
    { name: '90p', width: 160, height: 90, bitrate: 100_000 },
  ],
  hasAudio: true,
};

/** Three seconds of VP8 with silence, block by block. */
export function matroskaStream(): Buffer[] {
  const encoder = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8'];
  const frames = encodeIvf({ encoder, size: '320x180', frameRate, seconds: 3 });
  const muxer = new MatroskaMuxer({ codec: 'vp8', size }, { channels: 2 });
  const blocks = [muxer.header()];
  let audioMs = 0;
  frames.forEach(({ data }, i) => {
    const timeMs = (i * 1000) / frameRate;
    blocks.push(muxer.block({ kind: 'video', timeMs, keyframe: (data[0]! & 1) === 0, data }));
    for (; audioMs <= timeMs; audioMs += silentFrameMs) {
      blocks.push(muxer.block({ kind: 'audio', timeMs: audioMs, keyframe: true, data: silentOpusFrame }));
    }
  });
  return blocks;
}

class Recorder {
  readonly inits = new Map<string, Buffer>();
  readonly segments = new Map<string, FinishedSegment[]>();
  /** The rendition of each segment. */
  readonly arrivals = new EventLog<string>();
  readonly exits = new EventLog<EncoderExit>();
  readonly orderFaults: string[] = [];

  onInit = (name: string, bytes: Buffer) => {
    if (this.segments.has(name)) this.orderFaults.push(`${name}: init after a segment`);
    this.inits.set(name, bytes);
  };

  onSegment = (name: string, segment: FinishedSegment) => {
    if (!this.inits.has(name)) this.orderFaults.push(`${name}: segment before the init`);
    if (this.exits.length > 0) this.orderFaults.push(`${name}: segment after the exit`);
    this.segments.set(name, [...(this.segments.get(name) ?? []), segment]);
    this.arrivals.add(name);
  };

  onExit = (exit: EncoderExit) => {
    this.exits.add(exit);
  };

  /** Resolves once each of these renditions has a segment. */
  async hasAll(names: string[]): Promise<void> {
    await Promise.all(names.map(name => this.arrivals.find(each => each === name)));
  }
}

/** Tests of every encoder. `open` is called once. */
export function describeEncoder(name: string, open: () => Promise<EncoderUnderTest>): void {
  describe(name, () => {
    const names = ['180p', '90p', 'audio'];
    let subject: EncoderUnderTest;
    let stream: Buffer[];

    beforeAll(async () => {
      subject = await open();
      stream = matroskaStream();
    });

    it('makes segments of the same lengths for every rendition, each behind its init segment', async () => {
      const recorder = new Recorder();
      const run = await subject.encoder.start(plan, recorder);
      for (const block of stream) run.write(block);
      // `finish` gives the queued input only seconds, and FFmpeg may need them to start on a busy machine.
      await recorder.hasAll(names);
      await run.finish();
      expect([...recorder.inits.keys()].sort()).toEqual(names);
      for (const rendition of names) {
        const durations = recorder.segments.get(rendition)!.map(({ durationSeconds }) => durationSeconds);
        expect(durations.slice(0, 2).map(duration => Math.round(duration * 10) / 10)).toEqual([1, 1]);
      }
      expect(recorder.orderFaults).toEqual([]);
      expect(recorder.exits.all).toEqual([expect.objectContaining({ expected: true })]);
    });

    it('reports a segment before the stream ends', async () => {
      const recorder = new Recorder();
      const run = await subject.encoder.start(plan, recorder);
      for (const block of stream) run.write(block);
      await recorder.hasAll(names);
      expect(recorder.exits.all).toEqual([]);
      await run.close();
    });

    it('reports an unexpected exit', async () => {
      const recorder = new Recorder();
      const run = await subject.encoder.start(plan, recorder);
      for (const block of stream.slice(0, 10)) run.write(block);
      subject.crash(run);
      const [exit] = await recorder.exits.atLeast(1);
      expect(exit).toMatchObject({ expected: false, signal: 'SIGKILL' });
      await run.close();
    });

    it('ignores input after its end, and leaves nothing behind when closed twice', async () => {
      const recorder = new Recorder();
      const run = await subject.encoder.start(plan, recorder);
      run.write(stream[0]!);
      await Promise.all([run.close(), run.close()]);
      expect(run.write(stream[1]!)).toBe(true);
      await run.finish();
      expect(recorder.exits.all).toHaveLength(1);
      expect(await subject.leftovers()).toEqual([]);
    });

    it('names the codecs that it can decode', () => {
      const codecs = (['h264', 'vp8', 'vp9', 'av1', 'opus'] as const).filter(codec => subject.encoder.decodes(codec));
      expect(codecs).toEqual(['h264', 'vp8', 'vp9', 'av1', 'opus']);
    });
  });
}
