import { Body, Controller, Delete, Get, Param } from '@nestjs/common';
import { CurrentCaller, RequireOperation } from '../auth/auth.decorators.js';
import type { Caller } from '../auth/caller.js';
import { Answers, list, one } from '../http/answers.js';
import { PageQuery, type Page } from '../http/page.decorator.js';
import { presentList, presentOne } from '../http/present.js';
import { RequestID } from '../http/request-id.decorator.js';
import { IdempotentPost } from '../idempotency/idempotent-post.decorator.js';
import { CurrentOwner } from '../media/current-owner.decorator.js';
import { EndMediaDto } from '../media/end-media.dto.js';
import type { Owner } from '../media/owned-rows.js';
import { BroadcastsService } from './broadcasts.service.js';
import { CreateBroadcastDto } from './dto/create-broadcast.dto.js';
import { broadcastSchema } from './present-broadcast.js';

@Controller('v1/meetings/:meetingID/broadcasts')
@RequireOperation('broadcastMedia')
export class BroadcastsController {
  constructor(private readonly broadcasts: BroadcastsService) {}

  @IdempotentPost()
  @Answers(
    one('broadcast', broadcastSchema),
    'room_ended',
    'feature_disabled',
    'session_ended',
    'source_not_active',
    'source_has_no_video',
    'source_codec_unsupported',
    'not_entitled',
    'balance_exhausted',
    'controller_unavailable',
    'capacity_reached',
  )
  async create(@CurrentOwner() owner: Owner, @Body() dto: CreateBroadcastDto, @RequestID() requestID: string) {
    return presentOne('broadcast', await this.broadcasts.create(owner, dto, requestID));
  }

  @Get()
  @RequireOperation('broadcastMedia', 'readRooms')
  @Answers(list('broadcasts', broadcastSchema))
  async list(@CurrentCaller() caller: Caller, @CurrentOwner() owner: Owner, @PageQuery() page: Page) {
    const { items, total } = await this.broadcasts.list(owner, page, mayPlay(caller));
    return presentList('broadcasts', items, total, page);
  }

  @Get(':broadcastID')
  @RequireOperation('broadcastMedia', 'readRooms')
  @Answers(one('broadcast', broadcastSchema))
  async get(@CurrentCaller() caller: Caller, @CurrentOwner() owner: Owner, @Param('broadcastID') broadcastID: string) {
    return presentOne('broadcast', await this.broadcasts.get(owner, broadcastID, mayPlay(caller)));
  }

  @Delete(':broadcastID')
  @Answers(one('broadcast', broadcastSchema), 'controller_unavailable')
  async end(
    @CurrentOwner() owner: Owner,
    @Param('broadcastID') broadcastID: string,
    @Body() { reason }: EndMediaDto,
    @RequestID() requestID: string,
  ) {
    return presentOne('broadcast', await this.broadcasts.end(owner, broadcastID, reason ?? undefined, requestID));
  }
}

/** `playbackUrl` carries a token: a key that may only read rooms gets null in its place. */
function mayPlay({ operations }: Caller): boolean {
  return operations.includes('broadcastMedia');
}
