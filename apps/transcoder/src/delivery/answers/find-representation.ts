import { isWaiting } from '../presentation/playlists/parts.js';
import type { Presentation } from '../presentation/presentation.js';
import { segmentRepresentation, type PlaylistCache, type PlaylistName, type Representation } from './representation.js';
import { mayWait } from './waiting-readers.js';

const playlistName = 'index.m3u8';
/** The delivery directive of a player that wants only the newer segments of a playlist. */
const skipDirective = /(?:^|&)_HLS_skip=(?:YES|v2)(?:&|$)/;

/** A search for the name is faster than the expression, and queries with the data of players are long. */
function wantsDelta(query: string): boolean {
  return query.includes('_HLS_skip') && skipDirective.test(query);
}

/** Returns the playlist or segment at a file of a signed path; undefined if it does not exist. */
export async function findRepresentation(
  presentation: Presentation,
  playlists: PlaylistCache,
  file: string,
  query: string,
): Promise<Representation | undefined> {
  const asked = askedFile(presentation, file, query);
  if (asked?.playlist) return playlists.get(presentation, asked.playlist);
  const body = asked && (await presentation.segment(file));
  return body && segmentRepresentation(file, body, asked.kind);
}

/** Like `findRepresentation`, but only a file in memory for which the player need not wait. */
export function findInMemory(
  presentation: Presentation,
  playlists: PlaylistCache,
  file: string,
  query: string,
): Representation | undefined {
  if (presentation.isHandedOver || mayWait(presentation, file, query)) return undefined;
  const asked = askedFile(presentation, file, query);
  if (asked?.playlist) return playlists.getReady(presentation, asked.playlist);
  const body = asked && presentation.segmentInMemory(file);
  return body && segmentRepresentation(file, body, asked.kind);
}

type AskedFile = { playlist: PlaylistName } | { playlist?: undefined; kind: 'audio' | 'video' };

/** Returns undefined for a file that cannot exist. */
function askedFile(presentation: Presentation, file: string, query: string): AskedFile | undefined {
  const [rendition = '', name] = file.split('/');
  if (name === undefined) return file === playlistName ? { playlist: {} } : undefined;
  if (name === playlistName) {
    // After a hand-over a playlist answers at once, perhaps without what the player waits for.
    const isAwaited = presentation.live !== undefined && !presentation.isHandedOver && isWaiting(query);
    return { playlist: { rendition, isDelta: wantsDelta(query), isAwaited } };
  }
  const kind = presentation.kindOf(rendition);
  return kind && { kind };
}
