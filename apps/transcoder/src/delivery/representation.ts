import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

/** What is answered for an address, with everything that HTTP says about it. */
export interface Representation {
  body: Buffer;
  /** The same, compressed; only for what gets smaller by it. */
  gzip?: Buffer;
  contentType: string;
  /** Strong; of the uncompressed form. */
  etag: string;
  cacheControl: string;
}

/** A playlist may be kept for half a segment: then no player sees one that is older than a segment by it. */
export function playlistRepresentation(text: string, segmentSeconds: number): Representation {
  const body = Buffer.from(text);
  return {
    body,
    gzip: gzipSync(body),
    contentType: 'application/vnd.apple.mpegurl',
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    cacheControl: `public, max-age=${Math.max(1, Math.floor(segmentSeconds / 2))}`,
  };
}

/** A name is given to one content only, so that it can stand for it. */
export function segmentRepresentation(name: string, body: Buffer, kind: 'audio' | 'video'): Representation {
  return {
    body,
    contentType: name.endsWith('.mp4') ? `${kind}/mp4` : 'video/iso.segment',
    etag: `"${name}"`,
    cacheControl: 'public, max-age=31536000, immutable',
  };
}
