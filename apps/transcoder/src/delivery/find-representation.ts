import type { Presentation } from '../jobs/hls/presentation.js';
import type { PlaylistCache } from './playlist-cache.js';
import { segmentRepresentation, type Representation } from './representation.js';

const playlistName = 'index.m3u8';

/** What a presentation has under a file of its signed path. */
export async function findRepresentation(
  presentation: Presentation,
  playlists: PlaylistCache,
  file: string,
): Promise<Representation | undefined> {
  const [renditionName = '', name] = file.split('/');
  if (name === undefined) return file === playlistName ? playlists.get(presentation, undefined) : undefined;
  if (name === playlistName) return playlists.get(presentation, renditionName);
  const kind = presentation.kindOf(renditionName);
  const body = kind && (await presentation.segment(file));
  return body && segmentRepresentation(file, body, kind);
}
