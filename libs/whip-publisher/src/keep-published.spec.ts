import { ManualClock } from '@rtms/testing';
import { keepPublished, type Publication } from './keep-published.js';
import { WhipRefusal, type WhipPublisher, type WhipTarget } from './whip-publisher.js';

/** A connection that the test refuses, opens or ends. */
class FakePublisher {
  readonly calls: string[] = [];
  private lose: (reason: string) => void = () => undefined;
  readonly lost = new Promise<string>(resolve => (this.lose = resolve));

  constructor(private readonly answer: Error | 'connected') {}

  async connect({ token }: WhipTarget): Promise<void> {
    this.calls.push(token ?? '');
    if (this.answer instanceof Error) throw this.answer;
  }

  async leave(): Promise<void> {
    this.calls.push('leave');
  }

  close(): void {
    this.calls.push('close');
    this.lose('closed');
  }
}

const refusal = (status: number, reason: string) =>
  WhipRefusal.of(status, JSON.stringify({ success: false, error: 'No.', reason }));
const renewable = { renew: async () => ({ url: 'http://sfu', token: 'renewed' }) };

describe('keepPublished', () => {
  let clock: ManualClock;
  let stop: AbortController;
  let publishers: FakePublisher[];
  const problems: string[] = [];

  beforeEach(() => {
    clock = new ManualClock();
    stop = new AbortController();
    publishers = [];
    problems.length = 0;
  });

  function publish(answers: (Error | 'connected')[], options: Partial<Publication> = {}): Promise<string> {
    const end = keepPublished({
      ...{ clock, signal: stop.signal, target: { url: 'http://sfu', token: 'first' } },
      open: () => {
        const publisher = new FakePublisher(answers.shift() ?? new Error('fetch failed'));
        publishers.push(publisher);
        return publisher as unknown as WhipPublisher;
      },
      send: publisher => publisher.lost,
      onProblem: (error, pauseMs) => problems.push(`${(error as Error).message} ${pauseMs}`),
      ...options,
    });
    return end.catch((error: unknown) => String((error as Error).message));
  }

  it.each<[string, Error, Partial<Publication>]>([
    ['an offer', refusal(422, 'unacceptable_offer'), renewable],
    ['a second publisher', refusal(409, 'already_publishing'), renewable],
    ['an expired token', refusal(401, 'token_expired'), {}],
    ['an ended session', refusal(409, 'session_ended'), renewable],
    ['an unknown session', refusal(404, 'not_found'), {}],
  ])('ends with the refusal of %s', async (_, answer, options) => {
    expect(await publish([answer], options)).toBe(answer.message);
    expect(publishers.map(({ calls }) => calls)).toEqual([['first', 'close']]);
  });

  it.each<[string, Error, Partial<Publication>]>([
    ['a full service', refusal(503, 'capacity_reached'), {}],
    ['its own former connection', refusal(409, 'already_publishing'), { isReturning: true }],
    ['an expired token', refusal(401, 'token_expired'), renewable],
    ['a session that moves', refusal(404, 'not_found'), renewable],
    ['an unreachable service', new Error('fetch failed'), {}],
    ['a proxy', WhipRefusal.of(502, '<html>'), {}],
  ])('tries again after %s', async (_, answer, options) => {
    const end = publish([answer, 'connected'], options);
    await clock.advance(500);
    expect(publishers.map(({ calls }) => calls)).toEqual([
      ['first', 'close'],
      ['renew' in options ? 'renewed' : 'first'],
    ]);
    stop.abort();
    expect(await end).toBe('stopped');
  });

  it('tries again while the service takes its failed attempt for another publisher', async () => {
    const failed = new Error('no media connection to the service: failed');
    const end = publish([failed, refusal(409, 'already_publishing'), refusal(409, 'already_publishing'), 'connected']);
    await clock.advance(500 + 1_000 + 2_000);
    expect(publishers.map(({ calls }) => calls)).toEqual([
      ...[
        ['first', 'close'],
        ['first', 'close'],
        ['first', 'close'],
      ],
      ['first'],
    ]);
    stop.abort();
    expect(await end).toBe('stopped');
  });

  it('ends with the refusal of a second publisher after a passing one', async () => {
    const end = publish([refusal(503, 'capacity_reached'), refusal(409, 'already_publishing')]);
    await clock.advance(500);
    expect(await end).toBe(refusal(409, 'already_publishing').message);
  });

  it.each([
    [true, ['first', 'leave', 'close', 'close']],
    [false, ['first', 'close', 'close']],
  ])('leaves the session at a stop: %s', async (endsSession, calls) => {
    const end = publish(['connected'], { endsSession });
    await clock.advance(0);
    stop.abort();
    expect(await end).toBe('stopped');
    expect(publishers[0]?.calls).toEqual(calls);
    expect(clock.pending).toBe(0);
  });

  it('connects at once after a steady connection, and slowly to a service that drops each one', async () => {
    const end = publish(['connected', 'connected', 'connected', 'connected']);
    await clock.advance(5_000);
    publishers[0]?.close();
    await clock.advance(100);
    publishers[1]?.close();
    await clock.advance(500);
    publishers[2]?.close();
    await clock.advance(1_000);
    expect(problems.map(text => text.split('. ')[1])).toEqual(['100', '500', '1000']);
    stop.abort();
    await end;
  });

  it('ends when the service ends the session', async () => {
    const end = publish(['connected', refusal(409, 'session_ended')]);
    await clock.advance(0);
    publishers[0]?.close();
    await clock.advance(500);
    expect(await end).toBe('ended');
  });

  it('ends when no new token is given, and tries the old one when nobody answers', async () => {
    const answers: (() => Promise<WhipTarget | undefined>)[] = [
      () => Promise.reject(new Error('timeout')),
      async () => undefined,
    ];
    const end = publish([], { renew: () => (answers.shift() ?? answers[0]!)() });
    await clock.advance(500);
    expect(publishers.at(-1)?.calls).toEqual(['first', 'close']);
    await clock.advance(1_000);
    expect(await end).toBe('ended');
    expect(publishers).toHaveLength(2);
  });

  it('gives up after a minute', async () => {
    const end = publish([]);
    await clock.advance(70_000);
    expect(await end).toBe('unreachable');
    expect(clock.pending).toBe(0);
  });
});
