import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { defaultRecordingOptions, ServiceError } from '@rtms/contracts';
import { toServiceError } from '@rtms/http';
import { DataSource, LessThanOrEqual, MoreThan } from 'typeorm';
import { RepeatingTask } from '../background/repeating-task.js';
import { BalancesService } from '../balance/balances.service.js';
import { AdvisoryLocks } from '../database/advisory-locks.service.js';
import { EntitlementsService } from '../entitlements/entitlements.service.js';
import { Room } from '../rooms/room.entity.js';
import { CLOCK } from '../runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../settings/media-settings.js';
import { RecordingFilesService } from './recording-files.service.js';
import { RecordingLifecycle } from './recording-lifecycle.service.js';
import { makeRecording, recordedKinds, RecordingOpening, type RecordedSource } from './recording-opening.service.js';
import { Recording } from './recording.entity.js';

/** Who sends in a room that is recorded from the start, and was never recorded. */
const unrecordedSources = `
SELECT r.id AS "meetingID", s.id AS "sourceSessionID", NULL AS "sourceParticipantID"
FROM rooms r JOIN external_sessions s ON s.meeting_id = r.id AND s.state = 'active'
WHERE r.state = 'active' AND r.record_on_start
  AND NOT EXISTS (SELECT 1 FROM recordings c WHERE c.source_session_id = s.id)
UNION ALL
SELECT r.id, NULL, p.id
FROM rooms r JOIN participants p ON p.meeting_id = r.id AND p.state = 'joined' AND p.kind = 'member'
WHERE r.state = 'active' AND r.record_on_start AND jsonb_array_length(p.tracks) > 0
  AND NOT EXISTS (SELECT 1 FROM recordings c WHERE c.source_participant_id = p.id)`;

/** Starts what is to be recorded from the start, goes on after lost nodes, and deletes files whose time is over. */
@Injectable()
export class RecordingUpkeep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(RecordingUpkeep.name);
  private readonly task: RepeatingTask;
  /** What was said of sources that can't be recorded now; said once. */
  private readonly declined = new Map<string, string>();

  constructor(
    @Inject(MEDIA_SETTINGS) settings: MediaSettings,
    private readonly dataSource: DataSource,
    private readonly locks: AdvisoryLocks,
    private readonly opening: RecordingOpening,
    private readonly lifecycle: RecordingLifecycle,
    private readonly files: RecordingFilesService,
    private readonly balances: BalancesService,
    private readonly entitlements: EntitlementsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.task = new RepeatingTask(this.clock, RecordingUpkeep.name, settings.sweepIntervalMs, () => this.run());
  }

  onApplicationBootstrap(): void {
    this.task.trigger();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.close();
  }

  private async run(): Promise<void> {
    await this.locks.under('recordings', async () => {
      const now = new Date(this.clock.now());
      await this.startUnrecorded(now);
      await this.continueLost(now);
      await this.lifecycle.sweep(now);
      await this.files.expire(now);
      await this.files.deleteQueued();
    });
  }

  private async startUnrecorded(now: Date): Promise<void> {
    const sources = await this.dataSource.query<(RecordedSource & { meetingID: string })[]>(unrecordedSources);
    for (const { meetingID, ...source } of sources) {
      const room = await this.dataSource.manager.findOneBy(Room, { id: meetingID });
      if (!room) continue;
      const options = room.recordingOptions ?? defaultRecordingOptions;
      const row = makeRecording({ ...room, meetingID }, source, options, now);
      await this.tryOpen(row, room, options);
    }
  }

  /** As a recording of its own: the lost node finishes what it has at its next start. */
  private async continueLost(now: Date): Promise<void> {
    const lost = await this.dataSource.manager.findBy(Recording, { graceUntil: MoreThan(now) });
    for (const row of lost) {
      const room = await this.dataSource.manager.findOneBy(Room, { id: row.meetingID, state: 'active' });
      const next = room ? continuationOf(row, now) : undefined;
      const isSettled = !room || !next || (await this.tryOpen(next, room, { mediaOptions: mediaOf(row) }));
      if (isSettled) await this.dataSource.manager.update(Recording, row.id, { graceUntil: null });
    }
    await this.dataSource.manager.update(Recording, { graceUntil: LessThanOrEqual(now) }, { graceUntil: null });
  }

  /** Whether it records now. */
  private async tryOpen(row: Recording, room: Room, media: Parameters<typeof recordedKinds>[0]): Promise<boolean> {
    const sourceID = row.sourceSessionID ?? row.sourceParticipantID ?? '';
    try {
      await this.entitlements.require(room.accountID, 'recording');
      await this.balances.requireRecordingTime(room.accountID, room.keyType);
      await this.opening.open(row, recordedKinds(media));
      this.declined.delete(sourceID);
      return true;
    } catch (error) {
      const { reason, message } = toServiceError(error);
      if (!(error instanceof ServiceError) && reason === 'internal_error') throw error;
      if (this.declined.get(sourceID) !== reason) this.logger.warn({ sourceID, reason, message }, 'not recorded yet');
      this.declined.set(sourceID, reason);
      return reason === 'already_exists';
    }
  }
}

/** undefined: it is as long as it may be. */
function continuationOf(lost: Recording, now: Date): Recording | undefined {
  const lastedMs = lost.activatedAt && lost.endedAt ? lost.endedAt.getTime() - lost.activatedAt.getTime() : 0;
  const maxDurationSeconds = Math.floor(lost.maxDurationSeconds - lastedMs / 1000);
  if (maxDurationSeconds < 1) return undefined;
  const { pausesLimit, retentionDays } = lost;
  const next = makeRecording(lost, lost, { maxDurationSeconds, pausesLimit, retentionDays }, now);
  next.previousRecordingID = lost.id;
  next.pauseCount = lost.pauseCount;
  return next;
}

function mediaOf({ tracks }: Recording): 'audio' | 'video' {
  return tracks.includes('video') ? 'video' : 'audio';
}
