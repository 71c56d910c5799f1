import { Controller, Get, Query } from '@nestjs/common';
import { CurrentCaller, RequireOperation } from '../auth/auth.decorators.js';
import type { Caller } from '../auth/caller.js';
import { Answers } from '../http/answers.js';
import { PageQuery, type Page } from '../http/page.decorator.js';
import { GetLogsDto, GetRoomLogsDto } from './dto/get-logs.dto.js';
import { logAnswer, presentLogs, WantsEnvelope, type LogAnswer } from './envelope.decorator.js';
import { LogsService } from './logs.service.js';
import { logSchema, sipCallLogSchema, type PresentedLog, type PresentedSipCallLog } from './present-logs.js';

@Controller('v1')
@RequireOperation('readLogs')
export class LogsController {
  constructor(private readonly logs: LogsService) {}

  @Get('room/logs')
  @Answers(logAnswer(logSchema))
  async listRoomLogs(
    @CurrentCaller() { accountID }: Caller,
    @Query() filter: GetRoomLogsDto,
    @PageQuery() page: Page,
    @WantsEnvelope() wantsEnvelope: boolean,
  ): Promise<LogAnswer<PresentedLog>> {
    return presentLogs(await this.logs.listRoomLogs(accountID, filter, page), wantsEnvelope);
  }

  @Get('sipcall/logs')
  @Answers(logAnswer(sipCallLogSchema))
  async listSipCallLogs(
    @CurrentCaller() { accountID }: Caller,
    @Query() filter: GetLogsDto,
    @PageQuery() page: Page,
    @WantsEnvelope() wantsEnvelope: boolean,
  ): Promise<LogAnswer<PresentedSipCallLog>> {
    return presentLogs(await this.logs.listSipCallLogs(accountID, filter, page), wantsEnvelope);
  }
}
