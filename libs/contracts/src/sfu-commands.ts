import type { InventoryQuery } from './inventory-pages.js';
import { resourceCommand, sfuCommand, type CommandAddress, type Nothing } from './vocabulary/bus-address.js';
import type { MediaKind, PayloadProfile, SourceBounds } from './vocabulary/codecs.js';
import type { EndpointTrial, MediaEndpoint, SfuDiagnosis } from './node.js';
import type {
  OpenedMemberTransport,
  OpenMemberRequest,
  PreferredLayers,
  PublishTrackRequest,
  RestartedIce,
  RtpDescription,
  SourceView,
  SubscriptionParameters,
} from './vocabulary/member-media.js';
import type { RepairInput, RepairSender } from './repairs.js';
import type { ViewerSamplesPage, ViewerSamplesQuery } from './viewer-quality.js';

export interface OpenSessionRequest {
  meetingID: string;
  sessionID: string;
  /** The session becomes active when all these kinds send. */
  tracks: MediaKind[];
  /** A larger picture sets the health code `picture_too_large`. Absent from gateways of earlier versions. */
  maxSource?: SourceBounds;
}

/**
 * Payload types of a playback: `fixed` uses the payload profile, `adaptive` uses those of each viewer's offer.
 */
export type PayloadMatching = 'fixed' | 'adaptive';

/** Maximum of concurrent viewers. */
export interface ViewerLimits {
  viewersPerPlayback: number;
  viewersPerAccount: number;
}

/** Sent with each playback, so that a node can check the limits without a request. */
export interface PlaybackAccount {
  accountID: string;
  limits: ViewerLimits;
}

export interface OpenPlaybackRequest {
  meetingID: string;
  sessionID: string;
  playbackID: string;
  tracks: MediaKind[];
  payloadMatching: PayloadMatching;
  /** Absent from gateways of earlier versions; then viewers are unlimited. */
  account?: PlaybackAccount;
}

/** One RTP stream of a feed. */
export interface FeedTrack {
  trackID: string;
  kind: MediaKind;
  /** As in `a=rtpmap`, e.g. `VP8`, `opus`. */
  codec: string;
  payloadType: number;
  /** Hz. */
  clockRate: number;
  channels?: number;
  ssrc: number;
  /** `a=fmtp` parameters. */
  parameters: Record<string, string | number>;
}

export interface FeedDestination {
  kind: MediaKind;
  ip: string;
  rtpPort: number;
  rtcpPort: number;
}

export interface OpenFeedRequest {
  feedID: string;
  sourceID: string;
  destinations: FeedDestination[];
  /** Tracks of a member. Absent: of each kind the first of microphone, camera, screen and the screen's sound. */
  view?: SourceView;
}

/** Resources of an SFU node. The gateway compares them with the database. */
export interface SfuInventory {
  epoch: number;
  /** Rooms, also those without a session. */
  meetingIDs: string[];
  sessions: { sessionID: string; meetingID: string; state: 'pending' | 'active' }[];
  playbacks: { playbackID: string; sessionID: string; state: 'ready' | 'active' }[];
  /** Members with their published tracks, without publishers of sessions. */
  members: { participantID: string; meetingID: string; trackIDs: string[] }[];
  /** Number of viewers of other nodes' rooms on this node. On each page. Absent from nodes of earlier versions. */
  relayedViewers?: number;
  /** Start of the next page. Absent from the last page and from nodes of earlier versions, which send all entries. */
  next?: string;
}

/** Reception of one track; null: unknown. */
export interface TrackReception {
  /** Bits per second of all simulcast layers. */
  bitrate: number;
  packetsReceived: number;
  packetsLost: number;
  /** Share of lost packets in the last interval, 0 to 1. */
  fractionLost: number;
  jitterMs: number;
  roundTripMs: number | null;
  /** Size of the largest layer. */
  width: number | null;
  height: number | null;
  frameRate: number | null;
}

export interface TrackStatistics extends TrackReception {
  trackID: string;
  kind: MediaKind;
  codec: string;
}

export interface SessionStatistics {
  sessionID: string;
  /** RFC 3339, UTC, milliseconds. */
  measuredAt: string;
  tracks: TrackStatistics[];
}

/** Milliseconds between two samples of a session. */
export const sampleIntervalMs = 10_000;

/** A minute in milliseconds: samples are kept, sent and stored by the minute. */
export const sampledMs = 60_000;

/** One measurement of the media that an SFU node receives from a publisher. null: not measured. */
export interface SessionSample {
  /** ms since 1970. */
  at: number;
  /** Bits per second of all tracks. */
  bitrate: number;
  /** Largest share of lost packets of a track in its last RTCP report, 0 to 1. */
  fractionLost: number;
  /** Largest jitter of a track. */
  jitterMs: number;
  roundTripMs: number | null;
  /** Of the video. Measured once a minute, because each measurement costs a keyframe. */
  frameRate: number | null;
}

/** The samples of a session in one minute of one node. */
export interface SampledMinute {
  sessionID: string;
  /** Start of the minute, ms since 1970. */
  minute: number;
  /** At most `sampledMs / sampleIntervalMs`. */
  samples: SessionSample[];
}

/** With `sessionID`: the minutes of one session. Without: complete minutes of all sessions, so that each is read once. */
export interface SamplesQuery {
  sessionID?: string;
  /** `next` of the page before. */
  after?: string;
}

export interface SamplesPage {
  minutes: SampledMinute[];
  /** The place of the last minute, or `after` of an empty page. */
  next?: string;
  isLast: boolean;
}

/** Commands of an SFU node. All are idempotent by resource ID; closing an unknown resource succeeds. */
export const sfuCommands = {
  openSession: sfuCommand<OpenSessionRequest>('session.open'),
  closeSession: sfuCommand<{ sessionID: string }>('session.close'),
  openPlayback: sfuCommand<OpenPlaybackRequest, { payloadProfile: PayloadProfile }>('playback.open'),
  /** Changes the limits of an account. A node without playbacks of the account ignores it. */
  setViewerLimits: sfuCommand<PlaybackAccount>('account.viewer-limits'),
  closePlayback: sfuCommand<{ playbackID: string }>('playback.close'),
  closeRoom: sfuCommand<{ meetingID: string }>('room.close'),
  /** Sends the RTP of a live session or member to UDP ports. The same `feedID` renews the feed. */
  openFeed: sfuCommand<OpenFeedRequest, { tracks: FeedTrack[] }>('feed.open'),
  /** Closes a feed. With `destinations` only a feed to them, because another node may have renewed the feed. */
  closeFeed: sfuCommand<{ feedID: string; destinations?: FeedDestination[] }>('feed.close'),
  /** Opens ports for a repair that this node has asked for. Only `senders` may send to them. */
  openRepair: sfuCommand<{ repairID: string; senders: RepairSender[] }, { inputs: RepairInput[] }>('repair.open'),
  /** Asked each second by the transcoder of a repair, which stops when nobody wants it. `isLeaving`: another one must follow. */
  keepRepair: sfuCommand<{ repairID: string; isLeaving: boolean }, { isWanted: boolean }>('repair.keep'),
  /** Opens a member. The reply is the input of mediasoup-client's `Device.load`. */
  openMember: sfuCommand<OpenMemberRequest, { routerRtpCapabilities: RtpDescription }>('member.open'),
  closeMember: sfuCommand<{ participantID: string }>('member.close'),
  openMemberTransport: sfuCommand<{ participantID: string; direction: 'send' | 'receive' }, OpenedMemberTransport>(
    'member.transport.open',
  ),
  connectMemberTransport: sfuCommand<{
    participantID: string;
    transportID: string;
    dtlsParameters: Record<string, unknown>;
  }>('member.transport.connect'),
  restartMemberIce: sfuCommand<{ participantID: string; transportID: string }, RestartedIce>(
    'member.transport.restart-ice',
  ),
  publishTrack: sfuCommand<PublishTrackRequest, { trackID: string; codec: string }>('track.publish'),
  /** Pauses a track of a member or an external session for all viewers, members and feeds. */
  pauseTrack: sfuCommand<{ trackID: string }>('track.pause'),
  resumeTrack: sfuCommand<{ trackID: string }>('track.resume'),
  closeTrack: sfuCommand<{ trackID: string }>('track.close'),
  requestTrackKeyframe: sfuCommand<{ trackID: string }>('track.keyframe'),
  /** The subscription starts paused, so that no frame is lost. `updateSubscription` resumes it. */
  subscribe: sfuCommand<
    { participantID: string; transportID: string; trackID: string; rtpCapabilities: RtpDescription },
    SubscriptionParameters
  >('subscription.open'),
  updateSubscription: sfuCommand<{
    participantID: string;
    subscriptionID: string;
    paused?: boolean;
    layers?: PreferredLayers;
  }>('subscription.update'),
  unsubscribe: sfuCommand<{ participantID: string; subscriptionID: string }>('subscription.close'),
  /** Reception of a session's tracks; empty without a publisher. */
  sessionStatistics: sfuCommand<{ sessionID: string }, SessionStatistics>('session.statistics'),
  /** The samples of sessions that the node still has, oldest first. */
  readSamples: sfuCommand<SamplesQuery, SamplesPage>('samples.read'),
  /** The samples of viewers that the node still has, oldest first. */
  readViewerSamples: sfuCommand<ViewerSamplesQuery, ViewerSamplesPage>('viewer-samples.read'),
  requestKeyframe: sfuCommand<{ sourceID: string; view?: SourceView }>('keyframe.request'),
  drain: sfuCommand<{ draining: boolean }>('node.drain'),
  inventory: sfuCommand<InventoryQuery, SfuInventory>('node.inventory'),
  diagnose: sfuCommand<Nothing, SfuDiagnosis>('node.diagnose'),
  /** Tests whether this node can reach endpoints of another node. */
  tryEndpoints: sfuCommand<{ endpoints: MediaEndpoint[] }, { trials: EndpointTrial[] }>('node.try-endpoints'),
} as const;

/** A WHIP or WHEP request that another replica forwards to the owner of the room. */
export interface SignallingRequest {
  method: string;
  /** Path without query, e.g. `/whip/ext_…`. */
  path: string;
  /** Lower-case names; only headers that signalling reads. */
  headers: Record<string, string>;
  body: string;
  requestID: string;
}

export interface SignallingResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The room's owner node responds. */
export const roomSignalling = resourceCommand<SignallingRequest, SignallingResponse>('rtms.room', 'signal');

/** An external session (WHIP), a playback (WHEP) or a broadcast (HLS). */
export interface EndpointQuestion {
  protocol: 'whip' | 'whep' | 'hls';
  resourceID: string;
}

/** `live`: not ended. A media node holds the resource now, or will soon. */
export type EndpointState = 'live' | 'ended' | 'unknown';

/** Any gateway responds. A media node asks about a resource without an owner, because clients of an ended one must not retry. */
export const endpointState: CommandAddress<EndpointQuestion, { state: EndpointState }> = {
  subject: 'rtms.gateway.any.endpoint.state',
};
