import {
  inputOfRefusal,
  nextPhase,
  retryDelay,
  type ConnectionInput,
  type ConnectionPhase,
} from './connection-phase.js';

const inputs: ConnectionInput[] = ['welcome', 'lost', 'refused', 'retry', 'farewell', 'close'];

describe('the phases of a connection', () => {
  it.each<[ConnectionPhase, ConnectionPhase[]]>([
    //             welcome      lost       refused       retry         farewell    close
    ['connecting', ['connected', 'waiting', 'closed', 'connecting', 'closed', 'closed']],
    ['connected', ['connected', 'waiting', 'connected', 'connected', 'closed', 'closed']],
    ['waiting', ['waiting', 'waiting', 'waiting', 'connecting', 'waiting', 'closed']],
    ['closed', ['closed', 'closed', 'closed', 'closed', 'closed', 'closed']],
  ])('move from %s to %j', (phase, next) => {
    expect(inputs.map(input => nextPhase(phase, input))).toEqual(next);
  });

  it('treat a temporary refusal as a loss', () => {
    expect((['UNAUTHORIZED', 'CONFLICT', 'BAD_REQUEST'] as const).map(inputOfRefusal)).toEqual(
      Array(3).fill('refused'),
    );
    expect((['RATE_LIMITED', 'SERVICE_UNAVAILABLE', 'INTERNAL_ERROR'] as const).map(inputOfRefusal)).toEqual(
      Array(3).fill('lost'),
    );
  });

  it('wait longer with each attempt, up to 10 s, and not all for the same time', () => {
    expect([0, 1, 2, 3, 9, 100].map(attempt => retryDelay(attempt, 1))).toEqual([
      500, 1000, 2000, 4000, 10_000, 10_000,
    ]);
    expect(retryDelay(0, 0)).toBe(250);
  });
});
