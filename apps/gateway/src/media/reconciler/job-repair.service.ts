import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { toServiceError } from '@rtms/http';
import { transcoderCommands } from '@rtms/contracts';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { wholeAccount } from '../../platform/auth/room-scope.js';
import { atMost, portionsOf, repairsAtOnce } from '../../platform/jobs/in-turns.js';
import { running } from '../../platform/rows/live-states.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import {
  handOverBroadcast,
  interruptRecording,
  resumeRecording,
  type WorkerCommand,
} from '../../platform/workers/worker-command.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { RoomsService } from '../../rooms/room/rooms.service.js';
import { BroadcastLifecycleService } from '../broadcasts/broadcast-lifecycle.service.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { tryTranscoders } from '../nodes/try-nodes.js';
import { RecordingComposerService } from '../recordings/recording-composer.service.js';
import { RecordingLifecycleService } from '../recordings/recording-lifecycle.service.js';
import { Broadcast } from '../resources/broadcast.entity.js';
import { lockUnchanged, updateRow } from '../resources/locked-rows.js';
import { Recording } from '../resources/recording.entity.js';
import { SourcesService, type BroadcastSource } from '../sources/sources.service.js';
import { RestreamLifecycleService } from '../restreams/restream-lifecycle.service.js';
import { FailedRestartsService } from './failed-restarts.service.js';
import { decideRecordingStep } from './holding.js';
import { viewOf, type Snapshot, type StoppedRecording } from './snapshot.js';

/** Sources whose broadcasts one transaction interrupts. */
const sourcesAtOnce = 100;

/** Only the return of its node completes a recording without pieces in a shared storage. */
const withoutPiecesMs = 60_000;

/** Repairs the jobs of transcoders. Moves broadcasts, ends recordings without a node, and makes both follow their sources. */
@Injectable()
export class JobRepairService {
  private readonly logger = new Logger(JobRepairService.name);
  /** Why no node completes a recording. Each reason is logged once. */
  private readonly declined = new LRUCache<string, { reason: string; askAgainAt: number }>({ max: 10_000 });

  constructor(
    private readonly dataSource: DataSource,
    private readonly sources: SourcesService,
    private readonly broadcasts: BroadcastLifecycleService,
    private readonly recordings: RecordingLifecycleService,
    private readonly composer: RecordingComposerService,
    private readonly restreams: RestreamLifecycleService,
    private readonly rooms: RoomsService,
    private readonly nodes: NodeRegistry,
    private readonly commands: WorkerCommandsService,
    private readonly failures: FailedRestartsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Restarts broadcasts without a transcoder. Without its source a broadcast waits for the source's grace time. */
  async restart(broadcasts: readonly Broadcast[]): Promise<void> {
    await atMost(repairsAtOnce, broadcasts, async seen => {
      const row = await this.takeAway(seen);
      const source = row && (await this.sources.findForBroadcast(this.dataSource.manager, row));
      if (source) await this.goOn(row, source, this.formerUrlOf(seen));
    });
  }

  /**
   * Moves broadcasts away from a draining transcoder, which serves its segments for a while longer. Without the source no
   * transcoder can continue, so the broadcast stays until the source is back.
   */
  async handOver(broadcasts: readonly Broadcast[]): Promise<void> {
    await atMost(repairsAtOnce, broadcasts, async seen => {
      const source = await this.sources.findForBroadcast(this.dataSource.manager, seen);
      const formerUrl = this.formerUrlOf(seen);
      const row = source && (await this.takeAway(seen));
      if (!row) return;
      await this.commands.tell(handOverBroadcast(row));
      await this.goOn(row, source, formerUrl);
    });
  }

  /** Interrupts broadcasts and restreams that missed the loss of their sources. */
  async interrupt(sourceSessionIDs: readonly string[]): Promise<void> {
    await atMost(repairsAtOnce, portionsOf(sourceSessionIDs, sourcesAtOnce), async sessionIDs => {
      const commands = await this.dataSource.transaction(async manager => {
        const sources = await this.sources.findSessions(manager, sessionIDs);
        const lost = sessionIDs.filter(sessionID => sources.get(sessionID)?.isActive !== true);
        const broadcasts = await this.broadcasts.interruptAll(manager, lost);
        return [...broadcasts, ...(await this.restreams.interruptAll(manager, lost))];
      });
      await this.commands.tell(commands);
    });
  }

  /** Ends recordings whose transcoder is lost. */
  async loseRecordings(recordings: readonly Recording[]): Promise<void> {
    for (const seen of recordings) {
      await this.dataSource.transaction(async manager => {
        const row = await lockUnchanged(manager, Recording, seen);
        if (row) await this.recordings.lose(manager, row, this.lastHeard(row));
      });
      this.logger.warn({ recordingID: seen.id, nodeID: seen.nodeID }, 'a recording lost its transcoder');
    }
  }

  /** Asks transcoders to complete stopped recordings that no node completes. Returns how many recordings a node took. */
  async complete(recordings: readonly StoppedRecording[]): Promise<number> {
    let taken = 0;
    await atMost(repairsAtOnce, recordings, async row => {
      if (row.sourceRecordingIDs) await this.composer.lose(row);
      else if (await this.completeOne(row.id)) taken += 1;
    });
    return taken;
  }

  /** Makes recordings follow their sources, because a command or a fact was late or lost. */
  async followSources(snapshot: Snapshot): Promise<void> {
    for (const row of snapshot.recordings.values()) await this.commands.tell(await this.step(snapshot, row));
  }

  /** A draining transcoder still serves the segments of the broadcast. */
  private formerUrlOf({ nodeID }: Broadcast): string | undefined {
    const former = this.nodes.find('transcoder', nodeID ?? '');
    return former?.draining ? former.internalUrl : undefined;
  }

  private async goOn(row: Broadcast, source: BroadcastSource, formerUrl?: string): Promise<void> {
    const { graceUntil } = row;
    try {
      const room = await this.rooms.find(wholeAccount(row.accountID), row.meetingID);
      await this.broadcasts.startSomewhere(row, source, { room, goesOn: { formerUrl } });
      this.logger.warn({ broadcastID: row.id, to: row.nodeID }, 'a broadcast goes on at another transcoder');
    } catch (error) {
      await this.failures.handle(this.broadcasts, row.id, graceUntil, error);
    }
  }

  private async completeOne(recordingID: string): Promise<boolean> {
    const declined = this.declined.get(recordingID);
    if (declined && this.clock.now() < declined.askAgainAt) return false;
    try {
      await tryTranscoders(this.nodes, async ({ nodeID }) => {
        await this.commands.ask(transcoderCommands.completeRecording.forNode(nodeID), { recordingID });
        this.logger.warn({ recordingID, nodeID }, 'another transcoder completes a recording');
      });
      return true;
    } catch (error) {
      const { reason, message } = toServiceError(error);
      if (declined?.reason !== reason)
        this.logger.warn({ recordingID, reason, message }, 'no transcoder completes a recording yet');
      const pauseMs = reason === 'not_found' ? withoutPiecesMs : 0;
      this.declined.set(recordingID, { reason, askAgainAt: this.clock.now() + pauseMs });
      return false;
    }
  }

  /** Clears the epoch, so that no late fact of the former transcoder counts. */
  private takeAway(seen: Broadcast): Promise<Broadcast | undefined> {
    return this.dataSource.transaction(async manager => {
      const row = await lockUnchanged(manager, Broadcast, seen);
      if (row) await updateRow(manager, Broadcast, row, { state: 'interrupted', nodeEpoch: null });
      return row;
    });
  }

  private async step(snapshot: Snapshot, row: Recording): Promise<WorkerCommand[]> {
    const view = viewOf(snapshot.transcoders, row.nodeID);
    const job = view?.holdings?.recordings.get(row.id);
    // `CompositionsService` makes recordings of rooms follow.
    if (!job || row.composition) return [];
    const { manager } = this.dataSource;
    const { standing, nodeID } = await this.sources.locateForRecording(manager, row);
    switch (decideRecordingStep(job.state, standing)) {
      case 'interrupt':
        return (await this.stillRunning(row)).flatMap(interruptRecording);
      case 'resume':
        if (nodeID === undefined) return [];
        return (await this.stillRunning(row)).flatMap(each =>
          resumeRecording(each, { sfuNodeID: nodeID, onlyIf: 'interrupted' }),
        );
      case 'end':
        return this.dataSource.transaction(each => this.recordings.endAll(each, { id: row.id }, 'source_ended'));
      case 'none':
        return [];
    }
  }

  /** Empty when the recording has ended since it was read. */
  private stillRunning({ id }: Recording): Promise<Recording[]> {
    return this.dataSource.manager.findBy(Recording, { id, ...running });
  }

  /** The last known time at which the recording ran. */
  private lastHeard({ nodeID, nodeEpoch }: Recording): Date | undefined {
    return nodeID === null || nodeEpoch === null ? undefined : this.nodes.heardAt('transcoder', nodeID, nodeEpoch);
  }
}
