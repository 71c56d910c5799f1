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
  /** Players may ask for playlists without the segments that end more than this before the last one. Absent: they may not. */
  canSkipUntilSeconds?: number;
}

/** EXT-X-MAP with fMP4 requires version 6, newer attributes of EXT-X-MEDIA require 7. */
export const playlistVersion = 7;

/** EXT-X-SKIP requires version 9. */
const deltaVersion = 9;

/**
 * Formats a media playlist (RFC 8216 section 4.3). `isDelta` replaces the older segments by EXT-X-SKIP, if the playlist allows it
 * and has such segments (draft-pantos-hls-rfc8216bis section 6.2.5.1).
 */
export function formatMediaPlaylist(playlist: MediaPlaylist, isDelta = false): string {
  const { segments, canSkipUntilSeconds } = playlist;
  const skipped = isDelta && canSkipUntilSeconds !== undefined ? countOlder(segments, canSkipUntilSeconds) : 0;
  const lines = [
    '#EXTM3U',
    `#EXT-X-VERSION:${skipped > 0 ? deltaVersion : playlistVersion}`,
    `#EXT-X-TARGETDURATION:${playlist.targetDurationSeconds}`,
  ];
  if (canSkipUntilSeconds !== undefined) {
    lines.push(`#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=${canSkipUntilSeconds.toFixed(1)}`);
  }
  lines.push(
    `#EXT-X-MEDIA-SEQUENCE:${playlist.mediaSequence}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${playlist.discontinuitySequence}`,
  );
  if (skipped > 0) lines.push(`#EXT-X-SKIP:SKIPPED-SEGMENTS=${skipped}`);
  let mapUri: string | undefined;
  for (const segment of skipped > 0 ? segments.slice(skipped) : segments) {
    if (segment.discontinuity) lines.push('#EXT-X-DISCONTINUITY');
    if (segment.mapUri !== mapUri) lines.push(`#EXT-X-MAP:URI="${segment.mapUri}"`);
    mapUri = segment.mapUri;
    lines.push(segmentLines(segment));
  }
  if (playlist.ended) lines.push('#EXT-X-ENDLIST');
  return `${lines.join('\n')}\n`;
}

/** The lines of segments that were formatted before: a window of hours has thousands. */
const formatted = new WeakMap<ListedSegment, string>();

function segmentLines(segment: ListedSegment): string {
  let lines = formatted.get(segment);
  if (lines === undefined) {
    const { programDateTime, durationSeconds, uri } = segment;
    lines = `#EXT-X-PROGRAM-DATE-TIME:${programDateTime.toISOString()}\n#EXTINF:${durationSeconds.toFixed(6)},\n${uri}`;
    formatted.set(segment, lines);
  }
  return lines;
}

/** Returns the number of segments that end more than `seconds` before the end of the last one. */
function countOlder(segments: readonly ListedSegment[], seconds: number): number {
  let count = segments.length;
  for (let after = 0; count > 0 && after <= seconds; count -= 1) after += segments[count - 1]!.durationSeconds;
  return count;
}

/** Whether a segment's rounded duration is at most the target duration (RFC 8216 section 4.3.3.1). */
export function fitsTargetDuration(durationSeconds: number, targetDurationSeconds: number): boolean {
  return Math.round(Number(durationSeconds.toFixed(6))) <= targetDurationSeconds;
}
