import type { CodecName } from '@rtms/contracts';
import {
  audioRenditionName,
  type Encoder,
  type EncoderListener,
  type EncoderRun,
  type EncodingPlan,
} from './encoder.js';
import { fakeAudioInit, fakeVideoInit } from './fake-init.js';

/** An encoder without a process: cuts the stream's time into segments of nothing. */
export class FakeEncoder implements Encoder {
  readonly runs: FakeEncoderRun[] = [];

  constructor(private readonly unsupported: readonly CodecName[] = []) {}

  isUsable(): Promise<boolean> {
    return Promise.resolve(true);
  }

  decodes(codec: CodecName): boolean {
    return !this.unsupported.includes(codec);
  }

  start(plan: EncodingPlan, listener: EncoderListener): Promise<FakeEncoderRun> {
    const run = new FakeEncoderRun(plan, listener);
    this.runs.push(run);
    return Promise.resolve(run);
  }
}

const clusterID = Buffer.from('1f43b675', 'hex');
const timestampID = 0xe7;
const simpleBlockID = 0xa3;

export class FakeEncoderRun implements EncoderRun {
  readonly pid = undefined;
  isClosed = false;
  private clusterMs = 0;
  private latestMs = 0;
  private segments = 0;

  constructor(
    readonly plan: EncodingPlan,
    private readonly listener: EncoderListener,
  ) {}

  /** Takes what `MatroskaMuxer` makes, one block a call; the picture's time alone counts. */
  write(data: Buffer): boolean {
    if (this.isClosed) return true;
    const timeMs = this.blockTime(data);
    if (timeMs === undefined) return true;
    this.latestMs = Math.max(this.latestMs, timeMs);
    const segmentMs = this.plan.segmentSeconds * 1000;
    while (this.latestMs >= (this.segments + 1) * segmentMs) this.cut(this.plan.segmentSeconds);
    return true;
  }

  finish(): Promise<void> {
    const rest = this.latestMs / 1000 - this.segments * this.plan.segmentSeconds;
    if (!this.isClosed && rest > 0) this.cut(rest);
    return this.close();
  }

  close(): Promise<void> {
    this.end(true, null);
    return Promise.resolve();
  }

  /** As when the process is killed. */
  die(): void {
    this.end(false, 'SIGKILL');
  }

  private end(expected: boolean, signal: string | null): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.listener.onExit({ expected, code: null, signal, lastLines: [] });
  }

  private cut(durationSeconds: number): void {
    for (const name of this.renditionNames()) {
      if (this.segments === 0) this.listener.onInit(name, name === audioRenditionName ? fakeAudioInit : fakeVideoInit);
      this.listener.onSegment(name, { bytes: Buffer.from(`${name} ${this.segments}`), durationSeconds });
    }
    this.segments += 1;
  }

  private renditionNames(): string[] {
    const names = this.plan.video.map(({ name }) => name);
    return this.plan.hasAudio ? [...names, audioRenditionName] : names;
  }

  private blockTime(data: Buffer): number | undefined {
    let offset = 0;
    if (data.subarray(0, 4).equals(clusterID)) {
      const length = data.readUInt8(13) & 0x7f;
      if (data[12] !== timestampID) return undefined;
      this.clusterMs = data.readUIntBE(14, length);
      offset = 14 + length;
    }
    if (data[offset] !== simpleBlockID) return undefined;
    // The size's own length is told by its leading zeros; then the track's number, then the time.
    const block = offset + 1 + Math.clz32(data.readUInt8(offset + 1)) - 24 + 1;
    return data[block] === 0x81 ? this.clusterMs + data.readInt16BE(block + 1) : undefined;
  }
}
