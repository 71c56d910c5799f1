import { Body, Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { RequestID } from '@rtms/http';
import {
  CurrentCaller,
  CurrentSettingsScope,
  RequireOperation,
  type SettingsScope,
} from '../../platform/auth/auth.decorators.js';
import type { Caller } from '../../platform/auth/caller.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { list, one } from '../../platform/http/answers.js';
import { PageQuery, type Page } from '../../platform/http/page.decorator.js';
import { presentList, presentOne } from '../../platform/http/present.js';
import { IdempotentPost } from '../../platform/idempotency/idempotency.interceptor.js';
import { CurrentOwner, type Owner } from '../resources/owned-rows.js';
import { EndMediaDto, OfSourceDto } from '../resources/end-media.dto.js';
import { BroadcastsService } from './broadcasts.service.js';
import { CreateBroadcastDto, broadcastSchema } from './broadcast.dto.js';

@ApiTag({ name: 'Broadcasts', description: 'HLS broadcasts for large audiences.' })
@Controller('v1/meetings/:meetingID/broadcasts')
@RequireOperation('broadcastMedia')
export class BroadcastsController {
  constructor(private readonly broadcasts: BroadcastsService) {}

  @IdempotentPost()
  @ApiOperation({
    operationId: 'createBroadcast',
    summary: 'Start an HLS broadcast',
    description: 'The source is a member or an external session with video. With `layout` it is the whole room.',
  })
  @ApiAnswer(
    one('broadcast', broadcastSchema),
    'room_ended',
    'feature_disabled',
    'session_ended',
    'source_not_active',
    'source_has_no_video',
    'source_codec_unsupported',
    'already_exists',
    'not_entitled',
    'balance_exhausted',
    'controller_unavailable',
    'capacity_reached',
    'limit_reached',
    'too_many_waiting',
  )
  async create(
    @CurrentOwner() owner: Owner,
    @Body() dto: CreateBroadcastDto,
    @CurrentSettingsScope() scope: SettingsScope,
    @RequestID() requestID: string,
  ) {
    return presentOne('broadcast', await this.broadcasts.create(owner, dto, scope, requestID));
  }

  @Get()
  @RequireOperation('broadcastMedia', 'readRooms')
  @ApiOperation({
    operationId: 'listBroadcasts',
    summary: 'List the broadcasts of a room',
    description: 'Newest first.',
  })
  @ApiAnswer(list('broadcasts', broadcastSchema))
  async list(
    @CurrentCaller() caller: Caller,
    @CurrentOwner() owner: Owner,
    @Query() filter: OfSourceDto,
    @PageQuery() page: Page,
  ) {
    return presentList('broadcasts', await this.broadcasts.list(owner, filter, page, mayPlay(caller)), page);
  }

  @Get(':broadcastID')
  @RequireOperation('broadcastMedia', 'readRooms')
  @ApiOperation({
    operationId: 'getBroadcast',
    summary: 'Read a broadcast',
    description: '`playbackUrl` is present while the broadcast is active.',
  })
  @ApiAnswer(one('broadcast', broadcastSchema))
  async get(@CurrentCaller() caller: Caller, @CurrentOwner() owner: Owner, @Param('broadcastID') broadcastID: string) {
    return presentOne('broadcast', await this.broadcasts.get(owner, broadcastID, mayPlay(caller)));
  }

  @Delete(':broadcastID')
  @ApiOperation({
    operationId: 'deleteBroadcast',
    summary: 'End a broadcast',
    description: 'Repeating the deletion is safe.',
  })
  @ApiAnswer(one('broadcast', broadcastSchema), 'controller_unavailable')
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
