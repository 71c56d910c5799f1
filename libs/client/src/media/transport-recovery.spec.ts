import { nextRecoveryPhase, type RecoveryInput, type RecoveryPhase } from './transport-recovery.js';

const inputs: RecoveryInput[] = ['connected', 'disconnected', 'failed', 'overdue', 'refused'];

describe('the recovery of a transport', () => {
  it.each<[RecoveryPhase, RecoveryPhase[]]>([
    //             connected  disconnected  failed        overdue       refused
    ['steady', ['steady', 'waiting', 'restarting', 'steady', 'steady']],
    ['waiting', ['steady', 'waiting', 'restarting', 'restarting', 'waiting']],
    ['restarting', ['steady', 'restarting', 'restarting', 'lost', 'lost']],
    ['lost', ['lost', 'lost', 'lost', 'lost', 'lost']],
  ])('moves from %s to %j', (phase, next) => {
    expect(inputs.map(input => nextRecoveryPhase(phase, input))).toEqual(next);
  });
});
