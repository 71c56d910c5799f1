import type { types } from 'mediasoup';
import type { Clock } from '@rtms/clock';
import { type MediaKind, type MemberTransportParameters, type RtpParameters, ServiceError } from '@rtms/contracts';
import {
  type DtlsRole,
  type Fingerprint,
  type LocalCandidate,
  type LocalIce,
  type PeerTransport,
  type PublishedTrack,
  type PublisherTransport,
  type TransportState,
  unsupportedCodecError,
  whileOpen,
} from '../media-engine.js';
import { Listeners } from '../listeners.js';
import type { PeerMeter } from './peer-meters.js';
import { MediasoupTrack } from './tracks/mediasoup-track.js';
import { isDemultiplexable, receivableCodecs } from './tracks/rtp-mapping.js';

function localCandidate(candidate: types.IceCandidate): LocalCandidate {
  const { foundation, priority, address, port, protocol } = candidate;
  return { foundation, priority, address, port, protocol, ...(protocol === 'tcp' && { tcpType: 'passive' }) };
}

/** A peer connection on the worker's WebRtcServer. */
export class MediasoupPeerTransport implements PeerTransport {
  private currentState: TransportState = 'new';
  private silent = false;
  private readonly stateListeners = new Listeners<[TransportState]>();

  constructor(
    protected readonly transport: types.WebRtcTransport,
    protected readonly meter: PeerMeter,
    private readonly onClosed: () => void,
  ) {
    transport.on('icestatechange', () => this.update());
    transport.on('dtlsstatechange', () => this.update());
  }

  get ice(): LocalIce {
    const { usernameFragment, password } = this.transport.iceParameters;
    return { usernameFragment, password, candidates: this.transport.iceCandidates.map(localCandidate) };
  }

  /** The description of the transport for mediasoup-client. */
  get parameters(): MemberTransportParameters {
    const { id, iceParameters, iceCandidates, dtlsParameters } = this.transport;
    return {
      transportID: id,
      iceParameters: { ...iceParameters },
      iceCandidates: iceCandidates.map(candidate => ({ ...candidate })),
      dtlsParameters: { ...dtlsParameters },
    };
  }

  get fingerprints(): Fingerprint[] {
    return this.transport.dtlsParameters.fingerprints;
  }

  get state(): TransportState {
    return this.currentState;
  }

  async connect(remote: { role: DtlsRole; fingerprints: Fingerprint[] }): Promise<void> {
    this.meter.onConnecting();
    const fingerprints = remote.fingerprints as types.DtlsFingerprint[];
    await whileOpen(this.transport.connect({ dtlsParameters: { role: remote.role, fingerprints } }), this.transport);
  }

  async restartIce(): Promise<LocalIce> {
    await whileOpen(this.transport.restartIce(), this.transport);
    return this.ice;
  }

  onStateChange(listener: (state: TransportState) => void): void {
    this.stateListeners.add(listener);
  }

  async close(): Promise<void> {
    this.closeNow();
  }

  /** Closes without waiting for the worker. */
  closeNow(): void {
    if (this.currentState === 'closed') return;
    this.meter.beforeClose();
    this.closeTracks();
    this.transport.close();
    this.onClosed();
    this.moveTo('closed');
    this.stateListeners.clear();
  }

  /** Closes what the worker does not close with the transport. */
  protected closeTracks(): void {
    // Consumers close with their transport.
  }

  /** Sets whether the peer has been silent for too long. */
  protected setSilent(silent: boolean): void {
    this.silent = silent;
    this.update();
  }

  private update(): void {
    if (this.currentState === 'closed') return;
    this.moveTo(this.observedState());
  }

  private observedState(): TransportState {
    const { iceState, dtlsState } = this.transport;
    const wasConnected = this.currentState !== 'new';
    const answering = iceState === 'connected' || iceState === 'completed';
    if (answering && dtlsState === 'connected' && !this.silent) return 'connected';
    if (wasConnected || dtlsState === 'failed' || dtlsState === 'closed') return 'lost';
    return 'new';
  }

  private moveTo(state: TransportState): void {
    if (this.currentState === state) return;
    this.currentState = state;
    this.meter.onState(state);
    this.stateListeners.emit(state);
  }
}

/** A publisher is lost after this time without any packet, STUN included. Clients check consent every 2.5 to 6 s. */
const silenceMs = 7_000;

/** Bytes between two sweeps that belong to no track. STUN and RTCP send fewer. */
const unclaimedBytes = 3_000;

export class MediasoupPublisher extends MediasoupPeerTransport implements PublisherTransport {
  private readonly tracks = new Set<MediasoupTrack>();
  private bytes: { received: number; rtp: number; at: number };

  constructor(
    transport: types.WebRtcTransport,
    meter: PeerMeter,
    private readonly router: types.Router,
    private readonly clock: Clock,
    onClosed: () => void,
  ) {
    super(transport, meter, onClosed);
    this.bytes = { received: 0, rtp: 0, at: clock.now() };
  }

  async publish(kind: MediaKind, offer: RtpParameters): Promise<PublishedTrack> {
    const candidates = receivableCodecs(offer);
    if (candidates.length === 0) throw unsupportedCodecError(offer.codecs);
    if (!isDemultiplexable(offer)) throw indistinguishableError(kind);
    const { transport, router, clock } = this;
    const options = { transport, router, clock, kind, offer, candidates };
    const track = await whileOpen(MediasoupTrack.publish(options), transport);
    this.tracks.add(track);
    track.onReceiving(() => this.noteMedia());
    return track;
  }

  lastHeardAt(): number {
    return this.bytes.at;
  }

  /** Reads the counters of the tracks and the transport. */
  async sweep(): Promise<void> {
    if (this.state === 'new' || this.state === 'closed') return;
    try {
      await Promise.all([...this.tracks].map(track => track.sweep()));
      await this.sweepTransport();
    } catch (error) {
      if (!this.transport.closed) throw error;
    }
  }

  protected override closeTracks(): void {
    for (const track of this.tracks) track.closeNow();
  }

  private noteMedia(): void {
    if ([...this.tracks].every(track => track.lastReceivedAt() !== undefined)) this.meter.onMedia();
  }

  /** Reads the transport's counters only if the tracks do not show that media arrives. */
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
