import type { RestreamProblem } from '@rtms/contracts';
import { failureOf, resolveTarget } from './target-connection.js';

interface Case {
  error: { code?: string; syscall?: string };
  isSecure?: boolean;
  problem: RestreamProblem;
}

describe('the failure of a connection', () => {
  it.each<Case>([
    { error: { code: 'ENOTFOUND', syscall: 'getaddrinfo' }, problem: 'host_not_found' },
    { error: { code: 'ESERVFAIL', syscall: 'queryA' }, problem: 'host_not_found' },
    { error: { code: 'ECONNREFUSED', syscall: 'connect' }, isSecure: true, problem: 'connection_refused' },
    { error: { code: 'ECONNREFUSED', syscall: 'queryA' }, problem: 'host_not_found' },
    { error: { code: 'ETIMEDOUT', syscall: 'connect' }, problem: 'connection_timed_out' },
    { error: { code: 'EPRIVATE' }, problem: 'target_not_allowed' },
    { error: { code: 'CERT_HAS_EXPIRED' }, isSecure: true, problem: 'tls_failed' },
    { error: {}, problem: 'sender_failed' },
    { error: {}, isSecure: true, problem: 'sender_failed' },
  ])('$error is $problem', ({ error, isSecure, problem }) => {
    const failure = failureOf(Object.assign(new Error('it failed'), error), isSecure);
    expect(failure.problem).toBe(problem);
  });

  it('names a host without addresses', async () => {
    const network = { resolve: () => Promise.resolve([]) };
    const resolving = resolveTarget(new URL('srt://live.example.com:9000'), false, network);
    await expect(resolving).rejects.toMatchObject({ problem: 'host_not_found' });
  });
});
