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
import { AccountLimitsService } from '../account-limits/account-limits.service.js';
import { isUniqueViolation } from '../database/database-errors.js';
import { newID } from '../ids/new-id.js';
import { stopRecording } from '../media-commands/worker-command.js';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { makeMediaRow, placedOn } from '../media/make-media-row.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { requireNode } from '../nodes/require-node.js';
import { tryNodes } from '../nodes/try-nodes.js';
import { CLOCK } from '../runtime.module.js';
import { running } from '../media/live-states.js';
import { RecordingSources, type RecordingSource } from './recording-sources.service.js';
import { noFile, Recording } from './recording.entity.js';

const oneEach = ['recordings_one_per_session', 'recordings_one_per_participant'];

export interface RecordedSource {
  sourceSessionID: string | null;
  sourceParticipantID: string | null;
}

/** What of the settings concerns a recording of one source. */
export type SourceRecordingOptions = Pick<
  RecordingOptions,
  'mediaOptions' | 'maxDurationSeconds' | 'pausesLimit' | 'retentionDays'
>;

/** Starts recordings on the least loaded transcoder that takes them. */
@Injectable()
export class RecordingOpening {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sources: RecordingSources,
    private readonly nodes: NodeRegistry,
    private readonly commands: WorkerCommands,
    private readonly limits: AccountLimitsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The row is stored before a node hears of it, so that no fact comes too early; on failure nothing is left. */
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
      if (row.tracks.length === 0) throw new ServiceError('source_not_active', 'The source sends no sound.');
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
  { sourceSessionID, sourceParticipantID }: RecordedSource,
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
  return new ServiceError('already_exists', 'This source is being recorded already.');
}
