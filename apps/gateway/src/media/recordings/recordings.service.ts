import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError, type RecordingOptions, type RecordingState } from '@rtms/contracts';
import { Repository, type EntityManager } from 'typeorm';
import type { Caller } from '../../platform/auth/caller.js';
import { inScope, type RoomScope } from '../../platform/auth/room-scope.js';
import { settingsScope } from '../../platform/auth/auth.decorators.js';
import { BalancesRepository } from '../../accounts/balance/balances.repository.js';
import { listRows, type Listed, type Page } from '../../platform/rows/list-rows.js';
import { EntitlementsService } from '../../accounts/entitlements/entitlements.service.js';
import { deleteRecording } from '../../platform/workers/worker-command.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { RecordingSettingsService } from '../../settings/recording-settings/recording-settings.service.js';
import { RoomsService } from '../../rooms/room/rooms.service.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { MediaTokensService } from '../../accounts/signing-keys/media-tokens.service.js';
import { noSource, requireOneSource } from '../broadcasts/broadcast.dto.js';
import { type StartRecordingDto, presentRecording, type RecordingDownload } from './recording.dto.js';
import { isRunning } from './decide-recording-fact.js';
import { DeletedRecording } from './deleted-recording.entity.js';
import { RecordingFilesService } from './recording-files.service.js';
import {
  RecordingLifecycleService,
  makeRecording,
  recordedKinds,
  type RecordedSource,
} from './recording-lifecycle.service.js';
import { compositionOf } from '../resources/composition-of.js';
import { Recording } from '../resources/recording.entity.js';

/** A viewer may pause this long. */
const pauseSeconds = 3_600;

interface RecordingFilter {
  meetingID?: string | undefined;
  sourceSessionID?: string | undefined;
  state?: RecordingState | undefined;
}

/** Starts, finds, lists, stops and deletes recordings. */
@Injectable()
export class RecordingsService {
  constructor(
    @InjectRepository(Recording) private readonly recordings: Repository<Recording>,
    private readonly entitlements: EntitlementsService,
    private readonly rooms: RoomsService,
    private readonly balances: BalancesRepository,
    private readonly settings: RecordingSettingsService,
    private readonly lifecycle: RecordingLifecycleService,
    private readonly files: RecordingFilesService,
    private readonly nodes: NodeRegistry,
    private readonly tokens: MediaTokensService,
    private readonly commands: WorkerCommandsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Throws NOT_FOUND, alike for an unknown recording and for a recording outside the scope. */
  async find(scope: RoomScope, recordingID: string): Promise<Recording> {
    const row = await this.recordings.findOneBy(inScope<Recording>(scope, { id: recordingID }));
    if (!row) throw notFound();
    return row;
  }

  /** Newest first. */
  list(
    scope: RoomScope,
    { meetingID, sourceSessionID, state }: RecordingFilter,
    page: Page,
  ): Promise<Listed<Recording>> {
    const filter = {
      ...(meetingID !== undefined && { meetingID }),
      ...(sourceSessionID !== undefined && { sourceSessionID }),
      ...(state !== undefined && { state }),
    };
    return listRows(this.recordings, inScope<Recording>(scope, filter), page);
  }

  async start(caller: Caller, dto: StartRecordingDto, requestID: string): Promise<Recording> {
    const { accountID } = caller;
    await this.entitlements.require(accountID, 'recording');
    const room = await this.rooms.requireRunning(caller, dto.meetingID);
    await this.balances.requireRecordingTime(accountID, room.keyType);
    const options = await this.settings.inForce(settingsScope(caller));
    const place = { ...room, meetingID: room.id };
    const row = makeRecording(place, sourceOf(dto, options), options, new Date(this.clock.now()));
    await this.lifecycle.open(row, recordedKinds(options), requestID);
    return row;
  }

  /** Idempotent: a stopped recording stays as it is. */
  async stop(scope: RoomScope, recordingID: string, requestID: string): Promise<Recording> {
    await this.find(scope, recordingID);
    const commands = await this.recordings.manager.transaction(manager =>
      this.lifecycle.endAll(manager, { id: recordingID }, 'requested'),
    );
    await this.commands.tell(commands, requestID);
    return this.find(scope, recordingID);
  }

  /** Idempotent. Deletes the file and keeps the log entry. Throws CONFLICT, `in_use`, while the recording runs. */
  async delete(scope: RoomScope, recordingID: string): Promise<void> {
    const deleted = await this.recordings.manager.transaction(async manager => {
      const lock = { mode: 'pessimistic_write' as const };
      const row = await manager.findOne(Recording, { where: inScope<Recording>(scope, { id: recordingID }), lock });
      if (!row) {
        await requireDeleted(manager, scope, recordingID);
        return undefined;
      }
      if (isRunning(row)) throw new ServiceError('in_use', 'The recording is still running. Stop it first.');
      await this.files.queue(manager, row);
      await manager.insert(DeletedRecording, asDeleted(row, new Date(this.clock.now())));
      await manager.delete(Recording, row.id);
      return row;
    });
    await this.files.deleteQueued();
    // Any node may complete the recording of a lost one, and can delete its pieces.
    const nodes = deleted?.state === 'processing' ? this.nodes.list('transcoder') : [];
    await this.commands.tell(nodes.flatMap(({ nodeID }) => deleteRecording({ id: recordingID, nodeID })));
  }

  /** A temporary download of the file. undefined: there is no file, or no node that serves it. */
  async download(row: Recording): Promise<RecordingDownload | undefined> {
    const { id, meetingID, nodeID, checksumSha256 } = row;
    if (nodeID === null || checksumSha256 === null) return undefined;
    const node = this.nodes.find('transcoder', nodeID) ?? this.nodes.list('transcoder')[0];
    if (!node) return undefined;
    const file = { id, meetingID, nodeID, checksumSha256 };
    const issued = await this.tokens.issueDownload(file);
    if (!row.addHLS) return { publicUrl: node.publicUrl, ...issued };
    const ttlSeconds = Math.ceil(row.durationSeconds ?? 0) + pauseSeconds;
    // Players fetch the media with it until their end.
    const { token: hlsToken } = await this.tokens.issueDownload(file, { ttlSeconds, part: 'hls' });
    return { publicUrl: node.publicUrl, ...issued, hlsToken };
  }
}

/** Without a source it is the whole room. */
function sourceOf({ layout, ...dto }: StartRecordingDto, options: RecordingOptions): RecordedSource {
  const isWholeRoom = !dto.sourceSessionID && !dto.sourceParticipantID;
  if (isWholeRoom) return { ...noSource, composition: compositionOf(options, layout ?? undefined) };
  if (layout) throw new ServiceError('invalid_request', 'layout is for the whole room. Leave out the source.');
  return { ...requireOneSource(dto), composition: null };
}

function asDeleted(row: Recording, deletedAt: Date): DeletedRecording {
  const { id, accountID, meetingID, keyType, createdAt } = row;
  const isComposedOfFiles = row.sourceRecordingIDs !== null;
  return {
    id,
    accountID,
    meetingID,
    keyType,
    createdAt,
    deletedAt,
    isComposedOfFiles,
    recording: presentRecording(row),
  };
}

/** A second DELETE succeeds for every caller that could see the recording. */
async function requireDeleted(manager: EntityManager, scope: RoomScope, recordingID: string): Promise<void> {
  const isDeleted = await manager.existsBy(DeletedRecording, inScope<DeletedRecording>(scope, { id: recordingID }));
  if (!isDeleted) throw notFound();
}

function notFound(): ServiceError {
  return new ServiceError('not_found', 'There is no such recording.');
}
