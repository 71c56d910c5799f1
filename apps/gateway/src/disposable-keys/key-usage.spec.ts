import type { Operation } from '@rtms/contracts';
import { ManualClock } from '@rtms/testing';
import type { DataSource } from 'typeorm';
import type { Caller } from '../auth/caller.js';
import { KeyUsageService } from './key-usage.service.js';

const begun = Date.UTC(2026, 10, 21, 10);
const at = (ms: number) => new Date(begun + ms);

/** A key as it is used, with a database that keeps how many uses each writing wrote. */
class UsedKey {
  readonly written: number[] = [];
  readonly clock = new ManualClock(begun);
  readonly usage = new KeyUsageService(this.database(), this.clock);

  async use(ms: number, lastUsedAt: Date | null): Promise<void> {
    await this.clock.advance(at(ms).getTime() - this.clock.now());
    const caller = { keyKind: 'disposable', keyID: 'key_1', lastUsedAt } as Caller;
    await this.usage.note(caller, 'readRooms' satisfies Operation);
  }

  private database(): DataSource {
    const query = (statement: string, [, , counts]: [unknown, unknown, number[]?]) => {
      if (statement.includes('disposable_key_usage')) this.written.push(...(counts ?? []));
      return Promise.resolve([]);
    };
    const transaction = (work: (manager: unknown) => Promise<void>) => work({ query });
    return { transaction } as unknown as DataSource;
  }
}

describe('the uses of a disposable key', () => {
  it('are written at once when none was written for two seconds, with those before', async () => {
    const key = new UsedKey();
    await key.use(0, null);
    expect(key.written).toEqual([1]);
    await key.use(1_000, at(0));
    await key.use(1_999, at(0));
    expect(key.written).toEqual([1]);
    await key.use(2_000, at(0));
    expect(key.written).toEqual([1, 3]);
  });

  it('are all written at an orderly end', async () => {
    const key = new UsedKey();
    await key.use(1_000, at(0));
    await key.use(1_500, at(0));
    await key.usage.onModuleDestroy();
    expect(key.written).toEqual([2]);
  });
});
