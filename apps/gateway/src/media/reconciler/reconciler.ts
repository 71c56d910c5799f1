import { Inject, Injectable } from '@nestjs/common';
import type { Bus, Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { Tally } from '@rtms/health';
import { DomainEvents } from '../../platform/runtime/domain-events.js';
import { RepeatingService } from '../../platform/jobs/repeating-task.js';
import { AdvisoryLocksService } from '../../platform/database/advisory-locks.service.js';
import { FactBacklogService, type FactResource } from '../facts/fact-backlog.service.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { BUS, CLOCK } from '../../platform/runtime/runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';
import { confirmMissing, type MissingSince } from './holding.js';
import { JobRepairService } from './job-repair.service.js';
import { RestreamRepairService } from './restream-repair.service.js';
import { RoomRepairService } from './room-repair.service.js';
import { findHomeless, findOutOfStep, type Homeless, withoutIDs } from './find-homeless.js';
import { findLeavingBroadcasts, findLeavingRestreams, findReturned } from './find-moving-rooms.js';
import { findOrphans } from './find-orphans.js';
import { SnapshotTaker } from './snapshot-taker.js';
import type { Snapshot } from './snapshot.js';

/** `orphan`: a node held an ended resource. `out_of_step`: a broadcast or restream did not follow its source. Others: no node held the resource. */
const repairKinds = ['orphan', 'session', 'playback', 'broadcast', 'recording', 'restream', 'out_of_step'] as const;

/**
 * Compares the database with the resources on media nodes and repairs differences: at start, at regular intervals, and when
 * a node appears or is lost. One replica of the gateway runs it at a time.
 */
@Injectable()
export class Reconciler extends RepeatingService {
  /** `skipped`: another replica has the turn, or the bus is not connected. */
  readonly runs = new Tally(['done', 'skipped', 'failed']);
  /** The differences found, by kind. */
  readonly repairs = new Tally(repairKinds);
  private missingSince: MissingSince = new Map();
  private nodeChanges: Closeable | undefined;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    private readonly locks: AdvisoryLocksService,
    private readonly snapshots: SnapshotTaker,
    private readonly nodes: NodeRegistry,
    private readonly domainEvents: DomainEvents,
    private readonly roomRepair: RoomRepairService,
    private readonly jobRepair: JobRepairService,
    private readonly restreamRepair: RestreamRepairService,
    private readonly commands: WorkerCommandsService,
    private readonly facts: FactBacklogService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super(clock, settings.reconcileIntervalMs);
  }

  override onApplicationBootstrap(): void {
    this.nodeChanges = this.nodes.onChange(() => this.task.trigger());
    this.domainEvents.on('repair.wanted', () => this.task.trigger());
    super.onApplicationBootstrap();
  }

  override async onApplicationShutdown(): Promise<void> {
    await this.nodeChanges?.close();
    await super.onApplicationShutdown();
  }

  protected async run(): Promise<void> {
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
    await this.roomRepair.giveBack(returned);
    return this.snapshots.take();
  }

  private async repair(snapshot: Snapshot): Promise<void> {
    const orphans = await findOrphans(snapshot);
    this.repairs.add('orphan', orphans.length);
    await this.commands.tell(orphans);
    const { rows, missing } = await findHomeless(snapshot);
    const gone = withoutIDs(rows, this.unconfirmedAmong(missing));
    // A waiting fact may explain the difference, so the next run decides.
    await this.bringHome(withoutIDs(gone, await this.waitingAmong(gone)), snapshot);
    const { interruptedSources, resume } = await findOutOfStep(snapshot);
    this.repairs.add('out_of_step', interruptedSources.length + resume.length);
    await this.jobRepair.interrupt(interruptedSources);
    await this.commands.tell(resume);
    await this.jobRepair.followSources(snapshot);
  }

  private async bringHome(homeless: Homeless, snapshot: Snapshot): Promise<void> {
    const { sessions, playbacks, broadcasts, recordings, restreams, stopped } = homeless;
    this.repairs.add('session', sessions.length);
    this.repairs.add('playback', playbacks.length);
    this.repairs.add('broadcast', broadcasts.length);
    this.repairs.add('recording', recordings.length);
    this.repairs.add('restream', restreams.length);
    await this.roomRepair.reopenSessions(sessions);
    await this.roomRepair.reopenPlaybacks(playbacks);
    await this.roomRepair.evacuate(snapshot);
    await this.jobRepair.restart(broadcasts);
    await this.jobRepair.handOver(await findLeavingBroadcasts(snapshot));
    await this.restreamRepair.endWithoutSource(snapshot);
    await this.restreamRepair.restart(restreams);
    await this.restreamRepair.handOver(await findLeavingRestreams(snapshot));
    await this.jobRepair.loseRecordings(recordings);
    this.repairs.add('recording', await this.jobRepair.complete(stopped));
  }

  /** The resources about which a fact waits. */
  private async waitingAmong(homeless: Homeless): Promise<Set<string>> {
    const { sessions, playbacks, broadcasts, recordings, restreams, stopped } = homeless;
    const waitingOf = (resource: FactResource, rows: readonly { id: string }[]) =>
      this.facts.waitingAmong(
        resource,
        rows.map(({ id }) => id),
      );
    return new Set([
      ...(await waitingOf('external_session', sessions)),
      ...(await waitingOf('playback', playbacks)),
      ...(await waitingOf('broadcast', broadcasts)),
      ...(await waitingOf('restream', restreams)),
      ...(await waitingOf('recording', [...recordings, ...stopped])),
    ]);
  }

  /** The missing resources for which a command may still be on its way. */
  private unconfirmedAmong(missing: readonly string[]): Set<string> {
    const timing = { now: this.clock.now(), patienceMs: this.settings.commandDeadlineMs };
    const { confirmed, since } = confirmMissing(missing, this.missingSince, timing);
    this.missingSince = since;
    return new Set(missing.filter(id => !confirmed.has(id)));
  }
}
