import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { dashboardEventKinds, ServiceError, type DashboardEvent, type DashboardEventKind } from '@rtms/contracts';
import { ChangeSet, type ResourceChange } from '../../platform/changes/change-set.js';
import { RepeatingTask } from '../../platform/jobs/repeating-task.js';
import { DomainEvents } from '../../platform/runtime/domain-events.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';

const sendMs = 1_000;
const maxFollowers = 1_000;
const maxPerAccount = 50;

export type Change = DashboardEvent['changes'][number];

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
  changes: ChangeSet;
  task: RepeatingTask;
}

/** Sends the changes of an account to its open pages once a second. Accounts without an open page cost nothing. */
@Injectable()
export class AccountWatchService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly watches = new Map<string, Watch>();
  private isClosed = false;

  constructor(
    private readonly domainEvents: DomainEvents,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.domainEvents.on('resources.changed', changes => this.keep(changes));
  }

  /** Pages of one account share their changes. Throws RATE_LIMITED when too many pages are open. */
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
    const task = new RepeatingTask(this.clock, AccountWatchService.name, sendMs, () => this.send(watch));
    const watch: Watch = { followers: new Set(), unready: new Set(), changes: new ChangeSet(), task };
    this.watches.set(accountID, watch);
    return watch;
  }

  private keep(changes: readonly ResourceChange[]): void {
    if (this.watches.size === 0) return;
    for (const change of changes) {
      if (!isShown(change.kind)) continue;
      const { accountID } = change;
      if (accountID !== null) this.watches.get(accountID)?.changes.add(change);
      else for (const watch of this.watches.values()) watch.changes.add(change);
    }
  }

  private async send({ followers, unready, changes }: Watch): Promise<void> {
    await endUnwanted(followers);
    const due = changes.take().flatMap(({ kind, id }) => (isShown(kind) ? { kind, id } : []));
    if (due.length > 0) for (const follower of followers) follower.changed(due);
    for (const follower of unready) follower.ready();
    unready.clear();
  }
}

function isShown(kind: ResourceChange['kind']): kind is DashboardEventKind {
  return (dashboardEventKinds as readonly string[]).includes(kind);
}

async function endUnwanted(followers: ReadonlySet<Follower>): Promise<void> {
  for (const follower of [...followers]) {
    if (!(await follower.isWanted())) follower.end();
  }
}
