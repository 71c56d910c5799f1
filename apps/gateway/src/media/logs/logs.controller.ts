import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentCaller, RequireOperation } from '../../platform/auth/auth.decorators.js';
import type { Caller } from '../../platform/auth/caller.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import {
  logAnswer,
  PageQuery,
  presentLogs,
  setPageHeaders,
  WantsEnvelope,
  type Page,
} from '../../platform/http/page.decorator.js';
import { GetLogsDto, GetRoomLogsDto, logSchema, sipCallLogSchema } from './logs.dto.js';
import { LogsService } from './logs.service.js';

@ApiTag({ name: 'Logs', description: 'History of rooms, calls and administrative actions.' })
@Controller('v1')
@RequireOperation('readLogs')
export class LogsController {
  constructor(private readonly logs: LogsService) {}

  @Get('room/logs')
  @ApiOperation({
    operationId: 'listRoomLogs',
    summary: 'List the logs of rooms',
    description:
      'Rooms, recordings and messages, newest first. The answer is a plain array unless the envelope is requested.',
  })
  @ApiAnswer(logAnswer(logSchema))
  async listRoomLogs(
    @CurrentCaller() caller: Caller,
    @Query() filter: GetRoomLogsDto,
    @PageQuery() page: Page,
    @WantsEnvelope() wantsEnvelope: boolean,
    @Res({ passthrough: true }) response: Response,
  ) {
    const listed = await this.logs.listRoomLogs(caller, filter, page);
    const query = { ...filter, envelope: wantsEnvelope ? '1' : undefined };
    setPageHeaders(response, { path: '/v1/room/logs', query, page, total: listed.total });
    return presentLogs(listed, page, wantsEnvelope);
  }

  @Get('sipcall/logs')
  @ApiOperation({
    operationId: 'listSipCallLogs',
    summary: 'List the logs of SIP calls',
    description:
      'Transcripts, summaries and callback states, newest first. The answer is a plain array unless the envelope is requested.',
  })
  @ApiAnswer(logAnswer(sipCallLogSchema))
  async listSipCallLogs(
    @CurrentCaller() caller: Caller,
    @Query() filter: GetLogsDto,
    @PageQuery() page: Page,
    @WantsEnvelope() wantsEnvelope: boolean,
    @Res({ passthrough: true }) response: Response,
  ) {
    const listed = await this.logs.listSipCallLogs(caller, filter, page);
    const query = { ...filter, envelope: wantsEnvelope ? '1' : undefined };
    setPageHeaders(response, { path: '/v1/sipcall/logs', query, page, total: listed.total });
    return presentLogs(listed, page, wantsEnvelope);
  }
}
