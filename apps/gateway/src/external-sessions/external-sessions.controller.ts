import { Body, Controller, Delete, Get, Param } from '@nestjs/common';
import { ActsAs, RequireOperation } from '../auth/auth.decorators.js';
import { Action } from '../http/action.decorator.js';
import { Answers, list, one } from '../http/answers.js';
import { PageQuery, type Page } from '../http/page.decorator.js';
import { presentList, presentOne } from '../http/present.js';
import { RequestID } from '../http/request-id.decorator.js';
import { IdempotentPost } from '../idempotency/idempotent-post.decorator.js';
import { CurrentOwner } from '../media/current-owner.decorator.js';
import { EndMediaDto } from '../media/end-media.dto.js';
import type { Owner } from '../media/owned-rows.js';
import { CreateExternalSessionDto } from './dto/create-external-session.dto.js';
import { RenewTokenDto } from './dto/renew-token.dto.js';
import { ExternalSessionsService } from './external-sessions.service.js';
import { externalSessionSchema } from './present-external-session.js';

@Controller('v1/meetings/:meetingID/external-sessions')
@RequireOperation('ingestMedia')
export class ExternalSessionsController {
  constructor(private readonly sessions: ExternalSessionsService) {}

  /** An external session is a participant of the room, so that it needs the right to let one in. */
  @ActsAs('participant')
  @IdempotentPost()
  @Answers(
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
  @Answers(list('externalSessions', externalSessionSchema))
  async list(@CurrentOwner() owner: Owner, @PageQuery() page: Page) {
    const { items, total } = await this.sessions.list(owner, page);
    return presentList('externalSessions', items, total, page);
  }

  @Get(':sessionID')
  @RequireOperation('ingestMedia', 'readRooms')
  @Answers(one('externalSession', externalSessionSchema))
  async get(@CurrentOwner() owner: Owner, @Param('sessionID') sessionID: string) {
    return presentOne('externalSession', await this.sessions.get(owner, sessionID));
  }

  @ActsAs('participant')
  @Action('renewToken', ':sessionID')
  @Answers(one('externalSession', externalSessionSchema), 'role_not_allowed', 'session_ended', 'controller_unavailable')
  async renewToken(@CurrentOwner() owner: Owner, @Param('sessionID') sessionID: string, @Body() _: RenewTokenDto) {
    return presentOne('externalSession', await this.sessions.renewToken(owner, sessionID));
  }

  @Delete(':sessionID')
  @Answers(one('externalSession', externalSessionSchema), 'has_dependents', 'controller_unavailable')
  async end(
    @CurrentOwner() owner: Owner,
    @Param('sessionID') sessionID: string,
    @Body() { reason }: EndMediaDto,
    @RequestID() requestID: string,
  ) {
    return presentOne('externalSession', await this.sessions.end(owner, sessionID, reason ?? undefined, requestID));
  }
}
