import type { Clock, Timer } from '@rtms/clock';
import type { types } from 'mediasoup-client';
import type { SendCommand } from './media-ports.js';

const inputs: Readonly<Partial<Record<types.ConnectionState, RecoveryInput>>> = {
  connected: 'connected',
  disconnected: 'disconnected',
  failed: 'failed',
};

/** Restarts ICE when a transport fails. Calls `onLost` once if the restart does not help. */
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
      // Waits while there is no connection to the gateway.
      const { iceParameters, iceServers } = await this.send('media.restartIce', { transportID: this.transport.id });
      if (this.phase !== 'restarting' || this.transport.closed) return;
      // The TURN credentials of the opening may have expired.
      if (iceServers) await this.transport.updateIceServers({ iceServers });
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

/** State of a transport. `restarting`: ICE is being restarted. `lost`: the restart failed. */
export type RecoveryPhase = 'steady' | 'waiting' | 'restarting' | 'lost';

/** A state of the transport, a timeout (`overdue`), or a refusal because the server no longer has the transport. */
export type RecoveryInput = 'connected' | 'disconnected' | 'failed' | 'overdue' | 'refused';

const table: Readonly<Record<RecoveryPhase, Readonly<Partial<Record<RecoveryInput, RecoveryPhase>>>>> = {
  steady: { disconnected: 'waiting', failed: 'restarting' },
  waiting: { connected: 'steady', failed: 'restarting', overdue: 'restarting' },
  restarting: { connected: 'steady', overdue: 'lost', refused: 'lost' },
  lost: {},
};

/** Returns the next phase. An input without an entry in the table changes nothing. */
export function nextRecoveryPhase(phase: RecoveryPhase, input: RecoveryInput): RecoveryPhase {
  return table[phase][input] ?? phase;
}

/** Most interruptions end within this time without a restart. */
const waitingMs = 3_000;
/** Limit from the new ICE parameters to the connection. */
const restartingMs = 10_000;
