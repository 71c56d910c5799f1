import type { types } from 'mediasoup';
import type { Clock } from '@rtms/clock';
import { ServiceError, type MediaKind } from '@rtms/contracts';
import { unsupportedCodecError } from '../media-errors.js';
import type { PublishedTrack, PublisherTransport } from '../media-engine.js';
import type { RtpParameters } from '../rtp-parameters.js';
import { MediasoupPeerTransport } from './mediasoup-transport.js';
import { MediasoupTrack } from './mediasoup-track.js';
import { isDemultiplexable, receivableCodecs } from './rtp-mapping.js';

/** Nothing at all, not even STUN, for so long: the publisher is lost. Clients check consent every 2.5 to 6 s. */
const silenceMs = 7_000;

/** Bytes between two sweeps that belong to no track: more than STUN and RTCP make. */
const unclaimedBytes = 3_000;

export class MediasoupPublisher extends MediasoupPeerTransport implements PublisherTransport {
  private readonly tracks = new Set<MediasoupTrack>();
  private bytes: { received: number; rtp: number; at: number };

  constructor(
    transport: types.WebRtcTransport,
    private readonly router: types.Router,
    private readonly clock: Clock,
    onClosed: () => void,
  ) {
    super(transport, onClosed);
    this.bytes = { received: 0, rtp: 0, at: clock.now() };
  }

  async publish(kind: MediaKind, offer: RtpParameters): Promise<PublishedTrack> {
    const candidates = receivableCodecs(offer);
    if (candidates.length === 0) throw unsupportedCodecError(offer.codecs);
    if (!isDemultiplexable(offer)) throw indistinguishableError(kind);
    const { transport, router, clock } = this;
    const options = { transport, router, clock, kind, offer, candidates };
    const track = await this.whileOpen(MediasoupTrack.publish(options));
    this.tracks.add(track);
    return track;
  }

  /** Looks at what arrived since the last time. */
  async sweep(): Promise<void> {
    if (this.state === 'new' || this.state === 'closed') return;
    try {
      await Promise.all([...this.tracks].map(track => track.sweep()));
      await this.sweepTransport();
    } catch (error) {
      if (!this.transport.closed) throw error;
    }
  }

  override closeNow(): void {
    for (const track of this.tracks) track.closeNow();
    super.closeNow();
  }

  /** The transport's own counters are needed only when tracks do not show that all is well. */
  private async sweepTransport(): Promise<void> {
    const now = this.clock.now();
    const unsettled = [...this.tracks].filter(track => track.isUnsettled);
    const lastRtp = Math.max(...[...this.tracks].map(track => track.lastReceivedAt() ?? 0), 0);
    if (now - lastRtp < 2_000 && unsettled.length === 0) return this.heard(lastRtp);
    const [stats] = await this.transport.getStats();
    if (!stats) return;
    const received = stats.bytesReceived - this.bytes.received;
    const unclaimed = received - (stats.rtpBytesReceived - this.bytes.rtp);
    this.bytes = { ...this.bytes, received: stats.bytesReceived, rtp: stats.rtpBytesReceived };
    if (received > 0) this.heard(now);
    else if (now - this.bytes.at > silenceMs) this.setSilent(true);
    if (unclaimed > unclaimedBytes) await Promise.all(unsettled.map(track => track.tryNextCodec()));
  }

  private heard(at: number): void {
    this.bytes.at = at;
    this.setSilent(false);
  }
}

function indistinguishableError(kind: MediaKind): ServiceError {
  const message = `The ${kind} section names neither an SSRC nor the mid header extension, so its packets cannot be told apart.`;
  return new ServiceError('unacceptable_offer', message);
}
