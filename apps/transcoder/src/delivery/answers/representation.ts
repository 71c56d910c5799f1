import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import type { Presentation } from '../presentation/presentation.js';

/** A response body with its HTTP metadata. */
export interface Representation {
  body: Buffer;
  /** The compressed body, for playlists. */
  gzip?: Buffer;
  contentType: string;
  /** Strong ETag of the uncompressed body. */
  etag: string;
  cacheControl: string;
  /** The headers of the response that sent the whole form, to send them again. */
  sentHeaders: { identity?: readonly string[]; gzip?: readonly string[] };
}

const compress = promisify(gzip);
/** A playlist of four hours gets as small as at the default level, in a tenth of the time. */
const level = constants.Z_BEST_SPEED;

async function playlistRepresentation(text: string, maxAgeSeconds: number): Promise<Representation> {
  const body = Buffer.from(text);
  return {
    body,
    gzip: await compress(body, { level }),
    contentType: 'application/vnd.apple.mpegurl',
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    sentHeaders: {},
    cacheControl: `public, max-age=${maxAgeSeconds}`,
  };
}

/** By content, because the store shares the bytes of a segment in memory. */
const segments = new WeakMap<Buffer, Representation>();

/** Segment names are unique, so the name is the ETag. */
export function segmentRepresentation(name: string, body: Buffer, kind: 'audio' | 'video'): Representation {
  const etag = `"${name}"`;
  const known = segments.get(body);
  if (known?.etag === etag) return known;
  const made = {
    body,
    sentHeaders: {},
    contentType: name.endsWith('.mp4') ? `${kind}/mp4` : 'video/iso.segment',
    etag,
    cacheControl: 'public, max-age=31536000, immutable',
  };
  segments.set(body, made);
  return made;
}

/** A playlist of a presentation. Players that have an earlier one may ask for a delta. */
export interface PlaylistName {
  /** undefined: the multivariant playlist. */
  rendition?: string;
  isDelta?: boolean;
  /** A player waits for this playlist by its number, so that caches may keep the answer for longer. */
  isAwaited?: boolean;
  /** Precedes each URI of the multivariant playlist. */
  prefix?: string;
}

interface CachedPlaylists {
  version: number;
  playlists: Map<string, Promise<Representation>>;
  ready: Map<string, Representation>;
}

/** Renders and compresses each playlist once per version of a presentation, so that players share the responses. */
@Injectable()
export class PlaylistCache {
  private readonly cached = new WeakMap<Presentation, CachedPlaylists>();

  /** Returns undefined for an unknown rendition, or before the first segment. */
  get(presentation: Presentation, name: PlaylistName): Promise<Representation> | undefined {
    const { playlists, ready } = this.current(presentation);
    const key = keyOf(name);
    const known = playlists.get(key);
    if (known) return known;
    const text = playlistText(presentation, name);
    if (text === undefined) return undefined;
    const made = playlistRepresentation(text, maxAgeOf(presentation, name));
    playlists.set(key, made);
    void made.then(
      representation => ready.set(key, representation),
      () => playlists.delete(key),
    );
    return made;
  }

  /** Returns a playlist that is rendered already. */
  getReady(presentation: Presentation, name: PlaylistName): Representation | undefined {
    return this.current(presentation).ready.get(keyOf(name));
  }

  private current(presentation: Presentation): CachedPlaylists {
    const known = this.cached.get(presentation);
    if (known?.version === presentation.version) return known;
    const made = { version: presentation.version, playlists: new Map(), ready: new Map() };
    this.cached.set(presentation, made);
    return made;
  }
}

function keyOf({ rendition = '', isDelta = false, isAwaited = false, prefix = '' }: PlaylistName): string {
  return `${prefix} ${rendition} ${isDelta} ${isAwaited}`;
}

/** Target durations for which caches may keep an awaited playlist (draft-pantos-hls-rfc8216bis section 6.2.5.2). */
const awaitedTargetDurations = 6;

/** Otherwise half a segment duration, so that no player sees a playlist older than a segment. */
function maxAgeOf({ options, targetDurationSeconds }: Presentation, { isAwaited }: PlaylistName): number {
  if (isAwaited) return awaitedTargetDurations * targetDurationSeconds;
  return Math.max(1, Math.floor(options.segmentSeconds / 2));
}

function playlistText(presentation: Presentation, { rendition, isDelta, prefix }: PlaylistName): string | undefined {
  if (rendition === undefined) return presentation.multivariantPlaylist(prefix);
  return presentation.mediaPlaylist(rendition, isDelta);
}
