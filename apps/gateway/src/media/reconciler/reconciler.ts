import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Bus, Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { Tally } from '@rtms/health';
import { DomainEvents } from '../../platform/runtime/domain-events.js';
import { RepeatingTask } from '../../platform/jobs/repeating-task.js';
import { AdvisoryLocksService } from '../../platform/database/advisory-locks.service.js';
import { FactBacklogService, type FactResource } from '../facts/fact-backlog.service.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { BUS, CLOCK } from '../../platform/runtime/runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';
import { BroadcastRepairService } from './broadcast-repair.service.js';
import { confirmMissing, type MissingSince } from './holding.js';
import { findHomeless, type Homeless, findOutOfStep } from './find-homeless.js';
import { findLeavingBroadcasts, findReturned } from './find-moving-rooms.js';
import { findOrphans } from './find-orphans.js';
import { PlaybackRepairService } from './playback-repair.service.js';
import { RecordingRepairService } from './recording-repair.service.js';
import { RoomMovesService } from './room-moves.service.js';
import { SessionRepairService } from './session-repair.service.js';
import { SnapshotTaker } from './snapshot-taker.js';
import type { Snapshot } from './snapshot.js';

/** `orphan`: a node held an ended resource. `out_of_step`: a broadcast did not follow its source. Others: no node held the resource. */
const repairKinds = ['orphan', 'session', 'playback', 'broadcast', 'recording', 'out_of_step'] as const;

function join(one: Homeless, other: Homeless): Homeless {
  return {
    sessions: [...one.sessions, ...other.sessions],
    playbacks: [...one.playbacks, ...other.playbacks],
    broadcasts: [...one.broadcasts, ...other.broadcasts],
    recordings: [...one.recordings, ...other.recordings],
  };
}

/**
 * Compares the database with the resources on media nodes and repairs differences: at start, at regular intervals, and when
 * a node appears or is lost. One replica of the gateway runs it at a time.
 */
@Injectable()
export class Reconciler implements OnApplicationBootstrap, OnApplicationShutdown {
  /** `skipped`: another replica has the turn, or the bus is not connected. */
  readonly runs = new Tally(['done', 'skipped', 'failed']);
  /** The differences found, by kind. */
  readonly repairs = new Tally(repairKinds);
  private readonly task: RepeatingTask;
  private missingSince: MissingSince = new Map();
  private nodeChanges: Closeable | undefined;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    private readonly locks: AdvisoryLocksService,
    private readonly snapshots: SnapshotTaker,
    private readonly nodes: NodeRegistry,
    private readonly domainEvents: DomainEvents,
    private readonly sessions: SessionRepairService,
    private readonly playbacks: PlaybackRepairService,
    private readonly broadcasts: BroadcastRepairService,
    private readonly recordings: RecordingRepairService,
    private readonly moves: RoomMovesService,
    private readonly commands: WorkerCommandsService,
    private readonly facts: FactBacklogService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.task = new RepeatingTask(this.clock, Reconciler.name, settings.reconcileIntervalMs, () => this.reconcile());
  }

  onApplicationBootstrap(): void {
    this.nodeChanges = this.nodes.onChange(() => this.task.trigger());
    this.domainEvents.on('repair.wanted', () => this.task.trigger());
    this.task.trigger();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.nodeChanges?.close();
    await this.task.close();
  }

  private async reconcile(): Promise<void> {
    let outcome: 'done' | 'skipped' | 'failed' = 'failed';
    try {
      outcome = (await this.compare()) ? 'done' : 'skipped';
    } finally {
      this.runs.add(outcome);
    }
  }

  /** Returns whether this replica had the turn. */
  private async compare(): Promise<boolean> {
    let isOurTurn = false;
    if (!this.bus.isConnected()) return isOurTurn;
    await this.locks.under('reconciler', async () => {
      isOurTurn = true;
      await this.repair(await this.takeBack(await this.snapshots.take()));
    });
    return isOurTurn;
  }

  /** Runs before any resource is closed on a node that was cut off from the bus. */
  private async takeBack(snapshot: Snapshot): Promise<Snapshot> {
    const returned = await findReturned(snapshot);
    if (returned.length === 0) return snapshot;
    this.repairs.add('session', returned.length);
    await this.moves.giveBack(returned);
    return this.snapshots.take();
  }

  private async repair(snapshot: Snapshot): Promise<void> {
    const orphans = await findOrphans(snapshot);
    this.repairs.add('orphan', orphans.length);
    await this.commands.tell(orphans);
    const { lost, missing } = await findHomeless(snapshot);
    const gone = this.confirm(missing);
    await this.bringHome(await this.withoutWaiting(join(lost, gone)), snapshot);
    const { interruptedSources, resume } = await findOutOfStep(snapshot);
    this.repairs.add('out_of_step', interruptedSources.length + resume.length);
    await this.broadcasts.interrupt(interruptedSources);
    await this.commands.tell(resume);
    await this.recordings.follow(snapshot);
  }

  private async bringHome(homeless: Homeless, snapshot: Snapshot): Promise<void> {
    const { sessions, playbacks, broadcasts, recordings } = homeless;
    this.repairs.add('session', sessions.length);
    this.repairs.add('playback', playbacks.length);
    this.repairs.add('broadcast', broadcasts.length);
    this.repairs.add('recording', recordings.length);
    await this.sessions.reopen(sessions);
    await this.playbacks.reopen(playbacks);
    await this.moves.evacuate(snapshot);
    await this.broadcasts.restart(broadcasts);
    await this.broadcasts.handOver(await findLeavingBroadcasts(snapshot));
    await this.recordings.lose(recordings);
  }

  /** Leaves out resources about which a fact waits. The fact may explain the difference, so the next run decides. */
  private async withoutWaiting({ sessions, playbacks, broadcasts, recordings }: Homeless): Promise<Homeless> {
    return {
      sessions: await this.settledAmong('external_session', sessions),
      playbacks: await this.settledAmong('playback', playbacks),
      broadcasts: await this.settledAmong('broadcast', broadcasts),
      recordings: await this.settledAmong('recording', recordings),
    };
  }

  private async settledAmong<Row extends { id: string }>(resource: FactResource, rows: Row[]): Promise<Row[]> {
    const waiting = await this.facts.waitingAmong(
      resource,
      rows.map(({ id }) => id),
    );
    return rows.filter(({ id }) => !waiting.has(id));
  }

  private confirm({ sessions, playbacks, broadcasts, recordings }: Homeless): Homeless {
    const ids = [...sessions, ...playbacks, ...broadcasts, ...recordings].map(row => row.id);
    const timing = { now: this.clock.now(), patienceMs: this.settings.commandDeadlineMs };
    const { confirmed, since } = confirmMissing(ids, this.missingSince, timing);
    this.missingSince = since;
    const isConfirmed = ({ id }: { id: string }) => confirmed.has(id);
    return {
      sessions: sessions.filter(isConfirmed),
      playbacks: playbacks.filter(isConfirmed),
      broadcasts: broadcasts.filter(isConfirmed),
      recordings: recordings.filter(isConfirmed),
    };
  }
}
