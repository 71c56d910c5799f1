import { Body, Controller, Query } from '@nestjs/common';
import { CurrentCaller, RequireOperation } from '../auth/auth.decorators.js';
import type { Caller } from '../auth/caller.js';
import { Action, ReadAction } from '../http/action.decorator.js';
import { Answers, deleted, one, oneOrList } from '../http/answers.js';
import { PageQuery, type Page } from '../http/page.decorator.js';
import {
  presentDeleted,
  presentList,
  presentOne,
  type DeletedAnswer,
  type ListAnswer,
  type OneAnswer,
} from '../http/present.js';
import { RequestID } from '../http/request-id.decorator.js';
import { GetRecordingsDto } from './dto/get-recordings.dto.js';
import { RecordingIDDto } from './dto/recording-id.dto.js';
import { StartRecordingDto } from './dto/start-recording.dto.js';
import { recordingSchema, presentRecording, type PresentedRecording } from './present-recording.js';
import { RecordingsService } from './recordings.service.js';

type RecordingAnswer = OneAnswer<'recording', PresentedRecording>;
type RecordingsAnswer = ListAnswer<'recordings', PresentedRecording>;

@Controller('v1/recordings')
export class RecordingsController {
  constructor(private readonly recordings: RecordingsService) {}

  @ReadAction('get')
  @RequireOperation('readRecordings')
  @Answers(oneOrList(['recording', recordingSchema], ['recordings', recordingSchema]))
  async get(
    @CurrentCaller() caller: Caller,
    @Query() { recordingID, ...filter }: GetRecordingsDto,
    @PageQuery() page: Page,
  ): Promise<RecordingAnswer | RecordingsAnswer> {
    if (recordingID !== undefined) {
      const row = await this.recordings.find(caller, recordingID);
      return presentOne('recording', presentRecording(row, await this.recordings.download(row)));
    }
    const { items, total } = await this.recordings.list(caller, filter, page);
    return presentList(
      'recordings',
      items.map(row => presentRecording(row)),
      total,
      page,
    );
  }

  @Action('start')
  @RequireOperation('manageRecordings')
  @Answers(
    one('recording', recordingSchema),
    'not_entitled',
    'room_ended',
    'session_ended',
    'source_not_active',
    'source_codec_unsupported',
    'already_exists',
    'balance_exhausted',
    'controller_unavailable',
    'capacity_reached',
  )
  async start(
    @CurrentCaller() caller: Caller,
    @Body() dto: StartRecordingDto,
    @RequestID() requestID: string,
  ): Promise<RecordingAnswer> {
    return presentOne('recording', presentRecording(await this.recordings.start(caller, dto, requestID)));
  }

  @Action('stop')
  @RequireOperation('manageRecordings')
  @Answers(one('recording', recordingSchema))
  async stop(
    @CurrentCaller() caller: Caller,
    @Body() { recordingID }: RecordingIDDto,
    @RequestID() requestID: string,
  ): Promise<RecordingAnswer> {
    return presentOne('recording', presentRecording(await this.recordings.stop(caller, recordingID, requestID)));
  }

  @Action('delete')
  @RequireOperation('manageRecordings')
  @Answers(deleted('recordingID'), 'in_use')
  async delete(
    @CurrentCaller() caller: Caller,
    @Body() { recordingID }: RecordingIDDto,
  ): Promise<DeletedAnswer<'recordingID'>> {
    await this.recordings.delete(caller, recordingID);
    return presentDeleted('recordingID', recordingID);
  }
}
