import type { InventoryQuery } from './inventory-pages.js';
import { nodeCommand, resourceCommand, type CommandAddress } from './bus-address.js';
import type { MediaKind, PayloadProfile, SourceBounds } from './codecs.js';
import type { EndpointTrial, MediaEndpoint, SfuDiagnosis } from './diagnosis.js';
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
  /** The kinds that must send before the session is active. */
  tracks: MediaKind[];
  /** Pictures above them get the health code `picture_too_large`. A gateway of a former version leaves them out. */
  maxSource?: SourceBounds;
}

/**
 * How a playback's RTP numbers and those of a viewer's offer come together: `fixed` sends by the payload profile's
 * numbers, `adaptive` by those of each offer.
 */
export type PayloadMatching = 'fixed' | 'adaptive';

/** How many viewers an account may have at a time. */
export interface ViewerLimits {
  viewersPerPlayback: number;
  viewersPerAccount: number;
}

/** Travels with each playback, so that a node asks nobody when a viewer comes. */
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
  /** A gateway of a former version leaves it out: then nothing is limited. */
  account?: PlaybackAccount;
}

/** One RTP stream of a feed, as an SDP media section would describe it. */
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

/** What an SFU node holds, for the gateway to compare with the database. */
export interface SfuInventory {
  epoch: number;
  /** Rooms that it holds, also those without a session. */
  meetingIDs: string[];
  sessions: { sessionID: string; meetingID: string; state: 'pending' | 'active' }[];
  playbacks: { playbackID: string; sessionID: string; state: 'ready' | 'active' }[];
  /** Without the publishers of sessions; with the tracks that they publish now. */
  members: { participantID: string; meetingID: string; trackIDs: string[] }[];
  /** Where the next page begins. Absent in the last page, and in the answer of a node of a former version, which has all. */
  next?: string;
}

/** How one track arrives now; null: not known, or not yet. */
export interface TrackReception {
  /** Bits per second, of all simulcast layers together. */
  bitrate: number;
  packetsReceived: number;
  packetsLost: number;
  /** Share of the last packets that were lost, 0 to 1. */
  fractionLost: number;
  jitterMs: number;
  roundTripMs: number | null;
  /** Of the largest layer. */
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

/** Every command is idempotent by resource id; closing what is not there is done already. */
export const sfuCommands = {
  openSession: nodeCommand<OpenSessionRequest, Record<string, never>>('sfu', 'session.open'),
  closeSession: nodeCommand<{ sessionID: string }, Record<string, never>>('sfu', 'session.close'),
  openPlayback: nodeCommand<OpenPlaybackRequest, { payloadProfile: PayloadProfile }>('sfu', 'playback.open'),
  /** The limits of an account have changed; a node without playbacks of the account ignores it. */
  setViewerLimits: nodeCommand<PlaybackAccount, Record<string, never>>('sfu', 'account.viewer-limits'),
  closePlayback: nodeCommand<{ playbackID: string }, Record<string, never>>('sfu', 'playback.close'),
  closeRoom: nodeCommand<{ meetingID: string }, Record<string, never>>('sfu', 'room.close'),
  /** Sends the RTP of a live session or member to plain UDP ports; repeated with the same `feedID` it renews the feed. */
  openFeed: nodeCommand<{ feedID: string; sourceID: string; destinations: FeedDestination[] }, { tracks: FeedTrack[] }>(
    'sfu',
    'feed.open',
  ),
  /** With destinations it closes the feed only if it goes there: another node may have renewed it for itself. */
  closeFeed: nodeCommand<{ feedID: string; destinations?: FeedDestination[] }, Record<string, never>>(
    'sfu',
    'feed.close',
  ),
  /** Lets a member in to publish and subscribe; the answer is what mediasoup-client's `Device.load` takes. */
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
  /** Of a member or an external session. A paused track sends nothing on to viewers, members and feeds. */
  pauseTrack: nodeCommand<{ trackID: string }, Record<string, never>>('sfu', 'track.pause'),
  resumeTrack: nodeCommand<{ trackID: string }, Record<string, never>>('sfu', 'track.resume'),
  closeTrack: nodeCommand<{ trackID: string }, Record<string, never>>('sfu', 'track.close'),
  requestTrackKeyframe: nodeCommand<{ trackID: string }, Record<string, never>>('sfu', 'track.keyframe'),
  /** Starts paused, so that the first frame is not lost; `updateSubscription` lets it run. */
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
  /** How the tracks of a session arrive; none while nobody publishes. */
  sessionStatistics: nodeCommand<{ sessionID: string }, SessionStatistics>('sfu', 'session.statistics'),
  requestKeyframe: nodeCommand<{ sourceID: string }, Record<string, never>>('sfu', 'keyframe.request'),
  drain: nodeCommand<{ draining: boolean }, Record<string, never>>('sfu', 'node.drain'),
  inventory: nodeCommand<InventoryQuery, SfuInventory>('sfu', 'node.inventory'),
  diagnose: nodeCommand<Record<string, never>, SfuDiagnosis>('sfu', 'node.diagnose'),
  /** Whether endpoints of another node can be reached from this one. */
  tryEndpoints: nodeCommand<{ endpoints: MediaEndpoint[] }, { trials: EndpointTrial[] }>('sfu', 'node.try-endpoints'),
} as const;

/** A WHIP or WHEP request that reached a replica which does not hold the room. */
export interface SignallingRequest {
  method: string;
  /** Path without query, e.g. `/whip/ext_…`. */
  path: string;
  /** Lower-case names; only what signalling reads. */
  headers: Record<string, string>;
  body: string;
  requestID: string;
}

export interface SignallingResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Answered by the SFU node that holds the room. */
export const roomSignalling = resourceCommand<SignallingRequest, SignallingResponse>('rtms.room', 'signal');

/** Names an external session, where WHIP publishes, a playback, where WHEP watches, or a broadcast, which HLS serves. */
export interface EndpointQuestion {
  protocol: 'whip' | 'whep' | 'hls';
  resourceID: string;
}

/** `live`: not ended; a media node holds it, or will do so soon. */
export type EndpointState = 'live' | 'ended' | 'unknown';

/** Any gateway answers. A media node asks about a resource that no node holds: a client of an ended one must not retry. */
export const endpointState: CommandAddress<EndpointQuestion, { state: EndpointState }> = {
  subject: 'rtms.gateway.any.endpoint.state',
};
