import type { Closeable } from '@rtms/bus';
import {
  type DtlsRole,
  type FeedDestination,
  type FeedTrack,
  type Fingerprint,
  type HealthCode,
  type LocalCandidate,
  type LocalIce,
  type MediaKind,
  type MemberTransportParameters,
  type PayloadProfile,
  type PipedTrack,
  type PipeEnd,
  type PreferredLayers,
  type ReceiverCapabilities,
  type RepairInput,
  type RtpCodec,
  type RtpDescription,
  type RtpHeaderExtension,
  type RtpParameters,
  ServiceError,
  type NodeMeasurement,
  type SubscriptionParameters,
  type TrackArrival,
  type TrackReception,
  type TrackState,
  type TransportState,
  type ViewerMeasurement,
} from '@rtms/contracts';
import { messageOf } from '@rtms/logging';
import type { MediaStatistics } from './media-statistics.js';
import type { PayloadNumbers } from './payload-numbers.js';

export type { DtlsRole, Fingerprint, LocalCandidate, LocalIce, TransportState };

/** One peer connection of a publisher or viewer. */
export interface PeerTransport extends Closeable {
  readonly ice: LocalIce;
  readonly fingerprints: Fingerprint[];
  readonly state: TransportState;
  /** `role` is the DTLS role of the remote side. */
  connect(remote: { role: DtlsRole; fingerprints: Fingerprint[] }): Promise<void>;
  /** Restarts ICE. Returns the new credentials, which `ice` also has afterwards. */
  restartIce(): Promise<LocalIce>;
  onStateChange(listener: (state: TransportState) => void): void;
  /** Time of the last packet of any kind in ms since 1970, accurate to 1 s. Absent: the transport does not tell. */
  lastHeardAt?(): number;
}

/** A track of a publisher. */
export interface PublishedTrack extends Closeable {
  readonly trackID: string;
  readonly kind: MediaKind;
  readonly codec: RtpCodec;
  /** RIDs of the simulcast layers, lowest first; empty without simulcast. */
  readonly encodingIDs: readonly string[];
  /** A paused track sends nothing to viewers, members and feeds. An ended track never sends again. */
  readonly state: TrackState;
  /** Calls back once, when the track or its transport closes. Returns a function that removes the listener. */
  onEnded(listener: () => void): () => void;
  /** Calls back once, with the first RTP packet. */
  onReceiving(listener: () => void): void;
  /** Time of the last RTP packet in ms since 1970, accurate to 500 ms; undefined before the first packet. */
  lastReceivedAt(): number | undefined;
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Requests a keyframe, at most every 500 ms. Does nothing if the offer has no feedback for it. */
  requestKeyframe(): Promise<void>;
  /** Totals of the received packets. */
  arrival(): Promise<TrackArrival>;
  /** Total time without packets, in gaps of at least 2 s. Grows during a gap. Time in which the track is paused does not count. */
  stalledMs(): number;
  /**
   * Reception statistics. Unless `isPassive`, a call also starts a measurement of the pictures, which a later call returns. Such a
   * measurement costs a keyframe.
   */
  reception(options?: { isPassive?: boolean }): Promise<TrackReception>;
  /** Calls back when the health codes of the stream change. */
  onHealthChange(listener: (health: HealthCode[], keyframeIntervalSeconds?: number) => void): void;
}

export interface PublisherTransport extends PeerTransport {
  /** `rtpParameters` with the payload types of the offer. */
  publish(kind: MediaKind, rtpParameters: RtpParameters): Promise<PublishedTrack>;
}

/** A track as one viewer receives it. `rtpParameters` has the payload types that the answer must list. */
export interface SentTrack extends Closeable {
  readonly trackID: string;
  readonly kind: MediaKind;
  readonly rtpParameters: RtpParameters;
  /** The number of simulcast or SVC layers; 1 and 1 if there is no choice. */
  readonly layers: { spatial: number; temporal: number };
  /** Limits the layers; undefined lets the bandwidth decide. */
  prefer(layers: PreferredLayers | undefined): Promise<void>;
  /** Calls back when the received layers change; undefined if none arrives. */
  onLayersChange(listener: (layers: PreferredLayers | undefined) => void): void;
}

export interface MeasuredViewer extends ViewerMeasurement {
  /** The hop to the node that serves the viewer. Absent: this node serves it. */
  relay?: { nodeID: string; node: NodeMeasurement; arrival: TrackArrival | undefined };
}

export interface ViewerTransport extends PeerTransport {
  /**
   * Prepares a paused track. Returns undefined if the viewer cannot receive the codec. A later call with the same kind and mid
   * replaces the track, because the publisher has reconnected.
   */
  send(track: PublishedTrack, capabilities: ReceiverCapabilities): Promise<SentTrack | undefined>;
  /** Starts all prepared tracks, then requests one keyframe. */
  start(): Promise<void>;
  /** Totals of the viewer's video, else of its audio; undefined while it receives nothing. */
  measure(): Promise<MeasuredViewer | undefined>;
  /** Calls back when the node that serves the viewer drains, so that the viewer reconnects. */
  onDismissed?(listener: () => void): void;
}

/** Copies of a publisher's tracks as plain RTP and RTCP over UDP, for the transcoder. */
export interface MediaFeed extends Closeable {
  readonly tracks: FeedTrack[];
}

/** One track in a pipe, until closed. */
export interface TrackPipe extends Closeable {
  readonly track: PipedTrack;
  /** Whether the pipe has sent RTP of the track. */
  readonly hasSent: boolean;
  /** The state of the last `onPaused` call. The track's own state may change later. */
  readonly paused: boolean;
  /** Calls back when `paused` changes. */
  onPaused(listener: () => void): void;
  /** Calls back once, when the track ends or the pipe closes. */
  onEnded(listener: () => void): void;
}

/** A stream that a transcoder sends to this node. Only packets from `ip` and `port` are accepted. */
export interface InletSource {
  kind: MediaKind;
  codec: RtpCodec;
  ip: string;
  port: number;
}

/** Tracks of a room that a transcoder sends as plain RTP. */
export interface MediaInlet extends Closeable {
  /** In the order of the sources. */
  readonly tracks: PublishedTrack[];
  /** The destinations of the sources, in their order. */
  readonly inputs: RepairInput[];
}

/** This node's end of an SRTP connection (UDP) to the same room on another node. */
export interface RoomPipe extends Closeable {
  readonly end: PipeEnd;
  connect(remote: PipeEnd): Promise<void>;
  /** Sends a track to the other end. */
  send(track: PublishedTrack): Promise<TrackPipe>;
  /** Receives a track of the other end as a track of this room. */
  receive(track: PipedTrack): Promise<PublishedTrack>;
  /** Calls back once, also when the room closes or the media worker dies. */
  onClosed(listener: () => void): void;
}

/** Opens the viewers of a room. */
export interface ViewerOpener extends Closeable {
  /** With `numbers`, the viewer receives only these codecs, with these payload types. */
  openViewer(numbers?: PayloadNumbers): Promise<ViewerTransport>;
  /** Replaces a viewer that failed because of its node; undefined if another node would fail too. */
  openViewerInstead?(
    failed: ViewerTransport,
    error: unknown,
    numbers?: PayloadNumbers,
  ): Promise<ViewerTransport | undefined>;
}

/** A room's media on one media worker process. */
export interface MediaRoom extends Closeable {
  readonly meetingID: string;
  readonly members: MemberMedia;
  openPublisher(): Promise<PublisherTransport>;
  /** Whether a viewer fits without using tracks that are reserved for members and other rooms. */
  readonly hasPlaceForViewer: boolean;
  /** With `numbers`, the viewer receives only these codecs, with these payload types. */
  openViewer(numbers?: PayloadNumbers): Promise<ViewerTransport>;
  openFeed(tracks: PublishedTrack[], destinations: FeedDestination[]): Promise<MediaFeed>;
  openPipe(): Promise<RoomPipe>;
  openInlet(sources: InletSource[]): Promise<MediaInlet>;
  /** Calls back once when the media worker process died, after everything of the room has closed. */
  onLost(listener: () => void): void;
}

/** The codecs and header extensions that this node can receive. */
export interface EngineCapabilities {
  codecs: { audio: RtpCodec[]; video: RtpCodec[] };
  headerExtensions: { audio: RtpHeaderExtension[]; video: RtpHeaderExtension[] };
}

export interface EngineLoad {
  /** Tracks that are sent to viewers and members now. */
  consumers: number;
  /** Consumer budget of all media workers together. */
  capacity: number;
  publishers: number;
  /** The used share of the tracks or of the CPU limit, whichever is larger. 0 to 1. */
  utilization: number;
  /** `utilization` in tracks, for placement: 0 to `capacity`. */
  used: number;
  /** Seconds until the CPU is used up if its load grows as in the last minute. At most an hour. */
  secondsUntilFull: number;
}

/** Status of the media workers, for metrics. */
export interface EngineStatus {
  /** The running workers. A replacement gets the slot of the worker that died. */
  workers: {
    slot: number;
    pid: number;
    consumers: number;
    /** Used share of a core, 0 to 1. */
    utilization: number;
  }[];
  consumersPerWorker: number;
  /** The share of its core up to which a worker accepts viewers. */
  workerCpuLimit: number;
  /** Workers that ended unexpectedly. */
  deaths: number;
  /** Tracks that are piped from one router to another. */
  pipes: number;
}

/** `@Inject(MEDIA_ENGINE) engine: MediaEngine`. */
export const MEDIA_ENGINE = Symbol('MediaEngine');

/** Receives, forwards and copies RTP. Throws ServiceError `capacity_reached` when all workers are full. */
export interface MediaEngine extends Closeable {
  readonly capabilities: EngineCapabilities;
  readonly payloadProfile: PayloadProfile;
  readonly statistics: MediaStatistics;
  openRoom(meetingID: string): Promise<MediaRoom>;
  /** Opens a test room on each media worker. The caller closes the rooms. */
  openOnEachWorker(): Promise<MediaRoom[]>;
  load(): EngineLoad;
  status(): EngineStatus;
  /** Process ids of the media workers. */
  workerPids(): number[];
}

/** A peer connection of a member, described for mediasoup-client. */
export interface MemberTransport extends PeerTransport {
  readonly parameters: MemberTransportParameters;
}

/** The sending connection of a member. */
export interface MemberSender extends MemberTransport {
  /** Throws `invalid_request` if the engine cannot receive the parameters. */
  publish(kind: MediaKind, rtpParameters: RtpDescription): Promise<PublishedTrack>;
  /** Limits the bits per second of all tracks together. */
  limitBitrate(maxBitrate: number): Promise<void>;
}

/** The receiving connection of a member and its subscriptions. */
export interface MemberReceiver extends MemberTransport {
  /** Prepares a paused track. Throws `invalid_request` if the capabilities do not fit the track. */
  subscribe(track: PublishedTrack, rtpCapabilities: RtpDescription): Promise<MemberSubscription>;
}

/** One track as a member receives it. */
export interface MemberSubscription extends Closeable {
  readonly parameters: SubscriptionParameters;
  pause(): Promise<void>;
  /** Starts the track and requests a keyframe. */
  resume(): Promise<void>;
  prefer(layers: PreferredLayers): Promise<void>;
  /** Calls back when the received layers change; undefined if none arrives. */
  onLayersChange(listener: (layers: PreferredLayers | undefined) => void): void;
  /** Calls back once, when the track or the transport ends. */
  onEnded(listener: () => void): void;
}

/** The media of a room's members. */
export interface MemberMedia {
  /** The argument of mediasoup-client's `Device.load`. */
  readonly routerRtpCapabilities: RtpDescription;
  /** With `isObserved`, its tracks report reception and health, as tracks of WHIP publishers do. */
  openSender(options?: { isObserved?: boolean }): Promise<MemberSender>;
  openReceiver(): Promise<MemberReceiver>;
  /** Includes an audio track in the speaker detection until the track closes. */
  watchSpeaker(track: PublishedTrack): Promise<void>;
  /** Calls back with the id of the loudest watched track, checked twice a second; undefined after 1.5 s of silence. */
  onSpeakerChange(listener: (trackID: string | undefined) => void): void;
}

/** The room or connection has closed, e.g. because its media worker died. */
export function closedError(): ServiceError {
  return new ServiceError('controller_unavailable', 'The media connection has closed. Try again.');
}

/** Turns the rejection of work on closed objects of the media worker into `closedError`. */
export async function whileOpen<Result>(
  work: Promise<Result>,
  ...objects: readonly { closed: boolean }[]
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw objects.some(({ closed }) => closed) ? closedError() : error;
  }
}

/** The node drains and takes no new media. */
export function drainingError(): ServiceError {
  return new ServiceError(
    'controller_unavailable',
    'The media node is draining. Retry: another node takes the request.',
  );
}

export function workersFullError(): ServiceError {
  return new ServiceError('capacity_reached', 'All media workers are full. Try again later.');
}

/** The media worker refused a client's parameters. The message has the reason. */
export function unusableParametersError(what: string, error: unknown): ServiceError {
  return new ServiceError('invalid_request', `The ${what} cannot be used: ${messageOf(error).slice(0, 200)}`);
}

export function unreceivableError(codecs: RtpCodec[]): ServiceError {
  const names = codecs.map(codec => codec.mimeType).join(', ') || 'none';
  return unusableParametersError('rtpParameters', new Error(`codecs that cannot be received: ${names}`));
}

export function unsupportedCodecError(codecs: RtpCodec[]): ServiceError {
  const names = codecs.map(codec => codec.mimeType).join(', ') || 'no codec';
  return new ServiceError('unacceptable_offer', `The offer's codecs cannot be received: ${names}.`);
}
