import type { CodecName } from '@rtms/contracts';
import {
  audioRenditionName,
  type ComposedCapture,
  type Encoder,
  type EncoderListener,
  type EncoderRun,
  type EncodingPlan,
  type Scene,
} from '../encoder.js';

/** An encoder without a process: emits dummy segments for the time of the stream. */
export class FakeEncoder implements Encoder {
  readonly runs: FakeEncoderRun[] = [];
  /** Runs without input. A test calls `cut`. */
  readonly slates: FakeEncoderRun[] = [];

  constructor(private readonly unsupported: readonly CodecName[] = []) {}

  isUsable(): Promise<boolean> {
    return Promise.resolve(true);
  }

  decodes(codec: CodecName): boolean {
    return !this.unsupported.includes(codec);
  }

  start(plan: EncodingPlan, listener: EncoderListener): Promise<FakeEncoderRun> {
    const run = new FakeEncoderRun(plan, listener);
    (plan.input === 'slate' ? this.slates : this.runs).push(run);
    return Promise.resolve(run);
  }

  async compose(_scene: Scene, plan: EncodingPlan, listener: EncoderListener): Promise<ComposedCapture> {
    const run = await this.start(plan, listener);
    return Object.assign(run, { encodedMs: 0, queuedBytes: () => 0, endInput: () => undefined });
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

  /** Takes one block of `MatroskaMuxer` per call. Only video blocks move the time. */
  write(data: Buffer): boolean {
    if (this.isClosed) return true;
    const timeMs = this.blockTime(data);
    if (timeMs === undefined) return true;
    this.latestMs = Math.max(this.latestMs, timeMs);
    const segmentMs = this.plan.segmentSeconds * 1000;
    while (this.latestMs >= (this.segments + 1) * segmentMs) this.cut(this.plan.segmentSeconds);
    return true;
  }

  /** Seconds of video after the last segment. */
  get rest(): number {
    return this.latestMs / 1000 - this.segments * this.plan.segmentSeconds;
  }

  finish(): Promise<void> {
    if (!this.isClosed && this.rest > 0) this.cut(this.rest);
    return this.close();
  }

  close(): Promise<void> {
    this.end(true, null);
    return Promise.resolve();
  }

  /** Simulates a killed process. */
  die(): void {
    this.end(false, 'SIGKILL');
  }

  private end(expected: boolean, signal: string | null): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.listener.onExit({ expected, code: null, signal, lastLines: [] });
  }

  /** Emits a segment of each rendition, of one part. */
  cut(durationSeconds: number): void {
    for (const name of this.renditionNames()) {
      if (this.segments === 0) this.listener.onInit(name, name === audioRenditionName ? fakeAudioInit : fakeVideoInit);
      const segment = { bytes: Buffer.from(`${name} ${this.segments}`), durationSeconds };
      if (this.plan.partSeconds !== undefined) this.listener.onPart?.(name, { ...segment, isIndependent: true });
      this.listener.onSegment(name, segment);
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
    // The leading zeros give the length of the size field. The track number and the time follow.
    const block = offset + 1 + Math.clz32(data.readUInt8(offset + 1)) - 24 + 1;
    return data[block] === 0x81 ? this.clusterMs + data.readInt16BE(block + 1) : undefined;
  }
}

/** FFmpeg's init segment of a 720p H.264 High rendition. */
const fakeVideoInit = Buffer.from(
  [
    'AAAAHGZ0eXBpc282AAACAGlzbzZjbWZjbXA0MQAAAwBtb292AAAAbG12aGQAAAAAAAAAAAAAAAAAAAPoAAAAAAABAAABAAAAAAAA',
    'AAAAAAAAAQAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACAAACAnRy',
    'YWsAAABcdGtoZAAAAAMAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAEAAAAAAAAA',
    'AAAAAAAAAEAAAAAFAAAAAtAAAAAAAZ5tZGlhAAAAIG1kaGQAAAAAAAAAAAAAAAAAADwAAAAAAFXEAAAAAAAtaGRscgAAAAAAAAAA',
    'dmlkZQAAAAAAAAAAAAAAAFZpZGVvSGFuZGxlcgAAAAFJbWluZgAAABR2bWhkAAAAAQAAAAAAAAAAAAAAJGRpbmYAAAAcZHJlZgAA',
    'AAAAAAABAAAADHVybCAAAAABAAABCXN0YmwAAAC9c3RzZAAAAAAAAAABAAAArWF2YzEAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAF',
    'AALQAEgAAABIAAAAAAAAAAEVTGF2YzU5LjM3LjEwMCBsaWJ4MjY0AAAAAAAAAAAAAAAY//8AAAAzYXZjQwFkAB//4QAYZ2QAH6y0',
    'AoAt2AiAAAADAIAAAB4HjBlQAQAEaO88sP34+AAAAAAQcGFzcAAAAAEAAAABAAAAFGJ0cnQAAAAAACYloAAmJaAAAAAQc3R0cwAA',
    'AAAAAAAAAAAAEHN0c2MAAAAAAAAAAAAAABRzdHN6AAAAAAAAAAAAAAAAAAAAEHN0Y28AAAAAAAAAAAAAAChtdmV4AAAAIHRyZXgA',
    'AAAAAAAAAQAAAAEAAAAAAAAAAAAAAAAAAABidWR0YQAAAFptZXRhAAAAAAAAACFoZGxyAAAAAAAAAABtZGlyYXBwbAAAAAAAAAAA',
    'AAAAAC1pbHN0AAAAJal0b28AAAAdZGF0YQAAAAEAAAAATGF2ZjU5LjI3LjEwMA==',
  ].join(''),
  'base64',
);

/** FFmpeg's init segment of an AAC-LC rendition. */
const fakeAudioInit = Buffer.from(
  [
    'AAAAHGZ0eXBpc282AAACAGlzbzZjbWZjbXA0MQAAAr1tb292AAAAbG12aGQAAAAAAAAAAAAAAAAAAAPoAAAAAAABAAABAAAAAAAA',
    'AAAAAAAAAQAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACAAABv3Ry',
    'YWsAAABcdGtoZAAAAAMAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAQEAAAAAAQAAAAAAAAAAAAAAAAAAAAEAAAAAAAAA',
    'AAAAAAAAAEAAAAAAAAAAAAAAAAAAAVttZGlhAAAAIG1kaGQAAAAAAAAAAAAAAAAAALuAAAAAAFXEAAAAAAAtaGRscgAAAAAAAAAA',
    'c291bgAAAAAAAAAAAAAAAFNvdW5kSGFuZGxlcgAAAAEGbWluZgAAABBzbWhkAAAAAAAAAAAAAAAkZGluZgAAABxkcmVmAAAAAAAA',
    'AAEAAAAMdXJsIAAAAAEAAADKc3RibAAAAH5zdHNkAAAAAAAAAAEAAABubXA0YQAAAAAAAAABAAAAAAAAAAAAAgAQAAAAALuAAAAA',
    'AAA2ZXNkcwAAAAADgICAJQABAASAgIAXQBUAAAAAAfQAAAH0AAWAgIAFEZBW5QAGgICAAQIAAAAUYnRydAAAAAAAAfQAAAH0AAAA',
    'ABBzdHRzAAAAAAAAAAAAAAAQc3RzYwAAAAAAAAAAAAAAFHN0c3oAAAAAAAAAAAAAAAAAAAAQc3RjbwAAAAAAAAAAAAAAKG12ZXgA',
    'AAAgdHJleAAAAAAAAAABAAAAAQAAAAAAAAAAAAAAAAAAAGJ1ZHRhAAAAWm1ldGEAAAAAAAAAIWhkbHIAAAAAAAAAAG1kaXJhcHBs',
    'AAAAAAAAAAAAAAAALWlsc3QAAAAlqXRvbwAAAB1kYXRhAAAAAQAAAABMYXZmNTkuMjcuMTAw',
  ].join(''),
  'base64',
);
