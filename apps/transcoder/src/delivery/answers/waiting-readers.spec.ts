import { inspect } from 'node:util';
import { ManualClock } from '@rtms/testing';
import { TestBroadcast } from '../presentation/testing/low-latency-bed.js';
import { setUp } from '../presentation/testing/presentation-bed.js';
import { mayWait, mediaCheck, WaitingReaders, type WaitingReader } from './waiting-readers.js';

const reader: WaitingReader = { address: '192.0.2.1', broadcastID: 'bcast_1', accountID: 'acc_1' };

describe('the requests that wait for low-latency HLS', () => {
  let waiting: WaitingReaders;
  let clock: ManualClock;
  beforeEach(() => {
    clock = new ManualClock();
    waiting = new WaitingReaders(clock);
  });

  /** Takes places until none is free, at most 20,000. */
  function takeAll(next: (index: number) => WaitingReader): (() => void)[] {
    const taken: (() => void)[] = [];
    try {
      for (let index = 0; index < 20_000; index += 1) taken.push(waiting.take(next(index)));
    } catch (error) {
      expect(error).toMatchObject({ reason: 'too_many_waiting', retryAfterSeconds: 1 });
    }
    return taken;
  }

  it.each<[string, number, (index: number) => WaitingReader]>([
    ['an address', 256, () => reader],
    ['another node', 2_048, () => ({ ...reader, isForwarded: true })],
    ['a broadcast', 4_000, index => ({ ...reader, address: `${index}` })],
    ['an account', 8_000, index => ({ ...reader, address: `${index}`, broadcastID: `${index}` })],
    ['a node', 16_000, index => ({ address: `${index}`, broadcastID: `${index}` })],
  ])('have no more than the places of %s: %d', (_name, places, next) => {
    const taken = takeAll(next);
    expect([taken.length, waiting.size]).toEqual([places, places]);
    for (const free of taken) free();
    for (const free of taken) free();
    expect(waiting.size).toBe(0);
    expect(takeAll(next)).toHaveLength(places);
  });

  it('free their own place only, and leave nothing in memory', () => {
    const [free, other] = [waiting.take(reader), waiting.take(reader)];
    free();
    free();
    expect(waiting.size).toBe(1);
    expect(takeAll(() => reader)).toHaveLength(255);
    expect(inspect(waiting)).toContain(reader.address);
    waiting = new WaitingReaders(clock);
    waiting.take(reader)();
    expect(inspect(waiting)).not.toContain(reader.address);
    other();
  });

  it('leave places to other addresses, broadcasts and accounts', () => {
    takeAll(() => reader);
    expect(waiting.take({ ...reader, address: '192.0.2.2' })).toBeDefined();
    takeAll(index => ({ ...reader, address: `${index}` }));
    expect(waiting.take({ ...reader, address: 'a', broadcastID: 'bcast_2' })).toBeDefined();
    takeAll(index => ({ ...reader, address: `${index}`, broadcastID: `${index}` }));
    expect(waiting.take({ ...reader, address: 'a', broadcastID: 'bcast_3', accountID: 'acc_2' })).toBeDefined();
  });

  describe('end', () => {
    const listeners = new Set<() => void>();
    const presentation = {
      onChanged: (listener: () => void) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    };
    const change = () => [...listeners].forEach(listener => listener());
    let isReady: boolean;
    let gone: AbortController;
    const start = () => waiting.until(presentation, () => isReady, { longestMs: 6_000, signal: gone.signal });
    beforeEach(() => {
      isReady = false;
      gone = new AbortController();
    });
    afterEach(() => expect(listeners.size).toBe(0));

    it('with the change that they wait for', async () => {
      const wait = start();
      change();
      expect(listeners.size).toBe(1);
      isReady = true;
      change();
      expect(await wait).toBe(true);
    });

    it('at once if there is nothing to wait for', async () => {
      isReady = true;
      expect(await start()).toBe(true);
    });

    it('after their time', async () => {
      const wait = start();
      await clock.advance(6_000);
      expect(await wait).toBe(false);
    });

    it('with their player, also if it has gone before', async () => {
      const wait = start();
      gone.abort();
      expect([await wait, await start()]).toEqual([false, false]);
    });

    it('with an error of the check', async () => {
      const failing = waiting.until(
        presentation,
        () => {
          throw new Error('too far ahead');
        },
        { longestMs: 6_000, signal: gone.signal },
      );
      await expect(failing).rejects.toThrow('too far ahead');
    });
  });
});

describe('the wait of a request', () => {
  let broadcast: TestBroadcast;
  beforeEach(async () => {
    broadcast = new TestBroadcast();
    await broadcast.begin();
    await broadcast.segments(1);
  });
  afterEach(() => broadcast.presentation.close());
  const check = (file: string, query = '') => mediaCheck(broadcast.presentation, file, query);
  const part = (count: number) => {
    for (let index = 0; index < count; index += 1) (['a', 'b'] as const).forEach(name => broadcast.part(name));
  };

  it('is for the playlist that it names', () => {
    const [without, reached, next] = [
      check('a/index.m3u8'),
      check('a/index.m3u8', '_HLS_msn=0'),
      check('a/index.m3u8', '_HLS_msn=1&_HLS_part=1'),
    ];
    expect([without(), reached(), next()]).toEqual([true, true, false]);
    part(1);
    expect(next()).toBe(false);
    part(1);
    expect(next()).toBe(true);
    expect(() => check('a/index.m3u8', '_HLS_msn=x')).toThrow('_HLS_msn must be one whole number');
    expect(check('a/index.m3u8', '_HLS_msn=9')).toThrow('_HLS_msn is more than two segments ahead.');
  });

  it('is for the next part, and no other file', () => {
    const hint = /PRELOAD-HINT:TYPE=PART,URI="([^"]+)"/.exec(broadcast.playlist())?.[1] ?? '';
    const next = check(`a/${hint}`);
    const others = ['a/other.m4s', `c/${hint}`, `a/${hint.replace('.0.', '.1.')}`].map(file => check(file)());
    expect([next(), ...others]).toEqual([false, true, true, true]);
    part(1);
    expect(next()).toBe(true);
  });

  it('is none without low latency or without a directive', () => {
    const { presentation } = broadcast;
    const asked = ['', '_HLS_skip=YES', '_HLS_msn=0', '_HLS_msn=1', '_HLS_msn=x', '_HLS_msn=9'];
    expect(asked.map(query => mayWait(presentation, 'a/index.m3u8', query))).toEqual([
      ...[false, false, false],
      ...[true, true, true],
    ]);
    expect(mayWait(setUp().presentation, 'a/index.m3u8', '_HLS_msn=1')).toBe(false);
  });
});
