import { Controller, Get, Param, Query } from '@nestjs/common';
import { RequireOperation } from '../../platform/auth/auth.decorators.js';
import { one } from '../../platform/http/answers.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { presentOne } from '../../platform/http/present.js';
import { CurrentOwner, type Owner } from '../resources/owned-rows.js';
import { GetSessionHistoryDto, sessionHistorySchema } from './session-history.dto.js';
import { SessionHistoryService } from './session-history.service.js';

@ApiTag({ name: 'External sessions' })
@Controller('v1/meetings/:meetingID/external-sessions/:sessionID/history')
@RequireOperation('ingestMedia', 'readRooms')
export class SessionHistoryController {
  constructor(private readonly history: SessionHistoryService) {}

  @Get()
  @ApiOperation({
    operationId: 'getExternalSessionHistory',
    summary: 'Read the history of an external session',
    description:
      'Samples of bit rate, loss, jitter, round-trip time and frame rate every ten seconds, and the changes of state. ' +
      'Samples are kept until a day after the session.',
  })
  @ApiAnswer(one('history', sessionHistorySchema))
  async get(@CurrentOwner() owner: Owner, @Param('sessionID') sessionID: string, @Query() query: GetSessionHistoryDto) {
    return presentOne('history', await this.history.read(owner, sessionID, query));
  }
}
