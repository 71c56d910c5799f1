import type { types } from 'mediasoup';
import { closedError } from '../media-errors.js';
import { Listeners } from '../listeners.js';
import type {
  DtlsRole,
  Fingerprint,
  LocalCandidate,
  LocalIce,
  PeerTransport,
  TransportState,
} from '../media-engine.js';

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
    private readonly onClosed: () => void,
  ) {
    transport.on('icestatechange', () => this.update());
    transport.on('dtlsstatechange', () => this.update());
  }

  get ice(): LocalIce {
    const { usernameFragment, password } = this.transport.iceParameters;
    return { usernameFragment, password, candidates: this.transport.iceCandidates.map(localCandidate) };
  }

  get fingerprints(): Fingerprint[] {
    return this.transport.dtlsParameters.fingerprints;
  }

  get state(): TransportState {
    return this.currentState;
  }

  async connect(remote: { role: DtlsRole; fingerprints: Fingerprint[] }): Promise<void> {
    const fingerprints = remote.fingerprints as types.DtlsFingerprint[];
    await this.whileOpen(this.transport.connect({ dtlsParameters: { role: remote.role, fingerprints } }));
  }

  async restartIce(): Promise<LocalIce> {
    await this.whileOpen(this.transport.restartIce());
    return this.ice;
  }

  onStateChange(listener: (state: TransportState) => void): void {
    this.stateListeners.add(listener);
  }

  async close(): Promise<void> {
    this.closeNow();
  }

  /** Closing takes no time: the worker is told, or is gone. */
  closeNow(): void {
    if (this.currentState === 'closed') return;
    this.transport.close();
    this.onClosed();
    this.moveTo('closed');
    this.stateListeners.clear();
  }

  /** A rejection because the connection closed meanwhile becomes the port's own error. */
  protected async whileOpen<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw this.transport.closed ? closedError() : error;
    }
  }

  /** Says that nothing at all has been heard of the peer for long, or that it is heard again. */
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
    this.stateListeners.emit(state);
  }
}
