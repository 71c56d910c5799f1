import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { ServiceError } from '@rtms/contracts';
import { Repository } from 'typeorm';
import { BalancesService } from '../balance/balances.service.js';
import { deleteOnceIn } from '../database/delete-once.js';
import { listRows } from '../database/list-rows.js';
import { EntitlementsService } from '../entitlements/entitlements.service.js';
import { SessionSources } from '../external-sessions/session-sources.service.js';
import type { Page } from '../http/page.decorator.js';
import type { Listed } from '../http/present.js';
import { UsageLedger } from '../metering/usage-ledger.service.js';
import { RoomsService } from '../rooms/rooms.service.js';
import type { StartRecordingDto } from './dto/start-recording.dto.js';
import { Recording, type RecordingState } from './recording.entity.js';

export interface RecordingFilter {
  meetingID?: string | undefined;
  state?: RecordingState | undefined;
}

/** What callers ask of recordings. */
@Injectable()
export class RecordingsService {
  constructor(
    @InjectRepository(Recording) private readonly recordings: Repository<Recording>,
    private readonly entitlements: EntitlementsService,
    private readonly rooms: RoomsService,
    private readonly balances: BalancesService,
    private readonly sources: SessionSources,
    private readonly usage: UsageLedger,
  ) {}

  /** NOT_FOUND for an unknown recording and for one of another account alike. */
  async find(accountID: string, recordingID: string): Promise<Recording> {
    const row = await this.recordings.findOneBy({ id: recordingID, accountID });
    if (!row) throw notFound();
    return row;
  }

  /** Newest first. */
  list(accountID: string, { meetingID, state }: RecordingFilter, page: Page): Promise<Listed<Recording>> {
    const filter = { ...(meetingID !== undefined && { meetingID }), ...(state !== undefined && { state }) };
    return listRows(this.recordings, { accountID, ...filter }, page);
  }

  /** Whatever else would decline it is said first; no node of this platform records yet. */
  async start(accountID: string, { meetingID, sourceSessionID }: StartRecordingDto): Promise<never> {
    await this.entitlements.require(accountID, 'recording');
    const { keyType } = await this.rooms.requireRunning(accountID, meetingID);
    await this.balances.requireRecordingTime(accountID, keyType);
    if (sourceSessionID) {
      const source = { accountID, meetingID, sessionID: sourceSessionID };
      await this.recordings.manager.transaction(manager => this.sources.requireActive(manager, source));
    }
    throw new ServiceError('controller_unavailable', 'No media node can record right now.');
  }

  /** Stopping what does not record any more changes nothing. */
  async stop(accountID: string, recordingID: string): Promise<Recording> {
    await this.recordings.manager.transaction(async manager => {
      const lock = { mode: 'pessimistic_write' as const };
      const row = await manager.findOne(Recording, { where: { id: recordingID, accountID }, lock });
      if (!row || !isRunning(row)) return;
      const endedAt = new Date();
      await manager.update(Recording, row.id, { state: 'processing', endedAt });
      await this.usage.finish(manager, row.id, endedAt);
    });
    return this.find(accountID, recordingID);
  }

  /** Deleting it again is safe; CONFLICT, `in_use`, while it records. */
  delete(accountID: string, recordingID: string): Promise<void> {
    return this.recordings.manager.transaction(async manager => {
      const lock = { mode: 'pessimistic_write' as const };
      const row = await manager.findOne(Recording, { where: { id: recordingID, accountID }, lock });
      if (row && isRunning(row)) throw new ServiceError('in_use', 'The recording is still running. Stop it first.');
      await deleteOnceIn(manager, Recording, { accountID, id: recordingID }, 'recording');
    });
  }
}

function isRunning({ state }: Recording): boolean {
  return state === 'starting' || state === 'recording';
}

function notFound(): ServiceError {
  return new ServiceError('not_found', 'There is no such recording.');
}
