import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { RepeatingTask } from '../../platform/jobs/repeating-task.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { RowChanges, WatchedRowsRepository, type Change } from './watched-rows.repository.js';

const lookMs = 1_000;
const maxFollowers = 1_000;
const maxPerAccount = 50;

/** An open page of the dashboard. */
export interface Follower {
  /** Called once: from now on the page gets changes. */
  ready(): void;
  changed(changes: readonly Change[]): void;
  /** Called about once a second. False ends the stream. */
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
 * Compares once a second the rows of accounts with an open page. It finds changes of any replica, and accounts without an
 * open page cost nothing.
 */
@Injectable()
export class AccountWatchService implements BeforeApplicationShutdown {
  private readonly watches = new Map<string, Watch>();
  private isClosed = false;

  constructor(
    private readonly rows: WatchedRowsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Pages of one account share one comparison. Throws RATE_LIMITED when too many pages are open. */
  follow(accountID: string, follower: Follower): void {
    if (this.isClosed) throw new ServiceError('dependency_unavailable', 'The gateway is stopping. Connect again.');
    const watch = this.watches.get(accountID) ?? this.open(accountID);
    const open = [...this.watches.values()].reduce((sum, { followers }) => sum + followers.size, 0);
    if (watch.followers.size >= maxPerAccount || open >= maxFollowers) {
      throw new ServiceError('rate_limited', 'Too many pages of the dashboard are open. Close some of them.');
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

  /** A stopping server waits for open streams, which never end by themselves. */
  async close(): Promise<void> {
    this.isClosed = true;
    const watches = [...this.watches.values()];
    this.watches.clear();
    for (const { followers } of watches) for (const follower of followers) follower.end();
    await Promise.all(watches.map(({ task }) => task.close()));
  }

  private open(accountID: string): Watch {
    const task = new RepeatingTask(this.clock, AccountWatchService.name, lookMs, () => this.look(accountID, watch));
    const watch: Watch = { followers: new Set(), unready: new Set(), changes: new RowChanges(), task };
    this.watches.set(accountID, watch);
    return watch;
  }

  private async look(accountID: string, watch: Watch): Promise<void> {
    await endUnwanted(watch.followers);
    const waiting = [...watch.unready];
    const changes = watch.changes.compare(await this.rows.readVersions(accountID));
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
