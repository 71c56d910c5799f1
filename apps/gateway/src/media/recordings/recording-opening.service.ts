import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import {
  ServiceError,
  transcoderCommands,
  type MediaKind,
  type NodeLease,
  type RecordingOptions,
} from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { AccountLimitsService } from '../../accounts/limits/account-limits.service.js';
import { isUniqueViolation } from '../../platform/database/database-errors.js';
import { newID } from '../../platform/database/new-id.js';
import { stopRecording } from '../../platform/workers/worker-command.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { makeMediaRow, placedOn } from '../resources/placement.js';
import type { SourceChoice } from '../broadcasts/broadcast.dto.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { requireNode } from '../nodes/choose-node.js';
import { tryNodes } from '../nodes/try-nodes.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { running } from '../../platform/rows/live-states.js';
import { RecordingSourcesService, type RecordingSource } from './recording-sources.service.js';
import { noFile, Recording } from '../resources/recording.entity.js';

const oneEach = ['recordings_one_per_session', 'recordings_one_per_participant'];

/** The settings of a recording of one source. */
type SourceRecordingOptions = Pick<
  RecordingOptions,
  'mediaOptions' | 'maxDurationSeconds' | 'pausesLimit' | 'retentionDays'
>;

/** Starts recordings on the least loaded transcoder that accepts them. */
@Injectable()
export class RecordingOpeningService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sources: RecordingSourcesService,
    private readonly nodes: NodeRegistry,
    private readonly commands: WorkerCommandsService,
    private readonly limits: AccountLimitsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Stores the row before the command, so that no fact arrives before the row. Deletes the row on failure. */
  async open(row: Recording, kinds: readonly MediaKind[], requestID?: string): Promise<void> {
    const source = await this.insert(row, kinds);
    const choose = (excluded: ReadonlySet<string>) => requireNode(this.nodes.list('transcoder'), excluded);
    try {
      await tryNodes(choose, node => this.startOn(node, row, source, requestID));
    } catch (error) {
      await this.dataSource.manager.delete(Recording, row.id);
      void this.commands.tell(stopRecording(row), requestID);
      throw error;
    }
  }

  private async startOn(node: NodeLease, row: Recording, source: RecordingSource, requestID?: string): Promise<void> {
    const { id: recordingID, meetingID, tracks, maxDurationSeconds } = row;
    const placement = placedOn(node, new Date(this.clock.now()));
    const { affected } = await this.dataSource.manager.update(Recording, { id: row.id, ...running }, placement);
    if (affected !== 1) throw new ServiceError('source_not_active', 'The source has ended.');
    Object.assign(row, placement);
    const { sourceID, nodeID: sfuNodeID } = source;
    const maxSource = await this.limits.readSourceBounds(row.accountID);
    const request = { recordingID, meetingID, sourceID, sfuNodeID, tracks, maxDurationSeconds, maxSource };
    await this.commands.ask(transcoderCommands.startRecording.forNode(node.nodeID), request, requestID);
  }

  private insert(row: Recording, kinds: readonly MediaKind[]): Promise<RecordingSource> {
    return this.dataSource.transaction(async manager => {
      const source = await this.sources.require(manager, row);
      row.tracks = source.kinds.filter(kind => kinds.includes(kind));
      if (row.tracks.length === 0) throw new ServiceError('source_not_active', 'The source sends no audio.');
      await manager.insert(Recording, row).catch((error: unknown) => {
        const isTaken = oneEach.some(constraint => isUniqueViolation(error, constraint));
        throw isTaken ? recordedAlready() : error;
      });
      return source;
    });
  }
}

export function makeRecording(
  room: Pick<Recording, 'accountID' | 'meetingID' | 'keyType'>,
  { sourceSessionID, sourceParticipantID }: SourceChoice,
  options: Omit<SourceRecordingOptions, 'mediaOptions'>,
  now: Date,
): Recording {
  return Object.assign(new Recording(), makeMediaRow(newID('rec'), room, now), noFile, {
    keyType: room.keyType,
    sourceSessionID,
    sourceParticipantID,
    state: 'starting' as const,
    tracks: [],
    maxDurationSeconds: options.maxDurationSeconds,
    pausesLimit: options.pausesLimit,
    retentionDays: options.retentionDays,
    pauseCount: 0,
    previousRecordingID: null,
    durationSeconds: null,
  });
}

export function recordedKinds({ mediaOptions }: Pick<RecordingOptions, 'mediaOptions'>): MediaKind[] {
  return mediaOptions === 'audio' ? ['audio'] : ['video', 'audio'];
}

function recordedAlready(): ServiceError {
  return new ServiceError('already_exists', 'This source is already being recorded.');
}
