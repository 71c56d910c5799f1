import { listedTargetDurations, type ListedPart } from './parts.js';

/** A segment of a media playlist. URIs are relative to the playlist. */
export interface ListedSegment {
  uri: string;
  durationSeconds: number;
  programDateTime: Date;
  /** URI of its init segment. */
  mapUri: string;
  /** The segment does not continue the one before. */
  discontinuity: boolean;
}

export interface MediaPlaylist {
  /** Whole seconds; must never change (RFC 8216 section 6.2.1). */
  targetDurationSeconds: number;
  /** Number of segments removed from the front. */
  mediaSequence: number;
  /** Number of discontinuities removed with them. */
  discontinuitySequence: number;
  segments: readonly ListedSegment[];
  /** No segment will be added. */
  ended: boolean;
  /** Players whose playlist is younger than half of this may ask for a delta update. Absent: they may not. */
  canSkipUntilSeconds?: number;
  /** Of low-latency HLS. Absent: the playlist has no parts. */
  low?: LowLatency;
}

/** The additions of draft-pantos-hls-rfc8216bis to a live playlist. */
export interface LowLatency {
  /** Whole ms. */
  partTargetSeconds: number;
  /** Viewers can seek back further than the window. */
  isDvr: boolean;
  partsOf(segment: ListedSegment): readonly ListedPart[];
  /** The segment that the encoder writes now, and its parts. Absent after the end. */
  open?: { segment: ListedSegment; parts: readonly ListedPart[]; hint: string } | undefined;
  /** The ends of the other renditions. */
  reports: readonly { uri: string; msn: number; part: number }[];
}

/** EXT-X-MAP with fMP4 requires version 6, newer attributes of EXT-X-MEDIA require 7. */
export const playlistVersion = 7;

/** EXT-X-SKIP requires version 9. */
const deltaVersion = 9;

/** Target durations before the live end that a delta update must contain (draft-pantos-hls-rfc8216bis section 4.4.3.8). */
export const deltaTargetDurations = 6;

/**
 * Share of `canSkipUntilSeconds` that a delta update lists. Twice as much as necessary, because hls.js counts discontinuities wrongly
 * when a delta update has no segment of its earlier playlist.
 */
const listedShare = 2;

/**
 * Formats a media playlist (RFC 8216 section 4.3). `isDelta` replaces the older segments by EXT-X-SKIP, if the playlist allows it
 * and has such segments (draft-pantos-hls-rfc8216bis section 6.2.5.1).
 */
export function formatMediaPlaylist(playlist: MediaPlaylist, isDelta = false): string {
  const { segments, canSkipUntilSeconds } = playlist;
  const skipped =
    isDelta && canSkipUntilSeconds !== undefined ? countOlder(segments, listedShare * canSkipUntilSeconds) : 0;
  const listed = segments.slice(skipped);
  const { low } = playlist;
  const areDated = low ? !low.isDvr : canSkipUntilSeconds === undefined;
  const lines = [...headLines(playlist, skipped), ...listedLines(listed, areDated, partsIn(playlist))];
  if (low?.open && !playlist.ended) lines.push(...openLines(low, low.open, listed.at(-1)));
  if (playlist.ended) lines.push('#EXT-X-ENDLIST');
  return `${lines.join('\n')}\n`;
}

function headLines(playlist: MediaPlaylist, skipped: number): string[] {
  const { targetDurationSeconds, canSkipUntilSeconds, mediaSequence, discontinuitySequence } = playlist;
  const { low } = playlist;
  const blocking = low ? `CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=${(3 * low.partTargetSeconds).toFixed(3)},` : '';
  const control = `#EXT-X-SERVER-CONTROL:${blocking}CAN-SKIP-UNTIL=${canSkipUntilSeconds?.toFixed(1)}`;
  return [
    '#EXTM3U',
    `#EXT-X-VERSION:${skipped > 0 ? deltaVersion : playlistVersion}`,
    `#EXT-X-TARGETDURATION:${targetDurationSeconds}`,
    ...(canSkipUntilSeconds === undefined ? [] : [control]),
    ...(low ? [`#EXT-X-PART-INF:PART-TARGET=${low.partTargetSeconds.toFixed(3)}`] : []),
    `#EXT-X-MEDIA-SEQUENCE:${mediaSequence}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${discontinuitySequence}`,
    ...(skipped > 0 ? [`#EXT-X-SKIP:SKIPPED-SEGMENTS=${skipped}`] : []),
  ];
}

/** `areDated`: each segment has its date. Dates of all segments of four hours make a compressed playlist three times as large. */
function listedLines(
  segments: readonly ListedSegment[],
  areDated: boolean,
  parts: ReadonlyMap<ListedSegment, readonly ListedPart[]>,
): string[] {
  const lines: string[] = [];
  let before: ListedSegment | undefined;
  for (const segment of segments) {
    if (segment.discontinuity) lines.push('#EXT-X-DISCONTINUITY');
    if (segment.mapUri !== before?.mapUri) lines.push(`#EXT-X-MAP:URI="${segment.mapUri}"`);
    if (areDated || segment.discontinuity || !before) lines.push(dateLine(segment));
    for (const part of parts.get(segment) ?? []) lines.push(partLine(part));
    lines.push(segmentLines(segment));
    before = segment;
  }
  return lines;
}

const withoutParts: ReadonlyMap<ListedSegment, readonly ListedPart[]> = new Map();

/** The parts of the last segments, which a player near the live end needs. */
function partsIn({ low, segments, targetDurationSeconds, ended }: MediaPlaylist) {
  if (!low || ended) return withoutParts;
  const first = countOlder(segments, listedTargetDurations * targetDurationSeconds);
  return new Map(segments.slice(first).map(segment => [segment, low.partsOf(segment)]));
}

function openLines(
  { reports }: LowLatency,
  { segment, parts, hint }: NonNullable<LowLatency['open']>,
  before: ListedSegment | undefined,
): string[] {
  const begins = parts.length > 0;
  return [
    ...(begins && segment.discontinuity ? ['#EXT-X-DISCONTINUITY'] : []),
    ...(begins && segment.mapUri !== before?.mapUri ? [`#EXT-X-MAP:URI="${segment.mapUri}"`] : []),
    ...(begins ? [dateLine(segment), ...parts.map(partLine)] : []),
    `#EXT-X-PRELOAD-HINT:TYPE=PART,URI="${hint}"`,
    ...reports.map(
      ({ uri, msn, part }) =>
        `#EXT-X-RENDITION-REPORT:URI="${uri}",LAST-MSN=${msn}${part < 0 ? '' : `,LAST-PART=${part}`}`,
    ),
  ];
}

function partLine({ uri, durationSeconds, isIndependent }: ListedPart): string {
  return `#EXT-X-PART:DURATION=${durationSeconds.toFixed(6)},URI="${uri}"${isIndependent ? ',INDEPENDENT=YES' : ''}`;
}

function dateLine({ programDateTime }: ListedSegment): string {
  return `#EXT-X-PROGRAM-DATE-TIME:${programDateTime.toISOString()}`;
}

/** The lines of segments that were formatted before: a window of hours has thousands. */
const formatted = new WeakMap<ListedSegment, string>();

function segmentLines(segment: ListedSegment): string {
  let lines = formatted.get(segment);
  if (lines === undefined) {
    lines = `#EXTINF:${segment.durationSeconds.toFixed(6)},\n${segment.uri}`;
    formatted.set(segment, lines);
  }
  return lines;
}

/** Returns the number of segments that end more than `seconds` before the end of the last one. */
function countOlder(segments: readonly ListedSegment[], seconds: number): number {
  let after = 0;
  return Math.max(
    0,
    segments.findLastIndex(({ durationSeconds }) => (after += durationSeconds) > seconds),
  );
}

/** Whether a segment's rounded duration is at most the target duration (RFC 8216 section 4.3.3.1). */
export function fitsTargetDuration(durationSeconds: number, targetDurationSeconds: number): boolean {
  return Math.round(Number(durationSeconds.toFixed(6))) <= targetDurationSeconds;
}
