import { randomBytes } from 'node:crypto';
import {
  closedError,
  type DtlsRole,
  type Fingerprint,
  type LocalIce,
  type PeerTransport,
  type TransportState,
} from '../media-engine.js';
import { Listeners } from '../listeners.js';

const fingerprints: Fingerprint[] = [{ algorithm: 'sha-256', value: Array(32).fill('AB').join(':') }];

function newIce(): LocalIce {
  const candidate = { foundation: 'udpcandidate', address: '127.0.0.1', port: 40000 };
  return {
    usernameFragment: randomBytes(8).toString('hex'),
    password: randomBytes(16).toString('hex'),
    candidates: [
      { ...candidate, priority: 1076302079, protocol: 'udp' },
      { ...candidate, foundation: 'tcpcandidate', priority: 1076276479, protocol: 'tcp', tcpType: 'passive' },
    ],
  };
}

/** A peer connection for tests. The `peer…` methods play the peer. */
export class MemoryPeerTransport implements PeerTransport {
  readonly fingerprints = fingerprints;
  /** The argument of `connect`. */
  remote: { role: DtlsRole; fingerprints: Fingerprint[] } | undefined;
  private currentIce = newIce();
  private currentState: TransportState = 'new';
  private readonly stateListeners = new Listeners<[TransportState]>();

  constructor(private readonly onClosed: () => void) {}

  get ice(): LocalIce {
    return this.currentIce;
  }

  get state(): TransportState {
    return this.currentState;
  }

  async connect(remote: { role: DtlsRole; fingerprints: Fingerprint[] }): Promise<void> {
    this.assertOpen();
    this.remote = remote;
  }

  async restartIce(): Promise<LocalIce> {
    this.assertOpen();
    this.currentIce = newIce();
    return this.currentIce;
  }

  onStateChange(listener: (state: TransportState) => void): void {
    this.stateListeners.add(listener);
  }

  async close(): Promise<void> {
    if (this.currentState === 'closed') return;
    this.onClosed();
    this.moveTo('closed');
    this.stateListeners.clear();
  }

  /** The peer has finished ICE and DTLS, for the first time or after a loss. */
  peerConnects(): void {
    if (!this.remote) throw new Error('The peer cannot connect before connect() was called.');
    this.moveTo('connected');
  }

  /** The peer no longer answers. */
  peerVanishes(): void {
    this.moveTo('lost');
  }

  protected assertOpen(): void {
    if (this.currentState === 'closed') throw closedError();
  }

  private moveTo(state: TransportState): void {
    if (this.currentState === state || this.currentState === 'closed') return;
    this.currentState = state;
    this.stateListeners.emit(state);
  }
}
