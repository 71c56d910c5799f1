import { Inject, Injectable, Logger } from '@nestjs/common';
import { DeadlineError, NoResponderError, RemoteError } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { defaultRecordingOptions, ServiceError } from '@rtms/contracts';
import { toServiceError } from '@rtms/http';
import { DataSource, LessThanOrEqual, MoreThan } from 'typeorm';
import { RepeatingService } from '../../platform/jobs/repeating-task.js';
import { BalancesRepository } from '../../accounts/balance/balances.repository.js';
import { AdvisoryLocksService } from '../../platform/database/advisory-locks.service.js';
import { EntitlementsService } from '../../accounts/entitlements/entitlements.service.js';
import { RoomsService, type Room } from '../../rooms/room/rooms.service.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';
import { noSource } from '../broadcasts/broadcast.dto.js';
import { compositionOf } from '../resources/composition-of.js';
import { RecordingFilesService } from './recording-files.service.js';
import { RecordingLifecycleService, makeRecording, recordedKinds } from './recording-lifecycle.service.js';
import { RecordingsRepository } from './recordings.repository.js';
import { StartRefusals } from './start-refusals.js';
import { Recording } from '../resources/recording.entity.js';

/** Starts recordings of rooms with `recordOnStart`, continues recordings of lost nodes, and deletes expired files. */
@Injectable()
export class RecordingUpkeepService extends RepeatingService {
  private readonly logger = new Logger(RecordingUpkeepService.name);
  private readonly refusals: StartRefusals;

  constructor(
    @Inject(MEDIA_SETTINGS) settings: MediaSettings,
    private readonly dataSource: DataSource,
    private readonly recordings: RecordingsRepository,
    private readonly locks: AdvisoryLocksService,
    private readonly lifecycle: RecordingLifecycleService,
    private readonly files: RecordingFilesService,
    private readonly rooms: RoomsService,
    private readonly balances: BalancesRepository,
    private readonly entitlements: EntitlementsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super(clock, settings.sweepIntervalMs);
    this.refusals = new StartRefusals(clock);
  }

  protected async run(): Promise<void> {
    await this.locks.under('recordings', async () => {
      const now = new Date(this.clock.now());
      await this.continueLost(now);
      await this.startUnrecorded(now);
      await this.lifecycle.sweep(now);
      await this.files.expire(now);
      await this.files.deleteQueued();
    });
  }

  /** Without a free transcoder the other rooms wait for the next sweep. */
  private async startUnrecorded(now: Date): Promise<void> {
    for (const meetingID of await this.recordings.listUnrecordedRooms()) {
      const room = await this.rooms.findByID(meetingID);
      if (!room) continue;
      const options = room.recordingOptions ?? defaultRecordingOptions;
      const wholeRoom = { ...noSource, composition: compositionOf(options) };
      const row = makeRecording({ ...room, meetingID }, wholeRoom, options, now);
      const refusal = await this.tryOpen(row, room, options);
      if (refusal !== undefined && isFull(refusal)) return;
    }
  }

  /** Starts a recording of its own, because the one of the lost node becomes a file. */
  private async continueLost(now: Date): Promise<void> {
    const lost = await this.dataSource.manager.findBy(Recording, { graceUntil: MoreThan(now) });
    for (const row of lost) {
      const room = await this.rooms.findByID(row.meetingID);
      const next = room?.state === 'active' ? continuationOf(row, now) : undefined;
      const refusal = room && next && (await this.tryOpen(next, room, { mediaOptions: mediaOf(row) }));
      if (refusal === undefined || refusal === 'already_exists')
        await this.dataSource.manager.update(Recording, row.id, { graceUntil: null });
    }
    await this.dataSource.manager.update(Recording, { graceUntil: LessThanOrEqual(now) }, { graceUntil: null });
  }

  /** Returns the reason why the source or room is not recorded now. undefined: its recording has started. */
  private async tryOpen(
    row: Recording,
    room: Room,
    media: Parameters<typeof recordedKinds>[0],
  ): Promise<string | undefined> {
    const { every, sourceID } = keysOf(row);
    const waiting = this.refusals.waiting(every) ?? this.refusals.waiting(sourceID);
    if (waiting !== undefined) return waiting;
    try {
      await this.entitlements.require(room.accountID, 'recording');
      await this.balances.requireRecordingTime(room.accountID, room.keyType);
      await this.lifecycle.open(row, recordedKinds(media));
      for (const each of [every, sourceID]) this.refusals.forget(each);
      return undefined;
    } catch (error) {
      return this.onRefused(row, error);
    }
  }

  private onRefused(row: Recording, error: unknown): string {
    const { every, sourceID } = keysOf(row);
    const { reason, message } = toServiceError(error);
    const isOfNode = [RemoteError, NoResponderError, DeadlineError].some(each => error instanceof each);
    if (!isOfNode && !(error instanceof ServiceError) && reason === 'internal_error') throw error;
    const isNew = this.refusals.note(isOfNode && isFull(reason) ? every : sourceID, reason, !isOfNode);
    if (isNew) this.logger.warn({ sourceID, reason, message }, 'not recorded yet');
    return reason;
  }
}

/** The keys of refusals. `every`: full transcoders refuse every source. */
function keysOf(row: Recording): { every: string; sourceID: string } {
  const every = row.composition ? 'every room' : 'every source';
  return { every, sourceID: row.sourceSessionID ?? row.sourceParticipantID ?? row.meetingID };
}

function isFull(reason: string): boolean {
  return reason === 'capacity_reached' || reason === 'controller_unavailable';
}

/** undefined: the recording has reached its maximum duration. */
function continuationOf(lost: Recording, now: Date): Recording | undefined {
  const lastedMs = lost.activatedAt && lost.endedAt ? lost.endedAt.getTime() - lost.activatedAt.getTime() : 0;
  const maxDurationSeconds = Math.floor(lost.maxDurationSeconds - lastedMs / 1000);
  if (maxDurationSeconds < 1) return undefined;
  const { pausesLimit, retentionDays, addHLS } = lost;
  const next = makeRecording(lost, lost, { maxDurationSeconds, pausesLimit, retentionDays, addHLS }, now);
  next.previousRecordingID = lost.id;
  next.pauseCount = lost.pauseCount;
  return next;
}

function mediaOf({ tracks }: Recording): 'audio' | 'video' {
  return tracks.includes('video') ? 'video' : 'audio';
}
