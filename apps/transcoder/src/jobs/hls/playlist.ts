/** One segment as a media playlist lists it; addresses are relative to the playlist. */
export interface ListedSegment {
  uri: string;
  durationSeconds: number;
  programDateTime: Date;
  /** The init segment that it is decoded with. */
  mapUri: string;
  /** The media before it does not go on in it. */
  discontinuity: boolean;
}

export interface MediaPlaylist {
  /** Whole seconds, the same for as long as the playlist lives (RFC 8216 section 6.2.1). */
  targetDurationSeconds: number;
  /** How many segments were removed from the front. */
  mediaSequence: number;
  /** How many discontinuities were removed with them. */
  discontinuitySequence: number;
  segments: readonly ListedSegment[];
  /** Nothing will be added any more. */
  ended: boolean;
}

/** fMP4 in media playlists with EXT-X-MAP needs version 6, and 7 with EXT-X-MEDIA's newer attributes. */
export const playlistVersion = 7;

/** The text of a media playlist (RFC 8216 section 4.3). */
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

/** A segment may be listed while its duration, rounded, is at most the target (RFC 8216 section 4.3.3.1). */
export function fitsTargetDuration(durationSeconds: number, targetDurationSeconds: number): boolean {
  return Math.round(Number(durationSeconds.toFixed(6))) <= targetDurationSeconds;
}
