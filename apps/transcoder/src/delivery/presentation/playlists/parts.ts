/** Low-latency HLS (draft-pantos-hls-rfc8216bis): parts of segments, and the directives by which players wait for them. */
import { ServiceError } from '@rtms/contracts';

/** The beginning or the next stretch of a segment that an encoder still writes. */
export interface EncodedPart {
  bytes: Buffer;
  durationSeconds: number;
  /** Begins with a keyframe. */
  isIndependent: boolean;
  /** Of the beginning of its segment. */
  programDateTime: Date;
}

export interface ListedPart {
  uri: string;
  durationSeconds: number;
  isIndependent: boolean;
}

/** Usual length of a part: shorter parts cost more requests, longer ones more delay. */
const aimedPartSeconds = 0.4;
/** Pictures and AAC frames do not divide a part evenly. */
export const longestPartShare = 1.15;

/** Seconds of the parts that an encoder makes. A segment has a whole number of them. */
export function partSecondsOf(segmentSeconds: number): number {
  return segmentSeconds / Math.max(2, Math.round(segmentSeconds / aimedPartSeconds));
}

/** No part is longer. Constant, as the target duration is. */
export function partTargetOf(segmentSeconds: number): number {
  return Math.ceil(partSecondsOf(segmentSeconds) * longestPartShare * 1000) / 1000;
}

/** Parts that a playlist lists: those of the last three target durations (section 4.4.4.9). */
export const listedTargetDurations = 3;
/** Segments with parts in memory: usually those of the playlists, and some for players with an older playlist. */
const keptSegments = 8;

/** The parts of the last segments, in memory. `base` is the segment's file name without suffix. */
export class PartWindow {
  private readonly bases = new Map<string, Map<string, EncodedPart[]>>();

  /** `isListed`: whether playlists list the parts of a segment. */
  constructor(private readonly isListed: (base: string) => boolean) {}

  add(base: string, rendition: string, part: EncodedPart): void {
    const renditions = this.bases.get(base) ?? new Map<string, EncodedPart[]>();
    this.bases.set(base, renditions);
    renditions.set(rendition, [...(renditions.get(rendition) ?? []), part]);
    for (const oldest of this.bases.keys()) {
      if (this.bases.size <= keptSegments || this.isListed(oldest)) break;
      this.bases.delete(oldest);
    }
  }

  partsOf(base: string, rendition: string): readonly EncodedPart[] {
    return this.bases.get(base)?.get(rendition) ?? [];
  }

  /** `count`: list no more than these. */
  listed(base: string, rendition: string, count = Infinity): ListedPart[] {
    return this.partsOf(base, rendition)
      .slice(0, count)
      .map(({ durationSeconds, isIndependent }, index) => ({
        uri: partUri(base, index),
        durationSeconds,
        isIndependent,
      }));
  }

  /** Forgets parts that no playlist has listed. */
  truncate(base: string, count: number): void {
    const renditions = this.bases.get(base);
    for (const [name, parts] of renditions ?? []) renditions?.set(name, parts.slice(0, count));
  }

  /** `name` is `<rendition>/<part>`. */
  bytes(name: string): Buffer | undefined {
    const [, rendition = '', base = '', index] = partName.exec(name) ?? [];
    return this.partsOf(base, rendition)[Number(index)]?.bytes;
  }
}

const partName = /^([^/]+)\/([A-Za-z0-9]+-\d+)\.(\d{1,4})\.m4s$/;
const segmentFile = /^(.+?)c?\.m4s$/;

export function isPartName(name: string): boolean {
  return partName.test(name);
}

export function partUri(base: string, index: number): string {
  return `${base}.${index}.m4s`;
}

/** A segment that ends with the run of its encoder, before its time, has a name of its own. */
export function cutFileOf(base: string): string {
  return `${base}c.m4s`;
}

export function baseOf(file: string): string {
  return segmentFile.exec(file)?.[1] ?? file;
}

/** The playlist that a player waits for: the first with this segment, or with this part of it. */
export interface Awaited {
  msn: number;
  part?: number;
}

/** The end of a playlist: its last whole segment, with the number of its parts, and the parts of the next segment. */
export interface LiveEdge {
  msn: number;
  parts: number;
  openParts: number;
}

/** Whether a player waits for the playlist of a URL or query. */
export function isWaiting(url: string): boolean {
  return /(?:^|[?&])_HLS_msn=/.test(url);
}

/**
 * Returns undefined without a directive. Throws BAD_REQUEST for a malformed one (section 6.2.5.2). Reads the query as sent: a cache
 * with the directives in its key does not decode them either, and would keep the answer under the key of another playlist.
 */
export function parseAwaited(query: string): Awaited | undefined {
  if (!query.includes('_HLS_')) return undefined;
  const parameters = query.split('&');
  const msn = numberIn(parameters, '_HLS_msn', 15);
  const part = numberIn(parameters, '_HLS_part', 4);
  if (msn !== undefined) return { msn, ...(part !== undefined && { part }) };
  if (part !== undefined) throw new ServiceError('invalid_request', '_HLS_part needs _HLS_msn.');
  return undefined;
}

function numberIn(parameters: readonly string[], name: string, digits: number): number | undefined {
  const [parameter, ...more] = parameters.filter(each => each.split('=', 1)[0] === name);
  if (parameter === undefined) return undefined;
  const value = parameter.slice(name.length + 1);
  if (more.length === 0 && value.length <= digits && /^(?:0|[1-9]\d*)$/.test(value)) return Number(value);
  throw new ServiceError('invalid_request', `${name} must be one whole number of at most ${digits} digits.`);
}

/** Whether a playlist with this end answers the player. Throws BAD_REQUEST for a playlist too far ahead. */
export function isReached({ msn, part }: Awaited, edge: LiveEdge, partTargetSeconds: number): boolean {
  const last = edge.openParts > 0 ? edge.msn + 1 : edge.msn;
  if (msn > last + 2) throw new ServiceError('invalid_request', '_HLS_msn is more than two segments ahead.');
  if (part === undefined || msn < edge.msn) return msn <= edge.msn;
  // A part behind the last one of a segment is the first one of the next segment.
  if (msn === edge.msn) return part < edge.parts || edge.openParts > 0;
  const mostAhead = Math.ceil(3 / Math.min(1, partTargetSeconds));
  if (part > edge.openParts + mostAhead)
    throw new ServiceError('invalid_request', `_HLS_part is more than ${mostAhead} parts ahead.`);
  return msn === edge.msn + 1 && part < edge.openParts;
}
