import type { Clock, Timer } from '@rtms/clock';
import type { types } from 'mediasoup-client';
import type { SendCommand } from './media-ports.js';
import {
  nextRecoveryPhase,
  restartingMs,
  waitingMs,
  type RecoveryInput,
  type RecoveryPhase,
} from './recovery-phase.js';

const inputs: Readonly<Partial<Record<types.ConnectionState, RecoveryInput>>> = {
  connected: 'connected',
  disconnected: 'disconnected',
  failed: 'failed',
};

/** Watches a transport and restarts its ICE when it fails; tells once when that did not help. */
export class TransportRecovery {
  private phase: RecoveryPhase = 'steady';
  private timer: Timer | undefined;

  constructor(
    private readonly transport: types.Transport,
    private readonly send: SendCommand,
    private readonly clock: Clock,
    private readonly onLost: () => void,
  ) {
    transport.on('connectionstatechange', state => {
      const input = inputs[state];
      if (input) this.take(input);
    });
    transport.observer.once('close', () => this.timer?.cancel());
  }

  private take(input: RecoveryInput): void {
    const former = this.phase;
    this.phase = nextRecoveryPhase(former, input);
    if (this.phase === former || this.transport.closed) return;
    this.timer?.cancel();
    if (this.phase === 'waiting') this.allow(waitingMs);
    if (this.phase === 'restarting') void this.restart();
    if (this.phase === 'lost') this.onLost();
  }

  private allow(milliseconds: number): void {
    this.timer = this.clock.after(milliseconds, () => this.take('overdue'));
  }

  private async restart(): Promise<void> {
    try {
      // Waits for as long as there is no connection to the gateway.
      const { iceParameters } = await this.send('media.restartIce', { transportID: this.transport.id });
      if (this.phase !== 'restarting' || this.transport.closed) return;
      await this.transport.restartIce({ iceParameters: iceParameters as unknown as types.IceParameters });
      if (this.isStillRestarting()) this.allow(restartingMs);
    } catch {
      this.take('refused');
    }
  }

  private isStillRestarting(): boolean {
    return this.phase === 'restarting' && !this.transport.closed;
  }
}
