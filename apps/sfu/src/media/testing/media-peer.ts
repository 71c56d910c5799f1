import type { MediaKind } from '@rtms/contracts';
import type { PublishedTrack, PublisherTransport, SentTrack, ViewerTransport } from '../media-engine.js';

/** The other side of a publisher's transport. */
export interface PublishingPeer {
  tracks: PublishedTrack[];
  /** Begins to send RTP on every track, a keyframe first. */
  sendMedia(): void;
  stopMedia(): void;
  /** Keyframe requests that reached it. */
  keyframeRequests(): number;
  /** Goes away without a word. */
  vanish(): Promise<void>;
  /** Says goodbye where the protocol has one. */
  close(): Promise<void>;
}

export interface ViewingPeer {
  sent: SentTrack[];
  /** RTP packets that arrived of a kind. */
  received(kind: MediaKind): number;
  close(): Promise<void>;
}

export interface PublishOptions {
  /** Payload type and name of the video codec in the publisher's own numbering. */
  video?: { payloadType: number; codec: 'VP8' | 'VP9' | 'H264' | 'AV1'; profile?: string };
}

/** Plays peers for one engine under test. */
export interface PeerDriver {
  publish(transport: PublisherTransport, options?: PublishOptions): Promise<PublishingPeer>;
  view(transport: ViewerTransport, tracks: PublishedTrack[]): Promise<ViewingPeer>;
}
