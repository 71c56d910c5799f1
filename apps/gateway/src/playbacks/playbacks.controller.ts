import { Body, Controller, Delete, Get, Param } from '@nestjs/common';
import { RequireOperation } from '../auth/auth.decorators.js';
import { Answers, list, one } from '../http/answers.js';
import { PageQuery, type Page } from '../http/page.decorator.js';
import { presentList, presentOne } from '../http/present.js';
import { RequestID } from '../http/request-id.decorator.js';
import { IdempotentPost } from '../idempotency/idempotent-post.decorator.js';
import { CurrentOwner } from '../media/current-owner.decorator.js';
import { EndMediaDto } from '../media/end-media.dto.js';
import type { Owner } from '../media/owned-rows.js';
import { CreatePlaybackDto } from './dto/create-playback.dto.js';
import { PlaybacksService } from './playbacks.service.js';
import { playbackSchema } from './present-playback.js';

@Controller('v1/meetings/:meetingID/playbacks')
@RequireOperation('playMedia')
export class PlaybacksController {
  constructor(private readonly playbacks: PlaybacksService) {}

  @IdempotentPost()
  @Answers(
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
  @Answers(list('playbacks', playbackSchema))
  async list(@CurrentOwner() owner: Owner, @PageQuery() page: Page) {
    const { items, total } = await this.playbacks.list(owner, page);
    return presentList('playbacks', items, total, page);
  }

  @Get(':playbackID')
  @RequireOperation('playMedia', 'readRooms')
  @Answers(one('playback', playbackSchema))
  async get(@CurrentOwner() owner: Owner, @Param('playbackID') playbackID: string) {
    return presentOne('playback', await this.playbacks.get(owner, playbackID));
  }

  @Delete(':playbackID')
  @Answers(one('playback', playbackSchema), 'controller_unavailable')
  async end(
    @CurrentOwner() owner: Owner,
    @Param('playbackID') playbackID: string,
    @Body() { reason }: EndMediaDto,
    @RequestID() requestID: string,
  ) {
    return presentOne('playback', await this.playbacks.end(owner, playbackID, reason ?? undefined, requestID));
  }
}
