import type { InventoryQuery } from './inventory-pages.js';
import { nodeCommand, resourceCommand, type CommandAddress } from './bus-address.js';
import type { MediaKind, PayloadProfile, SourceBounds } from './codecs.js';
import type { EndpointTrial, MediaEndpoint, SfuDiagnosis } from './node.js';
import type {
  MemberTransportParameters,
  OpenMemberRequest,
  PreferredLayers,
  PublishTrackRequest,
  RtpDescription,
  SubscriptionParameters,
} from './member-media.js';

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

/** Resources of an SFU node. The gateway compares them with the database. */
export interface SfuInventory {
  epoch: number;
  /** Rooms, also those without a session. */
  meetingIDs: string[];
  sessions: { sessionID: string; meetingID: string; state: 'pending' | 'active' }[];
  playbacks: { playbackID: string; sessionID: string; state: 'ready' | 'active' }[];
  /** Members with their published tracks, without publishers of sessions. */
  members: { participantID: string; meetingID: string; trackIDs: string[] }[];
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

/** Commands of an SFU node. All are idempotent by resource ID; closing an unknown resource succeeds. */
export const sfuCommands = {
  openSession: nodeCommand<OpenSessionRequest, Record<string, never>>('sfu', 'session.open'),
  closeSession: nodeCommand<{ sessionID: string }, Record<string, never>>('sfu', 'session.close'),
  openPlayback: nodeCommand<OpenPlaybackRequest, { payloadProfile: PayloadProfile }>('sfu', 'playback.open'),
  /** Changes the limits of an account. A node without playbacks of the account ignores it. */
  setViewerLimits: nodeCommand<PlaybackAccount, Record<string, never>>('sfu', 'account.viewer-limits'),
  closePlayback: nodeCommand<{ playbackID: string }, Record<string, never>>('sfu', 'playback.close'),
  closeRoom: nodeCommand<{ meetingID: string }, Record<string, never>>('sfu', 'room.close'),
  /** Sends the RTP of a live session or member to UDP ports. The same `feedID` renews the feed. */
  openFeed: nodeCommand<{ feedID: string; sourceID: string; destinations: FeedDestination[] }, { tracks: FeedTrack[] }>(
    'sfu',
    'feed.open',
  ),
  /** Closes a feed. With `destinations` only a feed to them, because another node may have renewed the feed. */
  closeFeed: nodeCommand<{ feedID: string; destinations?: FeedDestination[] }, Record<string, never>>(
    'sfu',
    'feed.close',
  ),
  /** Opens a member. The reply is the input of mediasoup-client's `Device.load`. */
  openMember: nodeCommand<OpenMemberRequest, { routerRtpCapabilities: RtpDescription }>('sfu', 'member.open'),
  closeMember: nodeCommand<{ participantID: string }, Record<string, never>>('sfu', 'member.close'),
  openMemberTransport: nodeCommand<{ participantID: string; direction: 'send' | 'receive' }, MemberTransportParameters>(
    'sfu',
    'member.transport.open',
  ),
  connectMemberTransport: nodeCommand<
    { participantID: string; transportID: string; dtlsParameters: Record<string, unknown> },
    Record<string, never>
  >('sfu', 'member.transport.connect'),
  restartMemberIce: nodeCommand<
    { participantID: string; transportID: string },
    { iceParameters: Record<string, unknown> }
  >('sfu', 'member.transport.restart-ice'),
  publishTrack: nodeCommand<PublishTrackRequest, { trackID: string; codec: string }>('sfu', 'track.publish'),
  /** Pauses a track of a member or an external session for all viewers, members and feeds. */
  pauseTrack: nodeCommand<{ trackID: string }, Record<string, never>>('sfu', 'track.pause'),
  resumeTrack: nodeCommand<{ trackID: string }, Record<string, never>>('sfu', 'track.resume'),
  closeTrack: nodeCommand<{ trackID: string }, Record<string, never>>('sfu', 'track.close'),
  requestTrackKeyframe: nodeCommand<{ trackID: string }, Record<string, never>>('sfu', 'track.keyframe'),
  /** The subscription starts paused, so that no frame is lost. `updateSubscription` resumes it. */
  subscribe: nodeCommand<
    { participantID: string; transportID: string; trackID: string; rtpCapabilities: RtpDescription },
    SubscriptionParameters
  >('sfu', 'subscription.open'),
  updateSubscription: nodeCommand<
    { participantID: string; subscriptionID: string; paused?: boolean; layers?: PreferredLayers },
    Record<string, never>
  >('sfu', 'subscription.update'),
  unsubscribe: nodeCommand<{ participantID: string; subscriptionID: string }, Record<string, never>>(
    'sfu',
    'subscription.close',
  ),
  /** Reception of a session's tracks; empty without a publisher. */
  sessionStatistics: nodeCommand<{ sessionID: string }, SessionStatistics>('sfu', 'session.statistics'),
  requestKeyframe: nodeCommand<{ sourceID: string }, Record<string, never>>('sfu', 'keyframe.request'),
  drain: nodeCommand<{ draining: boolean }, Record<string, never>>('sfu', 'node.drain'),
  inventory: nodeCommand<InventoryQuery, SfuInventory>('sfu', 'node.inventory'),
  diagnose: nodeCommand<Record<string, never>, SfuDiagnosis>('sfu', 'node.diagnose'),
  /** Tests whether this node can reach endpoints of another node. */
  tryEndpoints: nodeCommand<{ endpoints: MediaEndpoint[] }, { trials: EndpointTrial[] }>('sfu', 'node.try-endpoints'),
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
