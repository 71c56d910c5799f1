import { Body, Controller, Query } from '@nestjs/common';
import { RequestID } from '@rtms/http';
import { CurrentCaller, RequireOperation } from '../../platform/auth/auth.decorators.js';
import type { Caller } from '../../platform/auth/caller.js';
import { Action, ReadAction } from '../../platform/http/action.decorator.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { deleted, one, oneOrList } from '../../platform/http/answers.js';
import { PageQuery, type Page } from '../../platform/http/page.decorator.js';
import { presentDeleted, presentList, presentOne } from '../../platform/http/present.js';
import { RecordingComposerService } from './recording-composer.service.js';
import {
  ComposeRecordingDto,
  GetRecordingsDto,
  RecordingIDDto,
  StartRecordingDto,
  recordingSchema,
  presentRecording,
} from './recording.dto.js';
import { RecordingsService } from './recordings.service.js';

@ApiTag({
  name: 'Recordings',
  description: 'Recordings of rooms, participants and external sessions, and their files.',
  post: 'postRecordings',
})
@Controller('v1/recordings')
export class RecordingsController {
  constructor(
    private readonly recordings: RecordingsService,
    private readonly composer: RecordingComposerService,
  ) {}

  @ReadAction('get')
  @RequireOperation('readRecordings')
  @ApiOperation({
    operationId: 'getRecordings',
    summary: 'Read one recording or list recordings',
    description:
      'With `recordingID`, answers that recording and a download URL. Without it, lists recordings, newest first.',
  })
  @ApiAnswer(oneOrList(['recording', recordingSchema], ['recordings', recordingSchema]))
  async get(
    @CurrentCaller() caller: Caller,
    @Query() { recordingID, ...filter }: GetRecordingsDto,
    @PageQuery() page: Page,
  ) {
    if (recordingID !== undefined) {
      const row = await this.recordings.find(caller, recordingID);
      return presentOne('recording', presentRecording(row, await this.recordings.download(row)));
    }
    const listed = await this.recordings.list(caller, filter, page);
    return presentList('recordings', listed, page, row => presentRecording(row));
  }

  @Action('start')
  @RequireOperation('manageRecordings')
  @ApiOperation({
    operationId: 'startRecording',
    summary: 'Start a recording',
    description:
      'Records the whole room in one picture, or one participant or external session. Uses the recording settings of the account.',
  })
  @ApiAnswer(
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
    'limit_reached',
    'too_many_waiting',
  )
  async start(@CurrentCaller() caller: Caller, @Body() dto: StartRecordingDto, @RequestID() requestID: string) {
    return presentOne('recording', presentRecording(await this.recordings.start(caller, dto, requestID)));
  }

  @Action('compose')
  @RequireOperation('manageRecordings')
  @ApiOperation({
    operationId: 'composeRecording',
    summary: 'Compose recordings of single sources',
    description:
      'Makes one new recording from the files of recordings of one room, each at the time at which it was recorded. Uses the recording settings of the account.',
  })
  @ApiAnswer(
    one('recording', recordingSchema),
    'not_entitled',
    'recording_not_ready',
    'recording_not_composable',
    'balance_exhausted',
    'controller_unavailable',
    'capacity_reached',
    'limit_reached',
  )
  async compose(@CurrentCaller() caller: Caller, @Body() dto: ComposeRecordingDto, @RequestID() requestID: string) {
    return presentOne('recording', presentRecording(await this.composer.compose(caller, dto, requestID)));
  }

  @Action('stop')
  @RequireOperation('manageRecordings')
  @ApiOperation({
    operationId: 'stopRecording',
    summary: 'Stop a recording',
    description: 'The file is available when the recording is `ready`.',
  })
  @ApiAnswer(one('recording', recordingSchema))
  async stop(@CurrentCaller() caller: Caller, @Body() { recordingID }: RecordingIDDto, @RequestID() requestID: string) {
    return presentOne('recording', presentRecording(await this.recordings.stop(caller, recordingID, requestID)));
  }

  @Action('delete')
  @RequireOperation('manageRecordings')
  @ApiOperation({
    operationId: 'deleteRecording',
    summary: 'Delete a recording and its file',
    description: 'Repeating the deletion gives the same answer.',
  })
  @ApiAnswer(deleted('recordingID'), 'in_use')
  async delete(@CurrentCaller() caller: Caller, @Body() { recordingID }: RecordingIDDto) {
    await this.recordings.delete(caller, recordingID);
    return presentDeleted('recordingID', recordingID);
  }
}
