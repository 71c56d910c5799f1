import { AsyncLocalStorage } from 'node:async_hooks';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { DataSource, type EntityManager } from 'typeorm';
import { currentPool, type PoolName } from '../database/connection-pools.js';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { requireRoom, requireRunning } from '../rooms/require-running.js';
import { Room } from '../rooms/room.entity.js';
import { CLOCK } from '../runtime.module.js';
import { RoomChange } from './room-change.js';
import { RoomEventsStore } from './room-events.store.js';
import { RoomNewsBoard } from './room-news.js';

type Work<Result> = (change: RoomChange) => Promise<Result>;

interface WaitingChange {
  work: Work<unknown>;
  /** The pool of its caller, whose connection it takes. */
  pool: PoolName;
  /** Runs an action as its caller would: with the caller's pool and trace. */
  asCaller: <Result>(action: () => Result) => Result;
  /** May run in one transaction with its neighbours. */
  isShared: boolean;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

type Outcome = { change: RoomChange; result: unknown } | { error: unknown };

/**
 * Of the 16 connections for requests and the 8 of the background: rooms with many changes leave the others to work that
 * changes no room.
 */
const roomsAtOnce: Record<PoolName, number> = { requests: 10, background: 4 };

/** Changes in one transaction; each holds the room's lock for some milliseconds longer. */
const sharedAtMost = 25;

/**
 * Every change of what a room's members see: one after the other, each together with its events. Changes of a room wait
 * here and not at its lock in the database: there each would wait with a connection of the pool.
 */
@Injectable()
export class RoomChanges {
  private readonly queues = new Map<string, WaitingChange[]>();
  private readonly slots: Record<PoolName, Slots> = {
    requests: new Slots(roomsAtOnce.requests),
    background: new Slots(roomsAtOnce.background),
  };

  constructor(
    private readonly dataSource: DataSource,
    private readonly events: RoomEventsStore,
    private readonly news: RoomNewsBoard,
    private readonly commands: WorkerCommands,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** CONFLICT, `room_ended`, when the room is over. */
  run<Result>(meetingID: string, work: Work<Result>): Promise<Result> {
    return this.enqueue(meetingID, whileRunning(work), false);
  }

  /**
   * As `run`, for what members ask for: changes that wait share a transaction. One that fails is undone alone. The work
   * must not read the room's events: those of the transaction are appended at its end.
   */
  runShared<Result>(meetingID: string, work: Work<Result>): Promise<Result> {
    return this.enqueue(meetingID, whileRunning(work), true);
  }

  /** For what must be noted while a room ends too. Of a room that is gone nothing is left to note. */
  async runUnlessEnded(meetingID: string, work: Work<void>): Promise<void> {
    const unlessEnded: Work<void> = async change => {
      if (change.room.state === 'active') await work(change);
    };
    await this.enqueue(meetingID, unlessEnded, false);
  }

  private enqueue<Result>(meetingID: string, work: Work<Result>, isShared: boolean): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const asCaller = AsyncLocalStorage.snapshot();
      const waiting: WaitingChange = {
        work: change => asCaller(() => work(change)),
        pool: currentPool(),
        asCaller,
        isShared,
        resolve: result => resolve(result as Result),
        reject,
      };
      const queue = this.queues.get(meetingID);
      if (queue) queue.push(waiting);
      else void this.workThrough(meetingID, [waiting]);
    });
  }

  private async workThrough(meetingID: string, queue: WaitingChange[]): Promise<void> {
    this.queues.set(meetingID, queue);
    for (let first = queue[0]; first; first = queue[0]) {
      const { pool, asCaller } = first;
      await this.slots[pool].run(() => asCaller(() => this.perform(meetingID, takeNext(queue))));
    }
    this.queues.delete(meetingID);
  }

  /** Never rejects: each of the changes is told how it went. */
  private async perform(meetingID: string, changes: readonly WaitingChange[]): Promise<void> {
    try {
      const outcomes = await this.dataSource.transaction(manager => this.performIn(manager, meetingID, changes));
      this.announce(
        meetingID,
        outcomes.flatMap(outcome => ('change' in outcome ? outcome.change : [])),
      );
      for (const [at, outcome] of outcomes.entries()) {
        if ('change' in outcome) changes[at]?.resolve(outcome.result);
        else changes[at]?.reject(outcome.error);
      }
    } catch (error) {
      for (const { reject } of changes) reject(error);
    }
  }

  private async performIn(
    manager: EntityManager,
    meetingID: string,
    changes: readonly WaitingChange[],
  ): Promise<Outcome[]> {
    const room = await lockRoom(manager, meetingID);
    const outcomes: Outcome[] = [];
    let at = 0;
    for (const { work } of changes) {
      // Messages of the same moment keep their order by their times.
      at = Math.max(at + 1, this.clock.now());
      const now = new Date(at);
      const tryOne = async (own: EntityManager): Promise<Outcome> => {
        const change = new RoomChange(own, room, now);
        return { change, result: await work(change) };
      };
      outcomes.push(
        changes.length === 1
          ? await tryOne(manager)
          : await manager.transaction(tryOne).catch((error: unknown) => ({ error })),
      );
    }
    const events = outcomes.flatMap(outcome => ('change' in outcome ? outcome.change.events : []));
    await this.events.append(manager, meetingID, events, new Date(at));
    return outcomes;
  }

  private announce(meetingID: string, changes: readonly RoomChange[]): void {
    const commands = changes.flatMap(change => change.commands);
    for (const each of changes.flatMap(change => change.news)) this.news.tell(each);
    if (changes.some(({ events }) => events.length > 0)) this.news.tell({ kind: 'events', meetingID });
    if (commands.length > 0) void this.commands.tell(commands);
  }
}

function whileRunning<Result>(work: Work<Result>): Work<Result> {
  return change => {
    requireRunning(change.room, change.now.getTime());
    return work(change);
  };
}

/** The first, and those behind it that may share a transaction with it: they use the same pool. */
function takeNext(queue: WaitingChange[]): WaitingChange[] {
  const pool = queue[0]?.pool;
  const other = queue.findIndex(each => !each.isShared || each.pool !== pool);
  const shared = other < 0 ? queue.length : other;
  return queue.splice(0, Math.min(Math.max(shared, 1), sharedAtMost));
}

/** What refers to the room may be written meanwhile: its key does not change. */
async function lockRoom(manager: EntityManager, meetingID: string): Promise<Room> {
  const lock = { mode: 'for_no_key_update' as const };
  return requireRoom(await manager.findOne(Room, { where: { id: meetingID }, lock }));
}

/** Lets so many tasks run at a time; the others wait in the order in which they came. */
class Slots {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>(resolve => this.waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }
}
