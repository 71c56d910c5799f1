import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import {
  mostRecordedSources,
  ServiceError,
  transcoderCommands,
  type NodeLease,
  type RecordedSource,
  type RecordingOptions,
  type RenderRecordingRequest,
} from '@rtms/contracts';
import { DataSource, In, IsNull, Not } from 'typeorm';
import { AccountLimitsService } from '../../accounts/limits/account-limits.service.js';
import { AccountQuotasService } from '../../accounts/limits/account-quotas.service.js';
import { BalancesRepository } from '../../accounts/balance/balances.repository.js';
import { EntitlementsService } from '../../accounts/entitlements/entitlements.service.js';
import { settingsScope } from '../../platform/auth/auth.decorators.js';
import type { Caller } from '../../platform/auth/caller.js';
import { inScope } from '../../platform/auth/room-scope.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { deleteRecording } from '../../platform/workers/worker-command.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { ParticipantsService } from '../../rooms/records/participants.service.js';
import { RecordingSettingsService } from '../../settings/recording-settings/recording-settings.service.js';
import { noSource } from '../broadcasts/broadcast.dto.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { requireTranscoder, tryTranscoders } from '../nodes/try-nodes.js';
import { compositionOf } from '../resources/composition-of.js';
import { insertWithinQuota } from '../resources/composition-quota.js';
import { placedOn } from '../resources/placement.js';
import { Recording } from '../resources/recording.entity.js';
import { failedRecording } from './decide-recording-fact.js';
import { requireComposable, type ComposableRecording } from './composable-recordings.js';
import type { ComposeRecordingDto } from './recording.dto.js';
import { makeRecording, recordedKinds } from './recording-lifecycle.service.js';

/** Composes recordings of single sources into a new one. A transcoder makes its file in the background. */
@Injectable()
export class RecordingComposerService {
  private readonly logger = new Logger(RecordingComposerService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly entitlements: EntitlementsService,
    private readonly balances: BalancesRepository,
    private readonly settings: RecordingSettingsService,
    private readonly participants: ParticipantsService,
    private readonly nodes: NodeRegistry,
    private readonly commands: WorkerCommandsService,
    private readonly limits: AccountLimitsService,
    private readonly quotas: AccountQuotasService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async compose(caller: Caller, dto: ComposeRecordingDto, requestID: string): Promise<Recording> {
    const { accountID } = caller;
    await this.entitlements.require(accountID, 'recording');
    const sources = requireComposable(dto, await this.find(caller, dto));
    const [{ meetingID, keyType }] = sources;
    await this.balances.requireRecordingTime(accountID, keyType);
    const options = await this.settings.inForce(settingsScope(caller));
    const row = this.makeRow({ accountID, meetingID, keyType }, dto, sources, options);
    const onlyNodeID = sources.find(({ storage }) => storage === 'node')?.nodeID ?? undefined;
    await insertWithinQuota(this.quotas, this.dataSource.manager, row, async manager => {
      requireTranscoder(this.nodes, 'files', onlyNodeID);
      await manager.insert(Recording, row);
    });
    try {
      const request = await this.requestOf(row, dto, sources);
      await tryTranscoders(this.nodes, node => this.startOn(node, row, request, requestID), 'files', onlyNodeID);
    } catch (error) {
      await this.dataSource.manager.delete(Recording, row.id);
      void this.commands.tell(deleteRecording(row), requestID);
      throw error;
    }
    return row;
  }

  /** The transcoder of a composition is lost, and its parts with it. */
  async lose({ id, nodeID, nodeEpoch }: Pick<Recording, 'id' | 'nodeID' | 'nodeEpoch'>): Promise<void> {
    const where = { id, state: 'processing' as const, nodeEpoch: nodeEpoch ?? IsNull() };
    const lost = failedRecording('node_lost', new Date(this.clock.now()));
    const { affected } = await this.dataSource.manager.update(Recording, where, lost);
    if (affected === 1)
      this.logger.warn({ recordingID: id, nodeID }, 'a composition of recordings lost its transcoder');
  }

  /** One more than can be composed tells that there are too many. Expired recordings of a room are left out. */
  private find(caller: Caller, { meetingID, recordingIDs }: ComposeRecordingDto): Promise<Recording[]> {
    const ofRoom = { meetingID: meetingID ?? '', composition: IsNull() };
    const unfinished = { ...ofRoom, state: In(['starting', 'recording', 'processing']) };
    const stored = { ...ofRoom, state: 'ready' as const, storage: Not(IsNull()) };
    const conditions = recordingIDs ? [{ id: In([...recordingIDs]) }] : [unfinished, stored];
    return this.dataSource.manager.find(Recording, {
      where: conditions.flatMap(each => inScope<Recording>(caller, each)),
      order: { createdAt: 'ASC', id: 'ASC' },
      take: mostRecordedSources + 1,
    });
  }

  private makeRow(
    room: Pick<Recording, 'accountID' | 'meetingID' | 'keyType'>,
    { layout, mainRecordingID }: ComposeRecordingDto,
    sources: readonly Recording[],
    options: RecordingOptions,
  ): Recording {
    // A grid has no large picture.
    const usual = mainRecordingID && options.videoOptions !== 'mainScreen' ? 'speaker' : undefined;
    const composition = compositionOf(options, layout ?? usual);
    const row = makeRecording(room, { ...noSource, composition }, options, new Date(this.clock.now()));
    const tracks = recordedKinds(options);
    return Object.assign(row, { state: 'processing', tracks, sourceRecordingIDs: sources.map(({ id }) => id) });
  }

  private async requestOf(
    row: Recording,
    { mainRecordingID }: ComposeRecordingDto,
    recordings: readonly ComposableRecording[],
  ): Promise<RenderRecordingRequest> {
    const { id: recordingID, meetingID, accountID, tracks, addHLS } = row;
    const { composition } = row;
    if (!composition) throw new Error('a composition of files without its form');
    const { shows: _, ...style } = composition;
    const main = recordings.find(({ id }) => id === mainRecordingID);
    return {
      ...{ recordingID, meetingID, accountID, tracks, composition: style },
      sources: await this.sourcesOf(recordings),
      ...(main && { mainSourceID: sourceIDOf(main) }),
      maxSource: await this.limits.readSourceBounds(accountID),
      ...(addHLS && { addHLS }),
    };
  }

  private async sourcesOf(recordings: readonly ComposableRecording[]): Promise<RecordedSource[]> {
    const members = recordings.flatMap(({ sourceParticipantID }) => sourceParticipantID ?? []);
    const sessions = recordings.flatMap(({ sourceSessionID }) => sourceSessionID ?? []);
    const people = await this.participants.listSources(members, sessions);
    return recordings.map(row => {
      const person = people.find(({ id, sessionID }) => [id, sessionID].includes(sourceIDOf(row)));
      const { id: recordingID, sizeBytes, spans } = row;
      const isHost = person?.kind === 'member' && (person.role === 'host' || person.role === 'cohost');
      const name = [...(person?.userName ?? '')].slice(0, longestName).join('');
      return { recordingID, sourceID: sourceIDOf(row), name, isHost, sizeBytes: sizeBytes ?? 0, spans };
    });
  }

  private async startOn(
    node: NodeLease,
    row: Recording,
    request: RenderRecordingRequest,
    requestID: string,
  ): Promise<void> {
    const placement = placedOn(node, new Date(this.clock.now()));
    const where = { id: row.id, state: 'processing' as const };
    const { affected } = await this.dataSource.manager.update(Recording, where, placement);
    if (affected !== 1) throw new ServiceError('not_found', 'The recording was deleted.');
    Object.assign(row, placement);
    await this.commands.ask(transcoderCommands.renderRecording.forNode(node.nodeID), request, requestID);
  }
}

/** Characters of a name tag. */
const longestName = 64;

function sourceIDOf({ id, sourceSessionID, sourceParticipantID }: Recording): string {
  return sourceSessionID ?? sourceParticipantID ?? id;
}
