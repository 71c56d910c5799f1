import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Presentation } from './presentation/presentation.js';

/** A response body with its HTTP metadata. */
export interface Representation {
  body: Buffer;
  /** The compressed body, for playlists. */
  gzip?: Buffer;
  contentType: string;
  /** Strong ETag of the uncompressed body. */
  etag: string;
  cacheControl: string;
}

/** Caches may keep a playlist for half a segment duration, so that no player sees one older than a segment. */
function playlistRepresentation(text: string, segmentSeconds: number): Representation {
  const body = Buffer.from(text);
  return {
    body,
    gzip: gzipSync(body),
    contentType: 'application/vnd.apple.mpegurl',
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    cacheControl: `public, max-age=${Math.max(1, Math.floor(segmentSeconds / 2))}`,
  };
}

/** Segment names are unique, so the name is the ETag. */
export function segmentRepresentation(name: string, body: Buffer, kind: 'audio' | 'video'): Representation {
  return {
    body,
    contentType: name.endsWith('.mp4') ? `${kind}/mp4` : 'video/iso.segment',
    etag: `"${name}"`,
    cacheControl: 'public, max-age=31536000, immutable',
  };
}

interface CachedPlaylists {
  version: number;
  /** By rendition and prefix. */
  playlists: Map<string, Representation>;
}

/** Caches playlist responses per version of a presentation, so that players share them. */
export class PlaylistCache {
  private readonly cached = new WeakMap<Presentation, CachedPlaylists>();

  /** Without `renditionName` it returns the multivariant playlist, with `prefix` before each URI. */
  get(presentation: Presentation, renditionName: string | undefined, prefix = ''): Representation | undefined {
    const playlists = this.current(presentation);
    const key = `${prefix} ${renditionName ?? ''}`;
    const known = playlists.get(key);
    if (known) return known;
    const text =
      renditionName === undefined
        ? presentation.multivariantPlaylist(prefix)
        : presentation.mediaPlaylist(renditionName);
    if (text === undefined) return undefined;
    const made = playlistRepresentation(text, presentation.options.segmentSeconds);
    playlists.set(key, made);
    return made;
  }

  private current(presentation: Presentation): Map<string, Representation> {
    const known = this.cached.get(presentation);
    if (known?.version === presentation.version) return known.playlists;
    const playlists = new Map<string, Representation>();
    this.cached.set(presentation, { version: presentation.version, playlists });
    return playlists;
  }
}
