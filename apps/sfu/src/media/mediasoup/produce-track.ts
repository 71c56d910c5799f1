import type { types } from 'mediasoup';
import type { Clock } from '@rtms/clock';
import type { MediaKind } from '@rtms/contracts';
import type { RtpCodec, RtpParameters } from '../rtp-parameters.js';
import { toProducerParameters } from './rtp-mapping.js';

/** At most one keyframe request in this time, however many viewers join; the worker keeps to it. */
const keyframeRequestDelayMs = 500;

export interface TrackOptions {
  transport: types.Transport;
  router: types.Router;
  clock: Clock;
  kind: MediaKind;
  offer: RtpParameters;
  /** The codecs of the offer that can be received; the publisher sends one of them, not always the first. */
  candidates: RtpCodec[];
  /** Used for the producer as they are, in place of the offer. */
  rtpParameters?: types.RtpParameters;
  /** Of a track that comes from another node, where it was given this name. */
  trackID?: string;
  /** Default true: its counters and keyframes are looked at for what is wrong with the stream. */
  isObserved?: boolean;
}

/** With one of the candidates. */
export async function produce(options: TrackOptions, index: number): Promise<types.Producer> {
  const { transport, kind, offer, candidates } = options;
  const codec = candidates[index];
  if (!codec) throw new Error('A track has at least one codec.');
  const rtpParameters = options.rtpParameters ?? toProducerParameters(offer, codec);
  return transport.produce({ kind, rtpParameters, keyFrameRequestDelay: keyframeRequestDelayMs });
}
