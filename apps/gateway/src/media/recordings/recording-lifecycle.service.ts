import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import {
  ServiceError,
  transcoderCommands,
  type EndReason,
  type Fact,
  type RecordingFact,
  type MediaKind,
  type NodeLease,
  type RecordingOptions,
  type StartRecordingRequest,
} from '@rtms/contracts';
import { DataSource, In, LessThan, type EntityManager, type FindOptionsWhere } from 'typeorm';
import {
  interruptRecording,
  resumeRecording,
  stopRecording,
  type WorkerCommand,
} from '../../platform/workers/worker-command.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { running } from '../../platform/rows/live-states.js';
import { lockRow, updateAll, updateRow } from '../resources/locked-rows.js';
import { isCurrent, makeMediaRow, placedOn } from '../resources/placement.js';
import { UsageLedgerRepository } from '../../accounts/balance/usage-ledger.repository.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';
import {
  decidePause,
  decideRecordingFact,
  failedRecording,
  stoppedRecording,
  type RecordingEffect,
} from './decide-recording-fact.js';
import { RecordingFilesService } from './recording-files.service.js';
import { compositionRequest, type RoomComposition } from '../resources/composition-of.js';
import { insertWithinQuota } from '../resources/composition-quota.js';
import { Recording, noFile } from '../resources/recording.entity.js';
import { AccountLimitsService } from '../../accounts/limits/account-limits.service.js';
import { AccountQuotasService } from '../../accounts/limits/account-quotas.service.js';
import { isUniqueViolation } from '../../platform/database/database-errors.js';
import { newID } from '../../platform/database/new-id.js';
import type { SourceChoice } from '../broadcasts/broadcast.dto.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { requireTranscoder, tryTranscoders } from '../nodes/try-nodes.js';
import { RoomSourcesService } from '../sources/room-sources.service.js';
import { SourcesService, type LocatedSource } from '../sources/sources.service.js';

/** A node that is lost for longer will not come back with its recorded media. */
const salvageMs = 24 * 3_600_000;

const oneEach = ['recordings_one_per_session', 'recordings_one_per_participant', 'recordings_one_per_room'];

/** The settings of a recording of one source. */
type SourceRecordingOptions = Pick<
  RecordingOptions,
  'mediaOptions' | 'maxDurationSeconds' | 'pausesLimit' | 'retentionDays' | 'addHLS'
>;

/**
 * Starts recordings on the least loaded transcoder that accepts them, changes their states and ends them. Callers send the
 * returned commands after the commit.
 */
@Injectable()
export class RecordingLifecycleService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly usage: UsageLedgerRepository,
    private readonly files: RecordingFilesService,
    private readonly commands: WorkerCommandsService,
    private readonly sources: SourcesService,
    private readonly roomSources: RoomSourcesService,
    private readonly nodes: NodeRegistry,
    private readonly limits: AccountLimitsService,
    private readonly quotas: AccountQuotasService,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Stores the row before the command, so that no fact arrives before the row. Deletes the row on failure. */
  async open(row: Recording, kinds: readonly MediaKind[], requestID?: string): Promise<void> {
    const composing = row.composition ? 'recordings' : undefined;
    const source = await this.insert(row, kinds, () => requireTranscoder(this.nodes, composing));
    try {
      await tryTranscoders(this.nodes, node => this.startOn(node, row, source, requestID), composing);
    } catch (error) {
      await this.dataSource.manager.delete(Recording, row.id);
      void this.commands.tell(stopRecording(row), requestID);
      throw error;
    }
  }

  async applyFact(fact: Fact<RecordingFact>): Promise<void> {
    const commands = await this.dataSource.transaction(manager => this.apply(manager, fact));
    // Not awaited: a node that does not answer must not delay the next facts.
    void this.commands.tell(commands, fact.requestID);
  }

  /** Ends running recordings. The transcoders make the files afterwards. */
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

  /** Interrupts recordings whose sources are lost, until a source is back. */
  async interruptAll(manager: EntityManager, sourceSessionIDs: readonly string[]): Promise<WorkerCommand[]> {
    return (await runningOf(manager, sourceSessionIDs)).flatMap(interruptRecording);
  }

  /** Resumes recordings whose sources are back, each on its SFU node. */
  async resumeAll(manager: EntityManager, sfuNodes: ReadonlyMap<string, string>): Promise<WorkerCommand[]> {
    return (await runningOf(manager, [...sfuNodes.keys()])).flatMap(row => {
      const sfuNodeID = sfuNodes.get(row.sourceSessionID ?? '');
      return row.nodeEpoch === null || sfuNodeID === undefined ? [] : resumeRecording(row, { sfuNodeID });
    });
  }

  /** A recorded room became empty. Ends the recording when that happened more often than its settings allow. */
  async pauseRoom(id: string): Promise<void> {
    const now = new Date(this.clock.now());
    const commands = await this.dataSource.transaction(async manager => {
      const row = await lockRow(manager, Recording, id);
      const change = row ? decidePause(row, now) : 'ignored';
      if (!row || change === 'ignored') return [];
      await updateRow(manager, Recording, row, change.set);
      if (change.effect !== 'surplus') return [];
      await this.usage.finish(manager, id, now);
      return stopRecording(row);
    });
    await this.commands.tell(commands);
  }

  /** The node is lost. The reconciler has the file completed, and another node may continue with the source. */
  async lose(manager: EntityManager, row: Recording, lastHeard: Date | undefined): Promise<void> {
    const now = new Date(this.clock.now());
    await this.usage.finish(manager, row.id, lastHeard);
    const isPlaced = row.nodeID !== null && row.nodeEpoch !== null;
    const lost = stoppedRecording('node_lost', lastHeard ?? now, { now, graceMs: this.settings.graceMs });
    await updateRow(manager, Recording, row, isPlaced ? lost : failedRecording('node_lost', now));
  }

  /** Fails recordings that no node will finish. */
  async sweep(now: Date): Promise<void> {
    const endedAt = LessThan(new Date(now.getTime() - salvageMs));
    await this.dataSource.manager.update(Recording, { state: 'processing', endedAt }, { state: 'failed' });
  }

  private async apply(manager: EntityManager, fact: Fact<RecordingFact>): Promise<WorkerCommand[]> {
    const row = await lockRow(manager, Recording, fact.resourceID);
    if (!row) return this.deleteUnused(manager, fact);
    if (!counts(row, fact)) return [];
    const timing = { at: new Date(fact.at), now: new Date(this.clock.now()), graceMs: this.settings.graceMs };
    const change = decideRecordingFact(row, fact.body, timing);
    // From others only facts about the file count, so the row keeps the epoch and sequence of its own start.
    const isOwn = fact.nodeID === row.nodeID && fact.epoch === row.nodeEpoch;
    const heard = isOwn ? { factSequence: fact.sequence } : {};
    await updateRow(manager, Recording, row, change === 'ignored' ? heard : { ...change.set, ...heard });
    if (change === 'ignored') return row.state === 'failed' ? this.deleteUnused(manager, fact) : [];
    await this.keepUsage(manager, row, change.effect, fact);
    return change.effect === 'surplus' ? stopRecording(row) : [];
  }

  /** Minutes count by the clock of the node that wrote the media. */
  private async keepUsage(
    manager: EntityManager,
    { id: resourceID, meetingID }: Recording,
    effect: RecordingEffect,
    { body, at }: Fact<RecordingFact>,
  ): Promise<void> {
    if (body.type === 'recording.active' && effect === 'began') {
      await this.usage.begin(manager, { kind: 'recording', resourceID, meetingID, at: new Date(body.since) });
    } else if (effect === 'composed' && body.type === 'recording.ready') {
      await this.usage.addRun(manager, { kind: 'recording', resourceID, meetingID }, body.durationSeconds);
    } else if (effect !== 'none') {
      await this.usage.finish(manager, resourceID, new Date('until' in body ? body.until : at));
    }
  }

  /** The recording was deleted, or its node counted as lost, while the node made its file. */
  private async deleteUnused(manager: EntityManager, { body, resourceID, nodeID }: Fact<RecordingFact>) {
    if (body.type === 'recording.ready')
      await this.files.queue(manager, { id: resourceID, nodeID, storage: body.storage });
    return [];
  }

  private async startOn(node: NodeLease, row: Recording, source: LocatedSource, requestID?: string): Promise<void> {
    const { id: recordingID, meetingID, tracks, maxDurationSeconds } = row;
    const placement = placedOn(node, new Date(this.clock.now()));
    const { affected } = await this.dataSource.manager.update(Recording, { id: row.id, ...running }, placement);
    if (affected !== 1) throw new ServiceError('source_not_active', 'The source has ended.');
    Object.assign(row, placement);
    const { sourceID, nodeID: sfuNodeID } = source;
    const maxSource = await this.limits.readSourceBounds(row.accountID);
    const common = { recordingID, meetingID, sourceID, sfuNodeID, tracks, maxDurationSeconds, maxSource };
    const request = { ...common, ...compositionRequest(row), ...hlsRequest(row) };
    await this.commands.ask(transcoderCommands.startRecording.forNode(node.nodeID), request, requestID);
  }

  private async requireSource(
    manager: EntityManager,
    row: Recording,
    kinds: readonly MediaKind[],
  ): Promise<LocatedSource> {
    const { composition } = row;
    if (!composition) return this.sources.requireForRecording(manager, row);
    const { room, source } = await this.roomSources.open(manager, { ...row, composition, tracks: [...kinds] });
    row.composed = room;
    return source;
  }

  private insert(row: Recording, kinds: readonly MediaKind[], check: () => void): Promise<LocatedSource> {
    return insertWithinQuota(this.quotas, this.dataSource.manager, row, async manager => {
      const source = await this.requireSource(manager, row, kinds);
      row.tracks = source.kinds.filter(kind => kinds.includes(kind));
      if (row.tracks.length === 0) throw new ServiceError('source_not_active', 'The source sends no audio.');
      check();
      await manager.insert(Recording, row).catch((error: unknown) => {
        const isTaken = oneEach.some(constraint => isUniqueViolation(error, constraint));
        throw isTaken ? recordedAlready(row) : error;
      });
      return source;
    });
  }
}

/** Exactly one of them is not null. */
export type RecordedSource = SourceChoice & { composition: RoomComposition | null };

function hlsRequest({ addHLS, accountID }: Recording): Pick<StartRecordingRequest, 'addHLS' | 'accountID'> {
  return addHLS ? { addHLS, accountID } : {};
}

export function makeRecording(
  room: Pick<Recording, 'accountID' | 'meetingID' | 'keyType'>,
  { sourceSessionID, sourceParticipantID, composition }: RecordedSource,
  options: Omit<SourceRecordingOptions, 'mediaOptions'>,
  now: Date,
): Recording {
  return Object.assign(new Recording(), makeMediaRow(newID('rec'), room, now), noFile, {
    keyType: room.keyType,
    sourceSessionID,
    sourceParticipantID,
    composition,
    composed: null,
    state: 'starting' as const,
    tracks: [],
    maxDurationSeconds: options.maxDurationSeconds,
    pausesLimit: options.pausesLimit,
    retentionDays: options.retentionDays,
    addHLS: options.addHLS,
    pauseCount: 0,
    ...{ previousRecordingID: null, sourceRecordingIDs: null },
    durationSeconds: null,
  });
}

export function recordedKinds({ mediaOptions }: Pick<RecordingOptions, 'mediaOptions'>): MediaKind[] {
  return mediaOptions === 'audio' ? ['audio'] : ['video', 'audio'];
}

function recordedAlready({ composition }: Recording): ServiceError {
  const recorded = composition ? 'room' : 'source';
  return new ServiceError('already_exists', `This ${recorded} is already being recorded. Stop that recording first.`);
}

/** A later start of the node may report the file of an earlier start, and any other node the file that it completed. */
function counts(row: Recording, fact: Fact<RecordingFact>): boolean {
  if (fact.nodeID !== row.nodeID) return row.state === 'processing' && isCompletion(fact.body);
  const isLaterStart = fact.nodeID === row.nodeID && row.nodeEpoch !== null && fact.epoch > row.nodeEpoch;
  return isLaterStart || isCurrent(row, fact);
}

function isCompletion(body: RecordingFact): boolean {
  return body.type === 'recording.failed' || (body.type === 'recording.ready' && body.storage === 'shared');
}

/** Locks rows in the order of their IDs: two transactions never wait for each other. */
function lockRunning(manager: EntityManager, where: FindOptionsWhere<Recording>): Promise<Recording[]> {
  const lock = { mode: 'pessimistic_write' as const };
  return manager.find(Recording, { where: { ...running, ...where }, order: { id: 'ASC' }, lock });
}

async function runningOf(manager: EntityManager, sourceSessionIDs: readonly string[]): Promise<Recording[]> {
  if (sourceSessionIDs.length === 0) return [];
  return manager.findBy(Recording, { sourceSessionID: In(sourceSessionIDs), ...running });
}
