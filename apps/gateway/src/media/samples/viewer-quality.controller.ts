import { Controller, Get, Param, Query } from '@nestjs/common';
import { RequireOperation } from '../../platform/auth/auth.decorators.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { CurrentOwner, type Owner } from '../resources/owned-rows.js';
import { hlsViewersSchema, ListViewersDto, viewersSchema } from './viewer-quality.dto.js';
import { ViewerQualityService } from './viewer-quality.service.js';

@ApiTag({ name: 'Playbacks' })
@Controller('v1/meetings/:meetingID/playbacks/:playbackID/viewers')
@RequireOperation('playMedia', 'readRooms')
export class ViewerQualityController {
  constructor(private readonly viewers: ViewerQualityService) {}

  @Get()
  @ApiOperation({
    operationId: 'listPlaybackViewers',
    summary: 'List the viewers of a playback with their quality',
    description:
      'Samples of each viewer every ten seconds, and a verdict whose fault a poor picture is. Samples are kept for 24 hours. ' +
      'A node samples 1,000 viewers of an account at most. A viewer has its first sample 20 seconds after it connects.',
  })
  @ApiAnswer(viewersSchema)
  list(@CurrentOwner() owner: Owner, @Param('playbackID') playbackID: string, @Query() query: ListViewersDto) {
    return this.viewers.list(owner, playbackID, query);
  }
}

@ApiTag({ name: 'Broadcasts' })
@Controller('v1/meetings/:meetingID/broadcasts/:broadcastID/viewers')
@RequireOperation('broadcastMedia', 'readRooms')
export class HlsViewerQualityController {
  constructor(private readonly viewers: ViewerQualityService) {}

  @Get()
  @ApiOperation({
    operationId: 'listBroadcastViewers',
    summary: 'List the HLS viewers of a broadcast with their quality',
    description:
      'Samples of each player that sends CMCD (CTA-5004), every ten seconds, and the part that causes its stalls. Samples are kept ' +
      'for 24 hours. A node samples 1,000 viewers of an account at most. A CDN hides the requests that it answers itself.',
  })
  @ApiAnswer(hlsViewersSchema)
  list(@CurrentOwner() owner: Owner, @Param('broadcastID') broadcastID: string, @Query() query: ListViewersDto) {
    return this.viewers.listOfBroadcast(owner, broadcastID, query);
  }
}
