import type { MemberMedia, MemberReceiver, MemberSender, PublishedTrack, MemberSubscription } from '../media-engine.js';

/** A track as a member's peer receives it. */
export interface ReceivedTrack {
  readonly subscription: MemberSubscription;
  /** RTP packets that arrived. */
  packets(): Promise<number>;
  /** The simulcast layer that arrives, 0 the lowest; undefined before the first picture. */
  layer(): Promise<number | undefined>;
}

/** The other side of a member's two transports. */
export interface MemberPeer {
  readonly sender: MemberSender;
  readonly receiver: MemberReceiver;
  /** Resolves once its RTP arrives. `simulcast`: video in three sizes. */
  publish(what: 'audio' | 'video' | 'simulcast'): Promise<PublishedTrack>;
  subscribe(track: PublishedTrack): Promise<ReceivedTrack>;
  /** Stops sending and answering, without a farewell. */
  vanish(): Promise<void>;
}

/** Plays the members of an engine under test. */
export interface MemberDriver {
  join(media: MemberMedia): Promise<MemberPeer>;
  /** Makes the microphone of the track audible, or the room silent. */
  speak(media: MemberMedia, track: PublishedTrack): Promise<void>;
  close(): Promise<void>;
}
