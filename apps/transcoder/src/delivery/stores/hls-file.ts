/**
 * The HLS presentation of a recording is one stored file, so that its parts always belong together: the media, then the playlist with the
 * byte ranges of the media, then the length of the playlist in 16 digits.
 */
const lengthBytes = 16;
/** The name of the media in the playlist. */
const mediaName = 'hls.mp4';

/** The end of the file, after the media. `written`: FFmpeg's playlist, which names the media `mediaFile`. */
export function hlsFileEnd(written: string, mediaFile: string): Buffer {
  const playlist = Buffer.from(written.replaceAll(mediaFile, mediaName));
  return Buffer.concat([playlist, Buffer.from(String(playlist.length).padStart(lengthBytes, '0'))]);
}

/** The range of the length in a stored file with `size` bytes. */
export function hlsLengthRange(size: number) {
  return { start: Math.max(0, size - lengthBytes), end: size - 1 };
}

/** The ranges of the parts. `length`: the bytes of `hlsLengthRange`. */
export function hlsParts(size: number, length: Buffer) {
  const end = size - lengthBytes;
  const start = end - Number(length.toString('latin1'));
  return { media: { start: 0, end: start - 1 }, playlist: { start, end: end - 1 } };
}

/** The playlist of a stored file. The media needs the token with which the playlist was fetched. */
export function hlsPlaylist(stored: Buffer, token: string): Buffer {
  return Buffer.from(stored.toString('utf8').replaceAll(mediaName, `${mediaName}?token=${token}`));
}
