import { Body, Controller, Get, Param, Query } from '@nestjs/common';
import { CurrentCaller, RequireOperation } from '../../platform/auth/auth.decorators.js';
import type { Caller } from '../../platform/auth/caller.js';
import { Action, ReadAction } from '../../platform/http/action.decorator.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { deleted, one, oneOrList } from '../../platform/http/answers.js';
import { PageQuery, type Page } from '../../platform/http/page.decorator.js';
import { presentDeleted, presentList, presentOne } from '../../platform/http/present.js';
import {
  deliveriesSchema,
  detailedDeliverySchema,
  GetDeliveriesDto,
  presentDelivery,
  presentDetailedDelivery,
} from '../deliveries/delivery.dto.js';
import { DeliveriesService } from './deliveries.service.js';
import {
  CreateWebhookDto,
  GetWebhooksDto,
  issuedWebhookSchema,
  ReplayEventsDto,
  ResendDeliveryDto,
  UpdateWebhookDto,
  WebhookIDDto,
  webhookSchema,
} from './webhook.dto.js';
import { WebhooksService } from './webhooks.service.js';

@ApiTag({
  name: 'Webhooks',
  description: 'Addresses of yours that receive the events of the account, signed by Standard Webhooks.',
  post: 'postWebhooks',
})
@Controller('v1/webhooks')
@RequireOperation('manageWebhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
  ) {}

  @Action('create')
  @ApiOperation({
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description: 'This answer alone contains the secret. Events come at least once, those of a resource in order.',
  })
  @ApiAnswer(
    one('webhook', issuedWebhookSchema),
    'limit_reached',
    'too_many_waiting',
    'invalid_cursor',
    'cursor_expired',
  )
  async create(@CurrentCaller() caller: Caller, @Body() dto: CreateWebhookDto) {
    const { webhook, secret } = await this.webhooks.create(caller, dto);
    return presentOne('webhook', { ...webhook, secret });
  }

  @ReadAction('get')
  @ApiOperation({
    operationId: 'getWebhooks',
    summary: 'Read one webhook or list webhooks',
    description: 'With `webhookID`, answers that webhook. Without it, lists all webhooks, newest first.',
  })
  @ApiAnswer(oneOrList(['webhook', webhookSchema], ['webhooks', webhookSchema]))
  async get(@CurrentCaller() caller: Caller, @Query() { webhookID }: GetWebhooksDto, @PageQuery() page: Page) {
    if (webhookID !== undefined) return presentOne('webhook', await this.webhooks.get(caller, webhookID));
    return presentList('webhooks', await this.webhooks.list(caller, page), page);
  }

  @Action('update')
  @ApiOperation({
    operationId: 'updateWebhook',
    summary: 'Change, disable or enable a webhook',
    description: 'Changes only the fields that are sent.',
  })
  @ApiAnswer(one('webhook', webhookSchema))
  async update(@CurrentCaller() caller: Caller, @Body() dto: UpdateWebhookDto) {
    return presentOne('webhook', await this.webhooks.update(caller, dto));
  }

  @Action('rotateSecret')
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: 'Give a webhook a new secret',
    description: 'This answer alone contains the secret. The former secret signs too for 24 hours.',
  })
  @ApiAnswer(one('webhook', issuedWebhookSchema))
  async rotateSecret(@CurrentCaller() caller: Caller, @Body() { webhookID }: WebhookIDDto) {
    const { webhook, secret } = await this.webhooks.rotateSecret(caller, webhookID);
    return presentOne('webhook', { ...webhook, secret });
  }

  @Action('test')
  @ApiOperation({
    operationId: 'testWebhook',
    summary: 'Send a test event',
    description: 'Sends `webhook.test` once, also to a disabled webhook. The delivery tells the result.',
  })
  @ApiAnswer(one('delivery', detailedDeliverySchema), 'too_many_waiting')
  async test(@CurrentCaller() caller: Caller, @Body() { webhookID }: WebhookIDDto) {
    return presentOne('delivery', presentDetailedDelivery(await this.deliveries.test(caller, webhookID)));
  }

  @Action('resend')
  @ApiOperation({
    operationId: 'resendWebhookDelivery',
    summary: 'Send a delivery again',
    description: 'Makes a new delivery of the same event, which has the same identifier.',
  })
  @ApiAnswer(one('delivery', detailedDeliverySchema), 'too_many_waiting')
  async resend(@CurrentCaller() caller: Caller, @Body() dto: ResendDeliveryDto) {
    return presentOne('delivery', presentDetailedDelivery(await this.deliveries.resend(caller, dto)));
  }

  @Action('replay')
  @ApiOperation({
    operationId: 'replayWebhookEvents',
    summary: 'Send a range of events again',
    description: 'Sends matching events of the log beside new events, at most five ranges at a time.',
  })
  @ApiAnswer(one('webhook', webhookSchema), 'invalid_cursor', 'cursor_expired', 'too_many_waiting')
  async replay(@CurrentCaller() caller: Caller, @Body() dto: ReplayEventsDto) {
    return presentOne('webhook', await this.webhooks.replay(caller, dto));
  }

  @Action('delete')
  @ApiOperation({
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Waiting deliveries are dropped. Repeating the deletion gives the same answer.',
  })
  @ApiAnswer(deleted('webhookID'))
  async delete(@CurrentCaller() caller: Caller, @Body() { webhookID }: WebhookIDDto) {
    await this.webhooks.delete(caller, webhookID);
    return presentDeleted('webhookID', webhookID);
  }

  @Get(':webhookID/deliveries')
  @ApiOperation({
    operationId: 'listWebhookDeliveries',
    summary: 'List deliveries',
    description: 'Newest first.',
  })
  @ApiAnswer(deliveriesSchema, 'invalid_cursor')
  async listDeliveries(
    @CurrentCaller() caller: Caller,
    @Param('webhookID') webhookID: string,
    @Query() query: GetDeliveriesDto,
  ) {
    const { items, nextCursor } = await this.deliveries.list(caller, webhookID, query);
    const deliveries = items.map(presentDelivery);
    return { success: true as const, deliveries, nextCursor, hasMore: nextCursor !== null };
  }

  @Get(':webhookID/deliveries/:deliveryID')
  @ApiOperation({ operationId: 'getWebhookDelivery', summary: 'Read a delivery with its requests' })
  @ApiAnswer(one('delivery', detailedDeliverySchema))
  async getDelivery(
    @CurrentCaller() caller: Caller,
    @Param('webhookID') webhookID: string,
    @Param('deliveryID') deliveryID: string,
  ) {
    return presentOne('delivery', presentDetailedDelivery(await this.deliveries.get(caller, webhookID, deliveryID)));
  }
}
