import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { RepeatingTask } from '../background/repeating-task.js';
import { CLOCK } from '../runtime.module.js';
import { RowChanges, type Change } from './row-changes.js';
import { versionsStatement, type RowVersion } from './watched-tables.js';

const lookMs = 1_000;
const maxFollowers = 1_000;
const maxPerAccount = 50;

/** One open page. */
export interface Follower {
  /** Changes are watched from now on. */
  ready(): void;
  changed(changes: readonly Change[]): void;
  /** About once a second; whether it is to go on. */
  isWanted(): Promise<boolean>;
  end(): void;
}

interface Watch {
  followers: Set<Follower>;
  unready: Set<Follower>;
  changes: RowChanges;
  task: RepeatingTask;
}

/**
 * Looks once a second at what changed in the accounts that have a page open here. Rows are looked at, whoever changed
 * them on whatever replica: nothing that writes must tell, and accounts without an open page cost nothing.
 */
@Injectable()
export class AccountWatch implements BeforeApplicationShutdown {
  private readonly watches = new Map<string, Watch>();
  private isClosed = false;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Pages of one account share one look. RATE_LIMITED when there are too many of them. */
  follow(accountID: string, follower: Follower): void {
    if (this.isClosed) throw new ServiceError('dependency_unavailable', 'The gateway stops.');
    const watch = this.watches.get(accountID) ?? this.open(accountID);
    const open = [...this.watches.values()].reduce((sum, { followers }) => sum + followers.size, 0);
    if (watch.followers.size >= maxPerAccount || open >= maxFollowers) {
      throw new ServiceError('rate_limited', 'Too many pages of the dashboard are open.');
    }
    watch.followers.add(follower);
    watch.unready.add(follower);
    watch.task.trigger();
  }

  unfollow(accountID: string, follower: Follower): void {
    const watch = this.watches.get(accountID);
    watch?.followers.delete(follower);
    watch?.unready.delete(follower);
    if (!watch || watch.followers.size > 0) return;
    this.watches.delete(accountID);
    void watch.task.close();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.close();
  }

  /** Streams never end by themselves, and a server that stops waits for them. */
  async close(): Promise<void> {
    this.isClosed = true;
    const watches = [...this.watches.values()];
    this.watches.clear();
    for (const { followers } of watches) for (const follower of followers) follower.end();
    await Promise.all(watches.map(({ task }) => task.close()));
  }

  private open(accountID: string): Watch {
    const task = new RepeatingTask(this.clock, AccountWatch.name, lookMs, () => this.look(accountID, watch));
    const watch: Watch = { followers: new Set(), unready: new Set(), changes: new RowChanges(), task };
    this.watches.set(accountID, watch);
    return watch;
  }

  private async look(accountID: string, watch: Watch): Promise<void> {
    await endUnwanted(watch.followers);
    const waiting = [...watch.unready];
    const changes = watch.changes.look(await this.database.query<RowVersion[]>(versionsStatement, [accountID]));
    if (changes.length > 0) for (const follower of watch.followers) follower.changed(changes);
    for (const follower of waiting) {
      watch.unready.delete(follower);
      follower.ready();
    }
  }
}

async function endUnwanted(followers: ReadonlySet<Follower>): Promise<void> {
  for (const follower of [...followers]) {
    if (!(await follower.isWanted())) follower.end();
  }
}
