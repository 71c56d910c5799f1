/** How a transport does: `restarting` while ICE is agreed on anew, `lost` when that did not help either. */
export type RecoveryPhase = 'steady' | 'waiting' | 'restarting' | 'lost';

/** What the transport says, or that a phase took too long (`overdue`), or that the server knows it no more. */
export type RecoveryInput = 'connected' | 'disconnected' | 'failed' | 'overdue' | 'refused';

const table: Readonly<Record<RecoveryPhase, Readonly<Partial<Record<RecoveryInput, RecoveryPhase>>>>> = {
  steady: { disconnected: 'waiting', failed: 'restarting' },
  waiting: { connected: 'steady', failed: 'restarting', overdue: 'restarting' },
  restarting: { connected: 'steady', overdue: 'lost', refused: 'lost' },
  lost: {},
};

/** What does not concern a phase leaves it as it is. */
export function nextRecoveryPhase(phase: RecoveryPhase, input: RecoveryInput): RecoveryPhase {
  return table[phase][input] ?? phase;
}

/** Most gaps close by themselves in this time. */
export const waitingMs = 3_000;
/** From the new ICE parameters to the connection. */
export const restartingMs = 10_000;
