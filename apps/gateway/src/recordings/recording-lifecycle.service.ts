import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { EndReason, Fact, RecordingFact } from '@rtms/contracts';
import { DataSource, In, LessThan, type EntityManager, type FindOptionsWhere } from 'typeorm';
import {
  interruptRecording,
  resumeRecording,
  stopRecording,
  type WorkerCommand,
} from '../media-commands/worker-command.js';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { running } from '../media/live-states.js';
import { lockRow, updateAll, updateRow } from '../media/locked-rows.js';
import { isCurrent } from '../media/placement.js';
import { UsageLedger } from '../metering/usage-ledger.service.js';
import { CLOCK } from '../runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../settings/media-settings.js';
import {
  decideRecordingFact,
  failedRecording,
  stoppedRecording,
  type RecordingEffect,
} from './decide-recording-fact.js';
import { RecordingFilesService } from './recording-files.service.js';
import { Recording } from './recording.entity.js';

/** A node that is away for longer than this will not come back with what it has recorded. */
const salvageMs = 24 * 3_600_000;

/** How recordings change, whoever asks for it. Commands are to be sent once the transaction is committed. */
@Injectable()
export class RecordingLifecycle {
  constructor(
    private readonly dataSource: DataSource,
    private readonly usage: UsageLedger,
    private readonly files: RecordingFilesService,
    private readonly commands: WorkerCommands,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async applyFact(fact: Fact<RecordingFact>): Promise<void> {
    const commands = await this.dataSource.transaction(manager => this.apply(manager, fact));
    // Not waited for: a node that does not answer must not hold up the facts behind this one.
    void this.commands.tell(commands, fact.requestID);
  }

  /** Ends what runs; the files are made afterwards. */
  async endAll(
    manager: EntityManager,
    where: FindOptionsWhere<Recording>,
    reason: EndReason,
  ): Promise<WorkerCommand[]> {
    const rows = await lockRunning(manager, where);
    const now = new Date(this.clock.now());
    const timing = { now, graceMs: this.settings.graceMs };
    await updateAll(manager, Recording, rows, stoppedRecording(reason, now, timing));
    await this.usage.finishAll(
      manager,
      rows.map(({ id }) => ({ resourceID: id, at: now })),
    );
    return rows.flatMap(stopRecording);
  }

  /** The sources are lost: the recordings wait until they are back. */
  async interruptAll(manager: EntityManager, sourceSessionIDs: readonly string[]): Promise<WorkerCommand[]> {
    return (await runningOf(manager, sourceSessionIDs)).flatMap(interruptRecording);
  }

  /** The sources are back, each on its SFU. */
  async resumeAll(manager: EntityManager, sfuNodes: ReadonlyMap<string, string>): Promise<WorkerCommand[]> {
    return (await runningOf(manager, [...sfuNodes.keys()])).flatMap(row => {
      const sfuNodeID = sfuNodes.get(row.sourceSessionID ?? '');
      return row.nodeEpoch === null || sfuNodeID === undefined ? [] : resumeRecording(row, { sfuNodeID });
    });
  }

  /** Its node is gone: what it wrote is finished at its next start, and another node may go on with the source. */
  async lose(manager: EntityManager, row: Recording, lastHeard: Date | undefined): Promise<void> {
    const now = new Date(this.clock.now());
    await this.usage.finish(manager, row.id, lastHeard);
    const isPlaced = row.nodeID !== null && row.nodeEpoch !== null;
    const lost = stoppedRecording('node_lost', lastHeard ?? now, { now, graceMs: this.settings.graceMs });
    await updateRow(manager, Recording, row, isPlaced ? lost : failedRecording('node_lost', now));
  }

  /** Gives up what no node will finish any more. */
  async sweep(now: Date): Promise<void> {
    const endedAt = LessThan(new Date(now.getTime() - salvageMs));
    await this.dataSource.manager.update(Recording, { state: 'processing', endedAt }, { state: 'failed' });
  }

  private async apply(manager: EntityManager, fact: Fact<RecordingFact>): Promise<WorkerCommand[]> {
    const row = await lockRow(manager, Recording, fact.resourceID);
    if (!row) return this.deleteUnknown(manager, fact);
    if (!counts(row, fact)) return [];
    const timing = { at: new Date(fact.at), now: new Date(this.clock.now()), graceMs: this.settings.graceMs };
    const change = decideRecordingFact(row, fact.body, timing);
    // Of a later start no fact but those about the file counts: the row keeps the start that recorded it.
    const heard = fact.epoch === row.nodeEpoch ? { factSequence: fact.sequence } : {};
    await updateRow(manager, Recording, row, change === 'ignored' ? heard : { ...change.set, ...heard });
    if (change === 'ignored') return [];
    await this.keepUsage(manager, row, change.effect, fact);
    return change.effect === 'surplus' ? stopRecording(row) : [];
  }

  /** By the clock of the node that wrote the media. */
  private async keepUsage(
    manager: EntityManager,
    { id: resourceID, meetingID }: Recording,
    effect: RecordingEffect,
    { body, at }: Fact<RecordingFact>,
  ): Promise<void> {
    if (body.type === 'recording.active' && effect === 'began') {
      await this.usage.begin(manager, { kind: 'recording', resourceID, meetingID, at: new Date(body.since) });
    } else if (effect !== 'none') {
      await this.usage.finish(manager, resourceID, new Date('until' in body ? body.until : at));
    }
  }

  /** The recording was deleted while its file was being made. */
  private async deleteUnknown(manager: EntityManager, { body, resourceID, nodeID }: Fact<RecordingFact>) {
    if (body.type === 'recording.ready')
      await this.files.queue(manager, { id: resourceID, nodeID, storage: body.storage });
    return [];
  }
}

/** A later start of the node tells of what an earlier one recorded. */
function counts(row: Recording, fact: Fact<RecordingFact>): boolean {
  const isLaterStart = fact.nodeID === row.nodeID && row.nodeEpoch !== null && fact.epoch > row.nodeEpoch;
  return isLaterStart || isCurrent(row, fact);
}

/** In one order, so that two transactions never wait for each other. */
function lockRunning(manager: EntityManager, where: FindOptionsWhere<Recording>): Promise<Recording[]> {
  const lock = { mode: 'pessimistic_write' as const };
  return manager.find(Recording, { where: { ...running, ...where }, order: { id: 'ASC' }, lock });
}

async function runningOf(manager: EntityManager, sourceSessionIDs: readonly string[]): Promise<Recording[]> {
  if (sourceSessionIDs.length === 0) return [];
  return manager.findBy(Recording, { sourceSessionID: In(sourceSessionIDs), ...running });
}
