import type { types } from 'mediasoup';
import type { Clock } from '@rtms/clock';
import type { MediaKind, MemberTransportParameters, RtpDescription } from '@rtms/contracts';
import { isRtx, receivedAs } from '../match-codec.js';
import { closedError, unreceivableError, unusableParametersError } from '../media-errors.js';
import type { MemberSender } from '../member-media.js';
import { MediasoupPeerTransport } from './mediasoup-transport.js';
import { MediasoupTrack } from './mediasoup-track.js';
import { fromConsumerParameters } from './rtp-mapping.js';

/** The worker takes no lower limit. */
const lowestBitrate = 30_000;

export interface SenderOptions {
  transport: types.WebRtcTransport;
  router: types.Router;
  clock: Clock;
  /** Takes tracks of the worker's budget, negative to give them back. */
  reserve: (count: number) => void;
  isObserved: boolean;
  onClosed: () => void;
}

export function parametersOf(transport: types.WebRtcTransport): MemberTransportParameters {
  const { id, iceParameters, iceCandidates, dtlsParameters } = transport;
  return {
    transportID: id,
    iceParameters: { ...iceParameters },
    iceCandidates: iceCandidates.map(candidate => ({ ...candidate })),
    dtlsParameters: { ...dtlsParameters },
  };
}

/** What a member sends, by the parameters that mediasoup-client made. */
export class MediasoupSender extends MediasoupPeerTransport implements MemberSender {
  private readonly tracks = new Set<MediasoupTrack>();

  constructor(private readonly options: SenderOptions) {
    super(options.transport, options.onClosed);
  }

  get parameters(): MemberTransportParameters {
    return parametersOf(this.transport);
  }

  async publish(kind: MediaKind, rtpParameters: RtpDescription): Promise<MediasoupTrack> {
    const parameters = rtpParameters as unknown as types.RtpParameters;
    const offer = fromConsumerParameters(parameters);
    const candidates = offer.codecs.filter(codec => !isRtx(codec)).slice(0, 1);
    if (candidates.length === 0 || !candidates.every(receivedAs)) throw unreceivableError(offer.codecs);
    const { transport, router, clock, isObserved } = this.options;
    const options = { transport, router, clock, kind, offer, candidates, rtpParameters: parameters, isObserved };
    this.options.reserve(1);
    const track = await MediasoupTrack.publish(options).catch((error: unknown) => {
      this.options.reserve(-1);
      throw transport.closed ? closedError() : unusableParametersError('rtpParameters', error);
    });
    return this.keep(track);
  }

  async limitBitrate(maxBitrate: number): Promise<void> {
    await this.whileOpen(this.transport.setMaxIncomingBitrate(Math.max(lowestBitrate, maxBitrate)));
  }

  async sweep(): Promise<void> {
    if (!this.options.isObserved || this.state === 'new' || this.state === 'closed') return;
    try {
      await Promise.all([...this.tracks].map(track => track.sweep()));
    } catch (error) {
      if (!this.transport.closed) throw error;
    }
  }

  override closeNow(): void {
    for (const track of [...this.tracks]) track.closeNow();
    super.closeNow();
  }

  private keep(track: MediasoupTrack): MediasoupTrack {
    this.tracks.add(track);
    track.onEnded(() => {
      this.tracks.delete(track);
      this.options.reserve(-1);
    });
    if (this.state === 'closed') track.closeNow();
    if (track.closed) throw closedError();
    return track;
  }
}
