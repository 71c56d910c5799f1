import {
  mostComposedSources,
  type ComposedRoom,
  type ComposedSource,
  type MediaKind,
  type RoomTrack,
} from '@rtms/contracts';
import type { RoomComposition } from '../resources/composition-of.js';

/** A member or an active external session that publishes in a room. */
export interface RoomSource {
  /** The ID on the media node: of the member, or of the session. */
  sourceID: string;
  kind: 'member' | 'externalSession';
  sfuNodeID: string;
  name: string;
  isHost: boolean;
  joinedAt: Date;
  tracks: readonly Pick<RoomTrack, 'trackID' | 'kind' | 'source' | 'state'>[];
}

/** The parts of a recording or broadcast that decide about its sources. */
export interface ComposedJob {
  meetingID: string;
  /** The kinds of the output. */
  tracks: MediaKind[];
  composition: RoomComposition;
  /** The room as it was sent last; null: not yet. */
  composed: ComposedRoom | null;
}

/** Characters of a name tag. */
const longestName = 64;

/** Decides which sources of a room a composition has now, and who speaks. */
export function composeRoom(
  present: readonly RoomSource[],
  { tracks, composition }: Pick<ComposedJob, 'tracks' | 'composition'>,
  speakerID: string | undefined,
): ComposedRoom {
  const joined = present.toSorted(byTime).flatMap(viewsOf);
  const isShown = shownBy(composition, joined);
  const sources = joined.flatMap(view => {
    // A screen that is not shown is not heard, but members are heard while their cameras are not shown.
    if (!isShown(view) && view.view === 'screen') return [];
    const taken = view.tracks.filter(({ kind }) => tracks.includes(kind) && (kind === 'audio' || isShown(view)));
    return taken.length === 0 ? [] : [{ ...view, tracks: taken }];
  });
  const chosen = mostImportant(sources, speakerID).map(toComposed);
  const isThere = chosen.some(({ sourceID }) => sourceID === speakerID);
  return { sources: chosen, ...(speakerID !== undefined && isThere && { speakerID }) };
}

export function isSameRoom(one: ComposedRoom | null, other: ComposedRoom): boolean {
  return one !== null && keyOf(one) === keyOf(other);
}

interface View extends Omit<ComposedSource, 'tracks' | 'trackIDs'> {
  /** At most one of each kind. */
  tracks: RoomSource['tracks'];
  isSession: boolean;
  isHeard: boolean;
}

function byTime(one: RoomSource, other: RoomSource): number {
  return one.joinedAt.getTime() - other.joinedAt.getTime() || (one.sourceID < other.sourceID ? -1 : 1);
}

function viewsOf(source: RoomSource): View[] {
  const isScreen = ({ source: of }: RoomSource['tracks'][number]) => of === 'screen' || of === 'screenAudio';
  const { sourceID, sfuNodeID, isHost, name } = source;
  const common = { sourceID, sfuNodeID, isHost, name: [...name].slice(0, longestName).join('') };
  const views = [
    { view: 'camera' as const, tracks: source.tracks.filter(track => !isScreen(track)) },
    { view: 'screen' as const, tracks: source.tracks.filter(isScreen) },
  ];
  return views.flatMap(({ view, tracks }) => {
    const usable = usableOf(tracks);
    const isHeard = tracks.some(({ kind, state }) => kind === 'audio' && state === 'live');
    const isSession = source.kind === 'externalSession';
    return usable.length === 0 ? [] : [{ ...common, view, tracks: usable, isSession, isHeard }];
  });
}

/** Whether the picture of a view is in the composition. */
function shownBy({ shows }: RoomComposition, views: readonly View[]): (view: View) => boolean {
  const isMedia = ({ view, isSession }: View): boolean => view === 'screen' || isSession;
  switch (shows) {
    case 'all':
      return () => true;
    case 'video':
      return ({ view }) => view === 'camera';
    case 'media':
      return views.some(view => isMedia(view) && hasPicture(view)) ? isMedia : () => true;
    default:
      return shows satisfies never;
  }
}

/** A paused picture is none. Paused audio stays, because members unmute at any time. */
function usableOf(tracks: RoomSource['tracks']): RoomSource['tracks'] {
  const video = tracks.find(({ kind, state }) => kind === 'video' && state === 'live');
  const audio = tracks.find(({ kind, state }) => kind === 'audio' && state !== 'ended');
  return [video, audio].filter(track => track !== undefined);
}

function hasPicture({ tracks }: Pick<View, 'tracks'>): boolean {
  return tracks.some(({ kind }) => kind === 'video');
}

/** Leaves out sources above the limit: first the muted ones without a picture, and of equal ones the newest. */
function mostImportant(views: readonly View[], speakerID: string | undefined): View[] {
  if (views.length <= mostComposedSources) return [...views];
  const rank = (view: View): number => {
    if (view.view === 'screen' && hasPicture(view)) return 0;
    if (view.sourceID === speakerID) return 1;
    if (hasPicture(view)) return 2;
    return view.isHeard ? 3 : 4;
  };
  const best = new Set(views.toSorted((one, other) => rank(one) - rank(other)).slice(0, mostComposedSources));
  return views.filter(view => best.has(view));
}

function toComposed({ sourceID, view, sfuNodeID, tracks, name, isHost }: View): ComposedSource {
  const taken = { tracks: tracks.map(({ kind }) => kind), trackIDs: tracks.map(({ trackID }) => trackID) };
  return { sourceID, view, sfuNodeID, ...taken, name, isHost };
}

/** PostgreSQL stores the fields of a jsonb object in an order of its own. */
function keyOf({ sources, speakerID }: ComposedRoom): string {
  const key = ({ sourceID, view, sfuNodeID, tracks, trackIDs, name, isHost }: ComposedSource) =>
    JSON.stringify([sourceID, view, sfuNodeID, tracks, trackIDs, name, isHost]);
  return [speakerID, ...sources.map(key)].join('\n');
}
