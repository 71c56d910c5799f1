import type { MediaKind, ReceiverCapabilities } from '@rtms/contracts';
import type { PublishedTrack, PublisherTransport, SentTrack, ViewerTransport } from '../media-engine.js';

/** The other side of a publisher's transport. */
export interface PublishingPeer {
  readonly tracks: PublishedTrack[];
  /** Begins to send RTP on every track. */
  sendMedia(): void;
  stopMedia(): void;
  /** Resolves once it has sent another packet of each kind. */
  sends(): Promise<void>;
  /** Keyframe requests that reached it. */
  keyframeRequests(): number;
  /** Resolves with the next one. */
  nextKeyframeRequest(): Promise<void>;
  /** Stops sending and answering, without a farewell. */
  vanish(): Promise<void>;
}

export interface ViewingPeer {
  readonly sent: SentTrack[];
  /** Its capabilities for receiving, by section. */
  readonly capabilities: ReceiverCapabilities[];
  /** RTP packets that arrived of a kind. */
  received(kind: MediaKind): number;
  /** Resolves once five more packets of a kind have arrived. */
  arrives(kind: MediaKind): Promise<void>;
  /** Payload types of those packets. */
  payloadTypes(kind: MediaKind): number[];
}

export interface OfferedVideo {
  payloadType: number;
  codec: 'VP8' | 'VP9' | 'H264' | 'AV1';
  /** H264: `profile-level-id`. */
  profile?: string;
}

export interface PublishOptions {
  /** The codec that the publisher sends, with its own payload type. Default: VP8 with 96. */
  video?: OfferedVideo;
  /** Codecs that the offer lists before the sent codec. */
  otherCodecs?: OfferedVideo[];
  /** Default true; false leaves every `a=rtcp-fb` out. */
  feedback?: boolean;
  /** Frames from keyframe to keyframe, at 50 a second; default 50. */
  keyframeInterval?: number;
  /** Hz of the video's timestamps. Default: 90000. */
  videoClockRate?: number;
  /** Bytes of each audio packet's payload; default 80, silence has up to 3. */
  audioBytes?: () => number;
  /** H264: every other picture is a B-frame. */
  bFrames?: boolean;
  /** H264: the profile in the bitstream, if it differs from the offer. */
  bitstreamProfile?: string;
}

/** A viewer whose offer has one video codec and its own payload types. */
export interface ViewOptions {
  /** Number of Opus; default 111. */
  audio?: number;
  /** Default: VP8 and H264 by the payload profile's numbers. */
  video?: OfferedVideo & { rtx?: number };
}

/** Plays the peers of an engine under test. */
export interface PeerDriver {
  /** Resolves once the publisher is connected. */
  publish(transport: PublisherTransport, options?: PublishOptions): Promise<PublishingPeer>;
  /** Resolves once the viewer is connected. */
  view(transport: ViewerTransport, tracks: PublishedTrack[], options?: ViewOptions): Promise<ViewingPeer>;
  close(): Promise<void>;
}
