import type { Operation } from '@rtms/contracts';
import { ManualClock } from '@rtms/testing';
import type { Repository } from 'typeorm';
import type { Caller } from '../../platform/auth/caller.js';
import type { DisposableKeyUsage } from './disposable-key.entity.js';
import type { DisposableKeysRepository, KeyUse } from './disposable-keys.repository.js';
import { KeyUsageService, UsageTally } from './key-usage.service.js';

const begun = Date.UTC(2026, 10, 21, 10);
const at = (ms: number) => new Date(begun + ms);

/** A key and a fake repository that notes how many uses each write stored. */
class UsedKey {
  readonly written: number[] = [];
  readonly clock = new ManualClock(begun);
  readonly usage = new KeyUsageService({} as Repository<DisposableKeyUsage>, this.repository(), this.clock);

  async use(ms: number, lastUsedAt: Date | null): Promise<void> {
    await this.clock.advance(at(ms).getTime() - this.clock.now());
    const caller = { keyKind: 'disposable', keyID: 'key_1', lastUsedAt } as Caller;
    await this.usage.note(caller, 'readRooms' satisfies Operation);
  }

  private repository(): DisposableKeysRepository {
    const addUses = (uses: readonly KeyUse[]) => {
      this.written.push(...uses.map(each => each.requestCount));
      return Promise.resolve();
    };
    return { addUses } as unknown as DisposableKeysRepository;
  }
}

describe('KeyUsageService', () => {
  it('stores waiting uses at once when the last stored use is two seconds old', async () => {
    const key = new UsedKey();
    await key.use(0, null);
    expect(key.written).toEqual([1]);
    await key.use(1_000, at(0));
    await key.use(1_999, at(0));
    expect(key.written).toEqual([1]);
    await key.use(2_000, at(0));
    expect(key.written).toEqual([1, 3]);
  });

  it('stores all uses at shutdown', async () => {
    const key = new UsedKey();
    await key.use(1_000, at(0));
    await key.use(1_500, at(0));
    await key.usage.onModuleDestroy();
    expect(key.written).toEqual([2]);
  });
});

const use = (keyID: string, second: number, operation: 'readRooms' | 'createRoom' = 'readRooms') => ({
  keyID,
  operation,
  requestCount: 1,
  lastUsedAt: at(second * 1000),
});

describe('UsageTally', () => {
  it('adds up uses by key and operation and keeps the latest time', () => {
    const tally = new UsageTally();
    for (const each of [use('a', 2), use('a', 1), use('a', 3, 'createRoom'), use('b', 4)]) tally.add(each);
    expect(tally.take('a')).toEqual([{ ...use('a', 2), requestCount: 2 }, use('a', 3, 'createRoom')]);
  });

  it('returns each use once', () => {
    const tally = new UsageTally();
    tally.add(use('b', 1));
    tally.add(use('a', 1));
    expect(tally.takeAll().map(each => each.keyID)).toEqual(['a', 'b']);
    expect([tally.takeAll(), tally.take('a')]).toEqual([[], []]);
  });

  it('accepts uses again that were taken', () => {
    const tally = new UsageTally();
    tally.add(use('a', 1));
    const taken = tally.takeAll();
    tally.add(use('a', 2));
    for (const each of taken) tally.add(each);
    expect(tally.takeAll()).toEqual([{ ...use('a', 2), requestCount: 2 }]);
  });
});
