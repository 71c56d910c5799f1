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
}

/** EXT-X-MAP with fMP4 requires version 6, newer attributes of EXT-X-MEDIA require 7. */
export const playlistVersion = 7;

/** Formats a media playlist (RFC 8216 section 4.3). */
export function formatMediaPlaylist(playlist: MediaPlaylist): string {
  const lines = [
    '#EXTM3U',
    `#EXT-X-VERSION:${playlistVersion}`,
    `#EXT-X-TARGETDURATION:${playlist.targetDurationSeconds}`,
    `#EXT-X-MEDIA-SEQUENCE:${playlist.mediaSequence}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${playlist.discontinuitySequence}`,
    ...playlist.segments.flatMap((segment, index) => segmentLines(segment, playlist.segments[index - 1])),
  ];
  if (playlist.ended) lines.push('#EXT-X-ENDLIST');
  return `${lines.join('\n')}\n`;
}

function segmentLines(segment: ListedSegment, before: ListedSegment | undefined): string[] {
  const lines: string[] = [];
  if (segment.discontinuity) lines.push('#EXT-X-DISCONTINUITY');
  if (segment.mapUri !== before?.mapUri) lines.push(`#EXT-X-MAP:URI="${segment.mapUri}"`);
  lines.push(`#EXT-X-PROGRAM-DATE-TIME:${segment.programDateTime.toISOString()}`);
  lines.push(`#EXTINF:${segment.durationSeconds.toFixed(6)},`, segment.uri);
  return lines;
}

/** Whether a segment's rounded duration is at most the target duration (RFC 8216 section 4.3.3.1). */
export function fitsTargetDuration(durationSeconds: number, targetDurationSeconds: number): boolean {
  return Math.round(Number(durationSeconds.toFixed(6))) <= targetDurationSeconds;
}
