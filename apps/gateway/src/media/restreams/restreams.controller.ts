import { Body, Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { RequestID } from '@rtms/http';
import { RequireOperation } from '../../platform/auth/auth.decorators.js';
import { list, one } from '../../platform/http/answers.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { PageQuery, type Page } from '../../platform/http/page.decorator.js';
import { presentList, presentOne } from '../../platform/http/present.js';
import { IdempotentPost } from '../../platform/idempotency/idempotency.interceptor.js';
import { EndMediaDto, OfSourceDto } from '../resources/end-media.dto.js';
import { CurrentOwner, type Owner } from '../resources/owned-rows.js';
import { CreateRestreamDto, presentRestream, restreamSchema } from './restream.dto.js';
import { RestreamsService } from './restreams.service.js';

@ApiTag({ name: 'Restreams', description: 'Sending media to other services by RTMP, RTMPS, SRT or WHIP.' })
@Controller('v1/meetings/:meetingID/restreams')
@RequireOperation('broadcastMedia')
export class RestreamsController {
  constructor(private readonly restreams: RestreamsService) {}

  @IdempotentPost()
  @ApiOperation({
    operationId: 'createRestream',
    summary: 'Send an external session or a broadcast to another service',
    description: 'The platform connects to the target until the restream or its source ends.',
  })
  @ApiAnswer(
    one('restream', restreamSchema),
    'room_ended',
    'session_ended',
    'source_not_active',
    'source_codec_unsupported',
    'balance_exhausted',
    'limit_reached',
    'controller_unavailable',
    'capacity_reached',
  )
  async create(@CurrentOwner() owner: Owner, @Body() dto: CreateRestreamDto, @RequestID() requestID: string) {
    return presentOne('restream', presentRestream(await this.restreams.create(owner, dto, requestID)));
  }

  @Get()
  @RequireOperation('broadcastMedia', 'readRooms')
  @ApiOperation({ operationId: 'listRestreams', summary: 'List the restreams of a room', description: 'Newest first.' })
  @ApiAnswer(list('restreams', restreamSchema))
  async list(@CurrentOwner() owner: Owner, @Query() filter: OfSourceDto, @PageQuery() page: Page) {
    return presentList('restreams', await this.restreams.list(owner, filter, page), page, presentRestream);
  }

  @Get(':restreamID')
  @RequireOperation('broadcastMedia', 'readRooms')
  @ApiOperation({ operationId: 'getRestream', summary: 'Read a restream' })
  @ApiAnswer(one('restream', restreamSchema))
  async get(@CurrentOwner() owner: Owner, @Param('restreamID') restreamID: string) {
    return presentOne('restream', presentRestream(await this.restreams.find(owner, restreamID)));
  }

  @Delete(':restreamID')
  @ApiOperation({
    operationId: 'deleteRestream',
    summary: 'End a restream',
    description: 'Repeating the deletion is safe.',
  })
  @ApiAnswer(one('restream', restreamSchema), 'controller_unavailable')
  async end(
    @CurrentOwner() owner: Owner,
    @Param('restreamID') restreamID: string,
    @Body() { reason }: EndMediaDto,
    @RequestID() requestID: string,
  ) {
    return presentOne(
      'restream',
      presentRestream(await this.restreams.end(owner, restreamID, reason ?? undefined, requestID)),
    );
  }
}
