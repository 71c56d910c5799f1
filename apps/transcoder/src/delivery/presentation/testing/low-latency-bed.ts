import { systemClock } from '@rtms/clock';
import { MemorySegmentStore } from '../../testing/memory-segment-store.js';
import { Presentation } from '../presentation.js';
import type { RunRendition } from '../run-segments.js';
import { recordedVideo } from './recorded-media.js';

export const names = ['a', 'b'] as const;
export type Name = (typeof names)[number];
export const renditions = names.map((name): RunRendition => ({
  kind: 'video',
  name,
  width: 160,
  height: 90,
  frameRate: 30,
  bitrate: 1,
}));

/** Of a segment with a target duration of 2 s. */
const mostParts = 6;

/** A low-latency presentation whose encoder makes parts of two bytes each, all different. */
export class TestBroadcast {
  readonly store = new MemorySegmentStore();
  readonly presentation = new Presentation(
    'b',
    { segmentSeconds: 2, windowSegments: 6, isLow: true },
    this.store,
    systemClock,
  );
  private runs = 0;
  private bytes = 0;
  private open: Record<Name, number[]> = { a: [], b: [] };

  async begin(): Promise<void> {
    this.runs += 1;
    this.open = { a: [], b: [] };
    this.presentation.beginRun({ renditions, startsAt: new Date(1_800_000_000_000 + this.runs) });
    for (const name of names) await this.presentation.addInit(name, recordedVideo.init);
  }

  /** Adds a part, unless the segment would exceed the target duration. */
  part(name: Name): void {
    if (this.open[name].length === mostParts) return;
    const byte = (this.bytes += 1);
    const part = {
      bytes: Buffer.from([byte >> 8, byte]),
      durationSeconds: 0.4,
      isIndependent: !this.open[name].length,
    };
    this.open[name].push(byte);
    this.presentation.addPart(name, { ...part, programDateTime: new Date(0) });
  }

  /** Ends the open segment, unless it has no part. */
  async segment(name: Name): Promise<void> {
    const parts = this.open[name];
    if (parts.length === 0) return;
    this.open[name] = [];
    const bytes = Buffer.from(parts.flatMap(byte => [byte >> 8, byte]));
    const segment = { bytes, durationSeconds: parts.length * 0.4, programDateTime: new Date(0) };
    // The caller must replace the run.
    await this.presentation.addSegment(name, segment).catch(() => this.begin());
  }

  /** Both renditions get so many segments of five parts. */
  async segments(count: number): Promise<void> {
    for (let segment = 0; segment < count; segment += 1) {
      for (let part = 0; part < 5; part += 1) names.forEach(name => this.part(name));
      for (const name of names) await this.segment(name);
    }
  }

  playlist(name: Name = 'a'): string {
    return this.presentation.mediaPlaylist(name) ?? '';
  }
}

export interface Read {
  text: string;
  version: number;
  /** URI of each whole segment, by media sequence number. */
  segments: Map<number, string>;
  /** Its seconds. */
  seconds: Map<number, number>;
  /** URIs of the listed parts, by media sequence number. */
  parts: Map<number, string[]>;
  hint: string | undefined;
}

/** Reads a playlist. `version`: of the presentation then. */
export function read(text: string, version = 0): Read {
  const found: Read = { text, version, segments: new Map(), seconds: new Map(), parts: new Map(), hint: undefined };
  let msn = Number(/MEDIA-SEQUENCE:(\d+)/.exec(text)?.[1]);
  for (const [, part, hint, seconds, segment] of text.matchAll(lines)) {
    if (part) found.parts.set(msn, [...(found.parts.get(msn) ?? []), part]);
    if (hint) found.hint = hint;
    if (seconds) found.seconds.set(msn, Number(seconds));
    if (segment) found.segments.set(msn++, segment);
  }
  return found;
}

/** A part, a hint or a segment. */
const lines =
  /^(?:#EXT-X-PART:.*URI="([^"]+)".*|#EXT-X-PRELOAD-HINT:TYPE=PART,URI="([^"]+)"|#EXTINF:(.*),\n([^#\n].*))$/gm;
