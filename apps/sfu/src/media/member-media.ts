import type { Closeable } from '@rtms/bus';
import type {
  MediaKind,
  MemberTransportParameters,
  PreferredLayers,
  RtpDescription,
  SubscriptionParameters,
} from '@rtms/contracts';
import type { PeerTransport, PublishedTrack } from './media-engine.js';

/** A peer connection of a room's member, in the terms of mediasoup-client. */
export interface MemberTransport extends PeerTransport {
  readonly parameters: MemberTransportParameters;
}

/** What a member sends. */
export interface MemberSender extends MemberTransport {
  /** Throws `invalid_request` for parameters that cannot be received. */
  publish(kind: MediaKind, rtpParameters: RtpDescription): Promise<PublishedTrack>;
  /** Bits a second of all its tracks together. */
  limitBitrate(maxBitrate: number): Promise<void>;
}

/** What a member is sent. */
export interface MemberReceiver extends MemberTransport {
  /** Prepares a track, paused. Throws `invalid_request` when the capabilities do not fit it. */
  subscribe(track: PublishedTrack, rtpCapabilities: RtpDescription): Promise<Subscription>;
}

/** One track as a member receives it. */
export interface Subscription extends Closeable {
  readonly parameters: SubscriptionParameters;
  pause(): Promise<void>;
  /** Lets it run, from a keyframe on, which the publisher is asked for. */
  resume(): Promise<void>;
  prefer(layers: PreferredLayers): Promise<void>;
  /** Calls back when other layers arrive; undefined: none does. */
  onLayersChange(listener: (layers: PreferredLayers | undefined) => void): void;
  /** Calls back once when it ended because its track did, or its transport. */
  onEnded(listener: () => void): void;
}

/** Members' media of a room. */
export interface MemberMedia {
  /** What mediasoup-client's `Device.load` takes. */
  readonly routerRtpCapabilities: RtpDescription;
  /** With `isObserved`, its tracks tell when RTP last came and how healthy it is, as those of WHIP publishers do. */
  openSender(options?: { isObserved?: boolean }): Promise<MemberSender>;
  openReceiver(): Promise<MemberReceiver>;
  /** Listens to an audio track for who speaks, until it is closed. */
  watchSpeaker(track: PublishedTrack): Promise<void>;
  /** The id of the loudest watched track, looked at twice a second; undefined after 1.5 s of silence. */
  onSpeakerChange(listener: (trackID: string | undefined) => void): void;
}
