import type { Closeable } from '@rtms/bus';
import type {
  DtlsRole,
  FeedDestination,
  FeedTrack,
  Fingerprint,
  HealthCode,
  LocalCandidate,
  LocalIce,
  MediaKind,
  PayloadProfile,
  PipedTrack,
  PipeEnd,
  PreferredLayers,
  TrackReception,
  TrackState,
  TransportState,
} from '@rtms/contracts';
import type { MemberMedia } from './member-media.js';
import type { PayloadNumbers } from './payload-numbers.js';
import type { ReceiverCapabilities, RtpCodec, RtpHeaderExtension, RtpParameters } from './rtp-parameters.js';

export type { DtlsRole, Fingerprint, LocalCandidate, LocalIce, TransportState };

/** One peer connection of a publisher or viewer. */
export interface PeerTransport extends Closeable {
  readonly ice: LocalIce;
  readonly fingerprints: Fingerprint[];
  readonly state: TransportState;
  /** `role` is the remote side's. */
  connect(remote: { role: DtlsRole; fingerprints: Fingerprint[] }): Promise<void>;
  /** New credentials for an ICE restart; `ice` shows them afterwards. */
  restartIce(): Promise<LocalIce>;
  onStateChange(listener: (state: TransportState) => void): void;
}

/** A live track of a publisher. */
export interface PublishedTrack extends Closeable {
  readonly trackID: string;
  readonly kind: MediaKind;
  readonly codec: RtpCodec;
  /** RIDs of its simulcast layers, the lowest first; empty for a single stream. */
  readonly encodingIDs: readonly string[];
  /** A paused track sends nothing on to viewers, members and feeds; an ended one never will again. */
  readonly state: TrackState;
  /** Calls back once, when it is closed or its transport is. Answers what removes the listener before. */
  onEnded(listener: () => void): () => void;
  /** Calls back once, with the first RTP packet. */
  onReceiving(listener: () => void): void;
  /** ms since 1970 of the last sign of RTP (to 500 ms); undefined before the first. */
  lastReceivedAt(): number | undefined;
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Asks the publisher for a keyframe, at most one request every 500 ms; nothing where the offer has no feedback. */
  requestKeyframe(): Promise<void>;
  /** How it arrives now. Asking makes the track look at its pictures now and then, for as long as somebody asks. */
  reception(): Promise<TrackReception>;
  /** Calls back when the list of what is wrong with the stream changes. */
  onHealthChange(listener: (health: HealthCode[], keyframeIntervalSeconds?: number) => void): void;
}

export interface PublisherTransport extends PeerTransport {
  /** `rtpParameters` by the offer's own numbers. */
  publish(kind: MediaKind, rtpParameters: RtpParameters): Promise<PublishedTrack>;
}

/** What a viewer is sent for one track, by the numbers that the answer must list. */
export interface SentTrack extends Closeable {
  readonly trackID: string;
  readonly kind: MediaKind;
  readonly rtpParameters: RtpParameters;
  /** How many simulcast or SVC layers can be chosen among; 1 and 1 when there is nothing to choose. */
  readonly layers: { spatial: number; temporal: number };
  /** At most these layers; undefined: what the network carries. */
  prefer(layers: PreferredLayers | undefined): Promise<void>;
  /** Calls back when other layers arrive; undefined: none does. */
  onLayersChange(listener: (layers: PreferredLayers | undefined) => void): void;
}

export interface ViewerTransport extends PeerTransport {
  /**
   * Prepares a track, paused. Returns undefined when nothing that the viewer can receive fits the track.
   * A later call for another track of the same kind and mid takes the place of the first (publisher came back).
   */
  send(track: PublishedTrack, capabilities: ReceiverCapabilities): Promise<SentTrack | undefined>;
  /** Starts everything prepared, then asks for one keyframe. */
  start(): Promise<void>;
  /** Calls back when the node that serves the viewer is to be emptied: the viewer does well to connect anew. */
  onDismissed?(listener: () => void): void;
}

/** A copy of a publisher's tracks as plain RTP and RTCP over UDP, for the transcoder. */
export interface MediaFeed extends Closeable {
  readonly tracks: FeedTrack[];
}

/** What a pipe takes of one track, until closed. */
export interface TrackPipe extends Closeable {
  readonly track: PipedTrack;
  /** Whether any RTP went into it. */
  readonly hasSent: boolean;
  /** As last told by `onPaused`. The track's own state may be known later. */
  readonly paused: boolean;
  /** Calls back each time that `paused` has changed. */
  onPaused(listener: () => void): void;
  /** Calls back once, when the track has ended or the pipe is closed. */
  onEnded(listener: () => void): void;
}

/** One end of a connection with the same room on another node, by SRTP over UDP. */
export interface RoomPipe extends Closeable {
  readonly end: PipeEnd;
  connect(remote: PipeEnd): Promise<void>;
  /** Sends a track to the other end. */
  send(track: PublishedTrack): Promise<TrackPipe>;
  /** Takes a track that the other end sends; it is this room's from now on. */
  receive(track: PipedTrack): Promise<PublishedTrack>;
  /** Calls back once; also when the room closes, or its media worker died. */
  onClosed(listener: () => void): void;
}

/** A room's media on one media worker process. */
export interface MediaRoom extends Closeable {
  readonly meetingID: string;
  readonly members: MemberMedia;
  openPublisher(): Promise<PublisherTransport>;
  /** Whether a viewer finds a place beside what is kept for members and other rooms. */
  readonly hasPlaceForViewer: boolean;
  /** With `numbers`, the viewer is sent the codecs of these alone, and by these numbers. */
  openViewer(numbers?: PayloadNumbers): Promise<ViewerTransport>;
  /** For one that could not be prepared because of where it was; undefined where no other place would do better. */
  openViewerInstead?(
    failed: ViewerTransport,
    error: unknown,
    numbers?: PayloadNumbers,
  ): Promise<ViewerTransport | undefined>;
  openFeed(tracks: PublishedTrack[], destinations: FeedDestination[]): Promise<MediaFeed>;
  openPipe(): Promise<RoomPipe>;
  /** Calls back once when the media worker process died; everything of the room is closed by then. */
  onLost(listener: () => void): void;
}

/** What this node can receive, by the router's own numbers; `payloadProfile` for viewers is the same. */
export interface EngineCapabilities {
  codecs: { audio: RtpCodec[]; video: RtpCodec[] };
  headerExtensions: { audio: RtpHeaderExtension[]; video: RtpHeaderExtension[] };
}

export interface EngineLoad {
  /** Viewer tracks now sent. */
  consumers: number;
  /** Consumer budget of all media workers together. */
  capacity: number;
  publishers: number;
}

/** What the media workers are and do now, for those who run the node. */
export interface EngineStatus {
  /** Those that run, by their places, of which each has one at a time. */
  workers: { slot: number; pid: number; consumers: number }[];
  consumersPerWorker: number;
  /** Workers that ended without being told to. */
  deaths: number;
  /** Tracks that are sent on from one router to another. */
  pipes: number;
}

/** Receives, forwards and copies RTP. Throws ServiceError `capacity_reached` when all workers are full. */
export interface MediaEngine extends Closeable {
  readonly capabilities: EngineCapabilities;
  readonly payloadProfile: PayloadProfile;
  openRoom(meetingID: string): Promise<MediaRoom>;
  /** A room on each media worker, to be tried and closed by the caller; it is found by no meeting. */
  openOnEachWorker(): Promise<MediaRoom[]>;
  load(): EngineLoad;
  status(): EngineStatus;
  /** Process ids of the media workers. */
  workerPids(): number[];
}
