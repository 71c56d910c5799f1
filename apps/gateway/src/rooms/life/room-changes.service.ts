import { AsyncLocalStorage } from 'node:async_hooks';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { DataSource, type EntityManager } from 'typeorm';
import { currentPool, type PoolName } from '../../platform/database/connection-pools.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { requireRoom, requireRunning } from '../records/room-places.service.js';
import { Room } from '../records/room.entity.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { RoomChange } from './room-change.js';
import { RoomEventsRepository } from './room-events.repository.js';

type Work<Result> = (change: RoomChange) => Promise<Result>;

interface WaitingChange {
  work: Work<unknown>;
  /** The connection pool of its caller. */
  pool: PoolName;
  /** Runs an action with the caller's connection pool and trace. */
  asCaller: <Result>(action: () => Result) => Result;
  /** Whether the change may share a transaction with its neighbours. */
  isShared: boolean;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

type Outcome = { change: RoomChange; result: unknown } | { error: unknown };

/**
 * Rooms that change at the same time. The pools have 16 connections for requests and 8 for the background, so some stay free
 * for work that changes no room.
 */
const roomsAtOnce: Record<PoolName, number> = { requests: 10, background: 4 };

/** Changes in one transaction. Each change holds the room's lock for some milliseconds longer. */
const sharedAtMost = 25;

/**
 * Runs the changes of each room one after the other, each together with its events. Changes wait here and not at the room's
 * lock in the database, where each would hold a connection of the pool.
 */
@Injectable()
export class RoomChangesService {
  private readonly queues = new Map<string, WaitingChange[]>();
  private readonly slots: Record<PoolName, Slots> = {
    requests: new Slots(roomsAtOnce.requests),
    background: new Slots(roomsAtOnce.background),
  };

  constructor(
    private readonly dataSource: DataSource,
    private readonly events: RoomEventsRepository,
    private readonly commands: WorkerCommandsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Throws CONFLICT, `room_ended`, when the room has ended. */
  run<Result>(meetingID: string, work: Work<Result>): Promise<Result> {
    return this.enqueue(meetingID, whileRunning(work), false);
  }

  /**
   * As `run`, for commands of members: waiting changes share a transaction, and a failing change is rolled back alone. The
   * work must not read the room's events, because the transaction appends them at its end.
   */
  runShared<Result>(meetingID: string, work: Work<Result>): Promise<Result> {
    return this.enqueue(meetingID, whileRunning(work), true);
  }

  /** Runs also after the room's time is over, and does nothing once the room has ended. */
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

  /** Never rejects: settles the promise of each change instead. */
  private async perform(meetingID: string, changes: readonly WaitingChange[]): Promise<void> {
    try {
      const outcomes = await this.dataSource.transaction(manager => this.performIn(manager, meetingID, changes));
      const commands = outcomes.flatMap(outcome => ('change' in outcome ? outcome.change.commands : []));
      if (commands.length > 0) void this.commands.tell(commands);
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
      // Distinct times keep the order of messages of the same millisecond.
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
}

function whileRunning<Result>(work: Work<Result>): Work<Result> {
  return change => {
    requireRunning(change.room, change.now.getTime());
    return work(change);
  };
}

/** Takes the first change and the changes behind it that may share its transaction: those of the same pool. */
function takeNext(queue: WaitingChange[]): WaitingChange[] {
  const pool = queue[0]?.pool;
  const other = queue.findIndex(each => !each.isShared || each.pool !== pool);
  const shared = other < 0 ? queue.length : other;
  return queue.splice(0, Math.min(Math.max(shared, 1), sharedAtMost));
}

/** The room's key does not change, so other transactions may insert rows that refer to the room. */
async function lockRoom(manager: EntityManager, meetingID: string): Promise<Room> {
  const lock = { mode: 'for_no_key_update' as const };
  return requireRoom(await manager.findOne(Room, { where: { id: meetingID }, lock }));
}

/** Runs a limited number of tasks at a time. The others wait in the order of their arrival. */
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
