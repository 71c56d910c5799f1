import type { Presentation } from '../jobs/hls/presentation.js';
import { playlistRepresentation, type Representation } from './representation.js';

interface CachedPlaylists {
  version: number;
  /** By file and prefix. */
  playlists: Map<string, Representation>;
}

/** Playlists as they are sent, made once for each change of a presentation and not for each player. */
export class PlaylistCache {
  private readonly cached = new WeakMap<Presentation, CachedPlaylists>();

  /** `renditionName` undefined: the multivariant playlist, its addresses with `prefix` before them. */
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
