import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentCaller, RequireOperation } from '../auth/auth.decorators.js';
import type { Caller } from '../auth/caller.js';
import { Answers } from '../http/answers.js';
import { PageQuery, type Page } from '../http/page.decorator.js';
import { GetLogsDto, GetRoomLogsDto } from './dto/get-logs.dto.js';
import { logAnswer, presentLogs, setPageHeaders, WantsEnvelope, type LogAnswer } from './envelope.decorator.js';
import { LogsService } from './logs.service.js';
import { logSchema, sipCallLogSchema, type PresentedLog, type PresentedSipCallLog } from './present-logs.js';

@Controller('v1')
@RequireOperation('readLogs')
export class LogsController {
  constructor(private readonly logs: LogsService) {}

  @Get('room/logs')
  @Answers(logAnswer(logSchema))
  async listRoomLogs(
    @CurrentCaller() caller: Caller,
    @Query() filter: GetRoomLogsDto,
    @PageQuery() page: Page,
    @WantsEnvelope() wantsEnvelope: boolean,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LogAnswer<PresentedLog>> {
    const listed = await this.logs.listRoomLogs(caller, filter, page);
    const query = { ...filter, envelope: wantsEnvelope ? '1' : undefined };
    setPageHeaders(response, { path: '/v1/room/logs', query, page, total: listed.total });
    return presentLogs(listed, page, wantsEnvelope);
  }

  @Get('sipcall/logs')
  @Answers(logAnswer(sipCallLogSchema))
  async listSipCallLogs(
    @CurrentCaller() caller: Caller,
    @Query() filter: GetLogsDto,
    @PageQuery() page: Page,
    @WantsEnvelope() wantsEnvelope: boolean,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LogAnswer<PresentedSipCallLog>> {
    const listed = await this.logs.listSipCallLogs(caller, filter, page);
    const query = { ...filter, envelope: wantsEnvelope ? '1' : undefined };
    setPageHeaders(response, { path: '/v1/sipcall/logs', query, page, total: listed.total });
    return presentLogs(listed, page, wantsEnvelope);
  }
}
