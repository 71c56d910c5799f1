import { Body, Controller, Delete, Get, Param } from '@nestjs/common';
import { RequestID } from '@rtms/http';
import { ActsAs, RequireOperation } from '../../platform/auth/auth.decorators.js';
import { Action } from '../../platform/http/action.decorator.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { list, one } from '../../platform/http/answers.js';
import { PageQuery, type Page } from '../../platform/http/page.decorator.js';
import { presentList, presentOne } from '../../platform/http/present.js';
import { IdempotentPost } from '../../platform/idempotency/idempotency.interceptor.js';
import { CurrentOwner, type Owner } from '../resources/owned-rows.js';
import { EndMediaDto } from '../resources/end-media.dto.js';
import { CreateExternalSessionDto, RenewTokenDto, externalSessionSchema } from './external-session.dto.js';
import { ExternalSessionsService } from './external-sessions.service.js';

@ApiTag({ name: 'External sessions', description: 'Publishers outside the room, such as cameras and encoders (WHIP).' })
@Controller('v1/meetings/:meetingID/external-sessions')
@RequireOperation('ingestMedia')
export class ExternalSessionsController {
  constructor(private readonly sessions: ExternalSessionsService) {}

  @ActsAs('participant')
  @IdempotentPost()
  @ApiOperation({
    operationId: 'createExternalSession',
    summary: 'Create an external session',
    description:
      'With `whip`, answers the ingest URL and a short-lived ingest token. With `srt`, `rtmp` and `rtmps`, answers an address and a secret. Used before `tokenExpiresAt`, the secret is valid as long as the session.',
  })
  @ApiAnswer(
    one('externalSession', externalSessionSchema),
    'role_not_allowed',
    'limit_reached',
    'too_many_waiting',
    'room_ended',
    'room_full',
    'feature_disabled',
    'balance_exhausted',
    'not_entitled',
    'controller_unavailable',
    'capacity_reached',
  )
  async create(@CurrentOwner() owner: Owner, @Body() dto: CreateExternalSessionDto, @RequestID() requestID: string) {
    return presentOne('externalSession', await this.sessions.create(owner, dto, requestID));
  }

  @Get()
  @RequireOperation('ingestMedia', 'readRooms')
  @ApiOperation({
    operationId: 'listExternalSessions',
    summary: 'List the external sessions of a room',
    description: 'Newest first.',
  })
  @ApiAnswer(list('externalSessions', externalSessionSchema))
  async list(@CurrentOwner() owner: Owner, @PageQuery() page: Page) {
    return presentList('externalSessions', await this.sessions.list(owner, page), page);
  }

  @Get(':sessionID')
  @RequireOperation('ingestMedia', 'readRooms')
  @ApiOperation({
    operationId: 'getExternalSession',
    summary: 'Read an external session',
    description:
      'Read the session until it is `active` and lists the expected tracks, then create a playback or a broadcast.',
  })
  @ApiAnswer(one('externalSession', externalSessionSchema))
  async get(@CurrentOwner() owner: Owner, @Param('sessionID') sessionID: string) {
    return presentOne('externalSession', await this.sessions.get(owner, sessionID));
  }

  @ActsAs('participant')
  @Action('renewToken', ':sessionID')
  @ApiOperation({
    operationId: 'renewIngestToken',
    summary: 'Issue a new ingest token or stream key',
    description:
      'With `whip`, call this before the current ingest token expires. With `srt`, `rtmp` and `rtmps`, replaces address and key.',
  })
  @ApiAnswer(
    one('externalSession', externalSessionSchema),
    'role_not_allowed',
    'session_ended',
    'controller_unavailable',
    'capacity_reached',
    'feature_disabled',
  )
  async renewToken(
    @CurrentOwner() owner: Owner,
    @Param('sessionID') sessionID: string,
    @Body() _: RenewTokenDto,
    @RequestID() requestID: string,
  ) {
    return presentOne('externalSession', await this.sessions.renewToken(owner, sessionID, requestID));
  }

  @Delete(':sessionID')
  @ApiOperation({
    operationId: 'deleteExternalSession',
    summary: 'End an external session',
    description: 'End the playbacks, broadcasts and restreams of the session first. Repeating the deletion is safe.',
  })
  @ApiAnswer(one('externalSession', externalSessionSchema), 'has_dependents', 'controller_unavailable')
  async end(
    @CurrentOwner() owner: Owner,
    @Param('sessionID') sessionID: string,
    @Body() { reason }: EndMediaDto,
    @RequestID() requestID: string,
  ) {
    return presentOne('externalSession', await this.sessions.end(owner, sessionID, reason ?? undefined, requestID));
  }
}
