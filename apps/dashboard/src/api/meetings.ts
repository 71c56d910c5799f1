import type { RoomLiveAnswer, StatisticsAnswer } from '@rtms/contracts';
import { useQuery } from '@tanstack/react-query';
import { dashboardRequest, request } from './request.js';
import { listOf, recordings, shownKey, type ApiRecord, type Listing, type PageOf } from './resource.js';

export type ExternalSession = ApiRecord<'ExternalSession'>;
export type NewSession = ApiRecord<'CreateExternalSessionBody'>;
export type NewBroadcast = ApiRecord<'CreateBroadcastBody'>;
export type Playback = ApiRecord<'Playback'>;
export type Broadcast = ApiRecord<'Broadcast'>;
export type Restream = ApiRecord<'Restream'>;
export type TrackKind = ExternalSession['tracks'][number]['kind'];

export const trackNames: Readonly<Record<TrackKind, string>> = { video: 'Video', audio: 'Audio' };

export function isOver({ state }: { state: string }): boolean {
  return state === 'ended' || state === 'failed';
}

/** Sessions, playbacks, broadcasts or restreams of a room. */
class MeetingResource<Item, Creating> {
  constructor(
    private readonly one: string,
    private readonly many: string,
    private readonly segment: string,
  ) {}

  pathOf(meetingID: string, ...rest: string[]): string {
    return ['/v1/meetings', meetingID, this.segment, ...rest].join('/');
  }

  list(
    meetingID: string,
    page: PageOf & { sourceSessionID?: string | undefined },
    signal?: AbortSignal,
  ): Promise<Listing<Item>> {
    return listOf<Item>(this.pathOf(meetingID), this.many, { ...page }, signal);
  }

  async create(meetingID: string, body: Creating & object): Promise<Item> {
    return (await request<Record<string, Item>>('POST', this.pathOf(meetingID), { body }))[this.one] as Item;
  }

  async find(meetingID: string, id: string, signal?: AbortSignal): Promise<Item> {
    return (await request<Record<string, Item>>('GET', this.pathOf(meetingID, id), { signal }))[this.one] as Item;
  }

  end(meetingID: string, id: string): Promise<unknown> {
    return request('DELETE', this.pathOf(meetingID, id));
  }
}

export const sessions = new MeetingResource<ExternalSession, NewSession>(
  'externalSession',
  'externalSessions',
  'external-sessions',
);
export const playbacks = new MeetingResource<Playback, ApiRecord<'CreatePlaybackBody'>>(
  'playback',
  'playbacks',
  'playbacks',
);
export const broadcasts = new MeetingResource<Broadcast, NewBroadcast>('broadcast', 'broadcasts', 'broadcasts');
export const restreams = new MeetingResource<Restream, ApiRecord<'CreateRestreamBody'>>(
  'restream',
  'restreams',
  'restreams',
);

/** The newest 100 active sessions of a room, the newest first. */
export function useActiveSessions(meetingID: string, enabled = true): ExternalSession[] {
  const { data } = useQuery({
    enabled,
    queryKey: shownKey('externalSession', 'active', meetingID),
    queryFn: ({ signal }) => sessions.list(meetingID, { startIndex: 0, pageSize: 100 }, signal),
  });
  return data?.items.filter(({ state }) => state === 'active') ?? [];
}

export async function renewIngestToken(meetingID: string, sessionID: string): Promise<ExternalSession> {
  const body = { action: 'renewToken' };
  const path = sessions.pathOf(meetingID, sessionID);
  return (await request<{ externalSession: ExternalSession }>('POST', path, { body })).externalSession;
}

export type SessionHistory = ApiRecord<'SessionHistory'>;

/** The history of the `spanMs` before now, or before the end of the session. */
export async function readHistory(
  { meetingID, sessionID, endedAt }: ExternalSession,
  spanMs: number,
  signal: AbortSignal,
): Promise<SessionHistory> {
  const to = endedAt === null ? Date.now() : Date.parse(endedAt);
  const query = { from: new Date(to - spanMs).toISOString(), to: new Date(to).toISOString() };
  const path = sessions.pathOf(meetingID, sessionID, 'history');
  return (await request<{ history: SessionHistory }>('GET', path, { query, signal })).history;
}

export type ViewerQuality = ApiRecord<'ViewerQuality'>;
export type HlsViewerQuality = ApiRecord<'HlsViewerQuality'>;

export interface ViewersAnswer<Viewer> {
  viewers: Viewer[];
  nextCursor: string | null;
}

/** A page of the viewers of the last ten minutes behind a cursor; empty: from the first on. */
export function readPlaybackViewers(meetingID: string, playbackID: string, after: string, signal: AbortSignal) {
  return readViewers<ViewerQuality>(playbacks.pathOf(meetingID, playbackID, 'viewers'), after, signal);
}

/** As `readPlaybackViewers`, for the HLS viewers of a broadcast. */
export function readBroadcastViewers(meetingID: string, broadcastID: string, after: string, signal: AbortSignal) {
  return readViewers<HlsViewerQuality>(broadcasts.pathOf(meetingID, broadcastID, 'viewers'), after, signal);
}

function readViewers<Viewer>(path: string, after: string, signal: AbortSignal): Promise<ViewersAnswer<Viewer>> {
  return request('GET', path, { query: { pageSize: '20', ...(after && { after }) }, signal });
}

export type TrackAction = 'pause' | 'resume' | 'close' | 'requestKeyframe';

export function controlTrack(session: ExternalSession, trackID: string, action: TrackAction): Promise<unknown> {
  const path = sessions.pathOf(session.meetingID, session.sessionID, 'tracks', trackID);
  return request('POST', path, { body: { action } });
}

export function startRecording({ meetingID, sessionID }: ExternalSession): Promise<unknown> {
  return recordings.act('start', { meetingID, sourceSessionID: sessionID });
}

/** Records the whole room in one picture. */
export function recordRoom(meetingID: string): Promise<unknown> {
  return recordings.act('start', { meetingID });
}

export async function readLive(meetingID: string, signal: AbortSignal): Promise<RoomLiveAnswer['live']> {
  return (await dashboardRequest<RoomLiveAnswer>('GET', `/rooms/${meetingID}/live`, { signal })).live;
}

export async function readStatistics(sessionID: string, signal: AbortSignal): Promise<StatisticsAnswer['statistics']> {
  const path = `/external-sessions/${sessionID}/statistics`;
  return (await dashboardRequest<StatisticsAnswer>('GET', path, { signal })).statistics;
}

/** Ends the session's playbacks, broadcasts and restreams first. */
export async function endSession({ meetingID, sessionID }: ExternalSession): Promise<void> {
  const page = { startIndex: 0, pageSize: 100 };
  const [played, broadcast, sent] = await Promise.all([
    playbacks.list(meetingID, page),
    broadcasts.list(meetingID, page),
    restreams.list(meetingID, page),
  ]);
  const ofThis = (one: { sourceSessionID: string | null; state: string }) =>
    one.sourceSessionID === sessionID && !isOver(one);
  await Promise.all([
    ...played.items.filter(ofThis).map(({ playbackID }) => playbacks.end(meetingID, playbackID)),
    ...broadcast.items.filter(ofThis).map(({ broadcastID }) => broadcasts.end(meetingID, broadcastID)),
    ...sent.items.filter(ofThis).map(({ restreamID }) => restreams.end(meetingID, restreamID)),
  ]);
  await sessions.end(meetingID, sessionID);
}
