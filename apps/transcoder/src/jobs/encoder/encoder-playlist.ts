export interface ListedSegment {
  uri: string;
  /** From 0. */
  index: number;
  durationSeconds: number;
}

/** The segments in a playlist that FFmpeg wrote: files named `<rendition>-<index>.m4s`. */
export function parseEncoderPlaylist(playlist: string): ListedSegment[] {
  const segments: ListedSegment[] = [];
  let durationSeconds = 0;
  for (const line of playlist.split('\n')) {
    const duration = /^#EXTINF:([0-9.]+)/.exec(line);
    if (duration) durationSeconds = Number(duration[1]);
    const [, uri, index] = /^([A-Za-z0-9]+-(\d+)\.m4s)\s*$/.exec(line) ?? [];
    if (uri !== undefined) segments.push({ uri, index: Number(index), durationSeconds });
  }
  return segments;
}
