import { problemInNatsLog, problemInPostgresLog, problemInServiceLog } from './log-lines.mjs';

describe('the terminal’s part of a service’s log', () => {
  it.each([
    ['nothing of ordinary lines', '{"level":"info","msg":"listening"}', undefined],
    ['warnings', '{"level":"warn","msg":"slow disk"}', 'slow disk'],
    [
      'errors with their cause',
      '{"level":"error","msg":"lost","err":{"message":"ECONNREFUSED"}}',
      'lost: ECONNREFUSED',
    ],
    ['lines that are not JSON', 'Segmentation fault', 'Segmentation fault'],
    ['nothing of blank lines', '  ', undefined],
  ])('is %s', (_what, line, shown) => {
    expect(problemInServiceLog(line)).toBe(shown);
  });
});

describe('the terminal’s part of a server’s log', () => {
  it('is what stops PostgreSQL', () => {
    expect(problemInPostgresLog('2026-01-01 UTC [7] FATAL:  data directory has wrong ownership')).toBe(
      'data directory has wrong ownership',
    );
  });

  it.each(['LOG:  checkpoint starting', 'FATAL:  the database system is starting up'])('is not %s', line => {
    expect(problemInPostgresLog(line)).toBeUndefined();
  });

  it('is what NATS calls an error', () => {
    expect(problemInNatsLog('[7] 2026/01/01 00:00:00 [ERR] no space left')).toBe('no space left');
    expect(problemInNatsLog('[7] 2026/01/01 00:00:00 [INF] Server is ready')).toBeUndefined();
  });
});
