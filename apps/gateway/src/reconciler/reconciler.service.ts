import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Bus, Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { Tally } from '@rtms/health';
import { RepairRequests } from '../background/repair-requests.js';
import { RepeatingTask } from '../background/repeating-task.js';
import { AdvisoryLocks } from '../database/advisory-locks.service.js';
import { FactBacklog } from '../facts/fact-backlog.service.js';
import type { FactResource } from '../facts/fact-lanes.js';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { BUS, CLOCK } from '../runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../settings/media-settings.js';
import { BroadcastRepair } from './broadcast-repair.service.js';
import { confirmMissing, type MissingSince } from './confirm-missing.js';
import { findHomeless, type Homeless } from './find-homeless.js';
import { findLeavingBroadcasts } from './find-leaving.js';
import { findOrphans } from './find-orphans.js';
import { findOutOfStep } from './find-out-of-step.js';
import { findReturned } from './find-returned.js';
import { PlaybackRepair } from './playback-repair.service.js';
import { RecordingRepair } from './recording-repair.service.js';
import { RoomEvacuation } from './room-evacuation.service.js';
import { RoomReturn } from './room-return.service.js';
import { SessionRepair } from './session-repair.service.js';
import { SnapshotTaker } from './snapshot-taker.service.js';
import type { Snapshot } from './snapshot.js';

/** `orphan`: a node had what it should not; `out_of_step`: a source and what is made of it; else what was homeless. */
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
 * Compares the database with what the workers hold, both ways, and repairs the difference: at start, at regular
 * times, and whenever a node comes or goes. One replica of the gateway does so at a time.
 */
@Injectable()
export class Reconciler implements OnApplicationBootstrap, OnApplicationShutdown {
  /** `skipped`: another replica is at it, or the bus is away. */
  readonly runs = new Tally(['done', 'skipped', 'failed']);
  /** What was found otherwise than it should be. */
  readonly repairs = new Tally(repairKinds);
  private readonly task: RepeatingTask;
  private missingSince: MissingSince = new Map();
  private nodeChanges: Closeable | undefined;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    private readonly locks: AdvisoryLocks,
    private readonly snapshots: SnapshotTaker,
    private readonly nodes: NodeRegistry,
    private readonly requests: RepairRequests,
    private readonly sessions: SessionRepair,
    private readonly playbacks: PlaybackRepair,
    private readonly broadcasts: BroadcastRepair,
    private readonly recordings: RecordingRepair,
    private readonly evacuation: RoomEvacuation,
    private readonly returns: RoomReturn,
    private readonly commands: WorkerCommands,
    private readonly facts: FactBacklog,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.task = new RepeatingTask(this.clock, Reconciler.name, settings.reconcileIntervalMs, () => this.reconcile());
  }

  onApplicationBootstrap(): void {
    this.nodeChanges = this.nodes.onChange(() => this.task.trigger());
    this.requests.onRequest(() => this.task.trigger());
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

  /** Whether it was this replica's turn. */
  private async compare(): Promise<boolean> {
    let isOurTurn = false;
    if (!this.bus.isConnected()) return isOurTurn;
    await this.locks.under('reconciler', async () => {
      isOurTurn = true;
      await this.repair(await this.takeBack(await this.snapshots.take()));
    });
    return isOurTurn;
  }

  /** Before anything is closed at a node that could not be heard for a while. */
  private async takeBack(snapshot: Snapshot): Promise<Snapshot> {
    const returned = await findReturned(snapshot);
    if (returned.length === 0) return snapshot;
    this.repairs.add('session', returned.length);
    await this.returns.giveBack(returned);
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
    await this.evacuation.evacuate(snapshot);
    await this.broadcasts.restart(broadcasts);
    await this.broadcasts.handOver(await findLeavingBroadcasts(snapshot));
    await this.recordings.lose(recordings);
  }

  /** A waiting fact may say where a resource is, or that it has ended: the next round looks again. */
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
