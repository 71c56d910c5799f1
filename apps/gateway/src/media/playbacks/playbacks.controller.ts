import { Body, Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { RequestID } from '@rtms/http';
import { RequireOperation } from '../../platform/auth/auth.decorators.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { list, one } from '../../platform/http/answers.js';
import { PageQuery, type Page } from '../../platform/http/page.decorator.js';
import { presentList, presentOne } from '../../platform/http/present.js';
import { IdempotentPost } from '../../platform/idempotency/idempotency.interceptor.js';
import { CurrentOwner, type Owner } from '../resources/owned-rows.js';
import { EndMediaDto, OfSourceDto } from '../resources/end-media.dto.js';
import { CreatePlaybackDto, playbackSchema } from './playback.dto.js';
import { PlaybacksService } from './playbacks.service.js';

@ApiTag({ name: 'Playbacks', description: 'WHEP playbacks of external sessions.' })
@Controller('v1/meetings/:meetingID/playbacks')
@RequireOperation('playMedia')
export class PlaybacksController {
  constructor(private readonly playbacks: PlaybacksService) {}

  @IdempotentPost()
  @ApiOperation({
    operationId: 'createPlayback',
    summary: 'Create a WHEP playback',
    description: 'Answers the WHEP endpoint and a short-lived playback token.',
  })
  @ApiAnswer(
    one('playback', playbackSchema),
    'room_ended',
    'feature_disabled',
    'session_ended',
    'source_not_active',
    'source_has_no_video',
    'not_entitled',
    'balance_exhausted',
    'controller_unavailable',
    'capacity_reached',
  )
  async create(@CurrentOwner() owner: Owner, @Body() dto: CreatePlaybackDto, @RequestID() requestID: string) {
    return presentOne('playback', await this.playbacks.create(owner, dto, requestID));
  }

  @Get()
  @RequireOperation('playMedia', 'readRooms')
  @ApiOperation({ operationId: 'listPlaybacks', summary: 'List the playbacks of a room', description: 'Newest first.' })
  @ApiAnswer(list('playbacks', playbackSchema))
  async list(@CurrentOwner() owner: Owner, @Query() filter: OfSourceDto, @PageQuery() page: Page) {
    return presentList('playbacks', await this.playbacks.list(owner, filter, page), page);
  }

  @Get(':playbackID')
  @RequireOperation('playMedia', 'readRooms')
  @ApiOperation({ operationId: 'getPlayback', summary: 'Read a playback' })
  @ApiAnswer(one('playback', playbackSchema))
  async get(@CurrentOwner() owner: Owner, @Param('playbackID') playbackID: string) {
    return presentOne('playback', await this.playbacks.get(owner, playbackID));
  }

  @Delete(':playbackID')
  @ApiOperation({
    operationId: 'deletePlayback',
    summary: 'End a playback',
    description: 'Disconnects all viewers of the playback. Repeating the deletion is safe.',
  })
  @ApiAnswer(one('playback', playbackSchema), 'controller_unavailable')
  async end(
    @CurrentOwner() owner: Owner,
    @Param('playbackID') playbackID: string,
    @Body() { reason }: EndMediaDto,
    @RequestID() requestID: string,
  ) {
    return presentOne('playback', await this.playbacks.end(owner, playbackID, reason ?? undefined, requestID));
  }
}
