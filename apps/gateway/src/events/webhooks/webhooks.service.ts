import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { requireTarget } from '@rtms/http';
import { In, Repository, type EntityManager } from 'typeorm';
import { AccountQuotasService, type QuotaUse } from '../../accounts/limits/account-quotas.service.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import type { Caller } from '../../platform/auth/caller.js';
import { inScope, type RoomScope } from '../../platform/auth/room-scope.js';
import { newID } from '../../platform/database/new-id.js';
import { deleteOnce, missingRow, sentChanges } from '../../platform/rows/own-row.js';
import { listRows, type Listed, type Page } from '../../platform/rows/list-rows.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { sealedColumns } from '../../platform/secrets/sealed-columns.js';
import { SecretVault } from '../../platform/secrets/secret-vault.js';
import { cursorOf, invalidCursor, readCursor } from '../log/event-cursor.js';
import { readTypes } from '../log/event-log.dto.js';
import { EventLogService } from '../log/event-log.service.js';
import { WebhookQueue, Webhook } from './webhook.entity.js';
import {
  changeableFields,
  presentWebhook,
  type CreateWebhookDto,
  type PresentedWebhook,
  type ReplayEventsDto,
  type UpdateWebhookDto,
} from './webhook.dto.js';
import { WebhookCursorsRepository } from '../deliveries/webhook-cursors.repository.js';
import { WebhookQueueRepository } from '../deliveries/webhook-queue.repository.js';
import { WebhookPlannerService } from '../deliveries/webhook-planner.service.js';

const kind = 'webhook';
const secretBytes = 32;
const overlapMs = 24 * 3_600_000;
const maxReplays = 5;

/** A webhook with its new secret. */
interface Issued {
  webhook: PresentedWebhook;
  secret: string;
}

/** Creates, changes, lists and deletes webhooks. A webhook of the other environment is as hidden as one of another account. */
@Injectable()
export class WebhooksService {
  constructor(
    @InjectRepository(Webhook) private readonly rows: Repository<Webhook>,
    private readonly queue: WebhookQueueRepository,
    private readonly cursors: WebhookCursorsRepository,
    private readonly quotas: AccountQuotasService,
    private readonly vault: SecretVault,
    private readonly log: EventLogService,
    private readonly planner: WebhookPlannerService,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Throws FORBIDDEN, `limit_reached`, when the account has its maximum of webhooks. */
  async create({ accountID, keyType }: Caller, { url, after, ...sent }: CreateWebhookDto): Promise<Issued> {
    requireTypes(sent.eventTypes);
    requireTarget(url, { allowsPrivate: this.config.insecureWebhooks === true });
    const sequence = await this.startOf(accountID, after ?? 'latest');
    const id = newID('hook');
    const secret = newSecret();
    const now = this.now();
    const row: Webhook = {
      ...{ id, accountID, keyType, url, createdAt: now, updatedAt: now },
      ...{ description: sent.description ?? null, eventTypes: sent.eventTypes ?? [] },
      encryptedSecret: this.vault.seal(sealedColumns.webhookSecret, id, secret),
      ...{ encryptedPreviousSecret: null, previousSecretUntil: null },
      ...{ state: 'enabled', disabledReason: null, disabledAt: null },
    };
    const use: QuotaUse = { limit: 'webhooks', count: manager => manager.countBy(Webhook, { accountID }) };
    await this.quotas.add(accountID, [use], async manager => {
      await manager.insert(Webhook, row);
      await this.cursors.begin(manager, id, sequence);
    });
    this.planner.trigger();
    return { webhook: await this.present(row), secret };
  }

  async get(scope: RoomScope, webhookID: string): Promise<PresentedWebhook> {
    return this.present(await this.find(scope, webhookID));
  }

  /** Throws NOT_FOUND. */
  async find(scope: RoomScope, id: string): Promise<Webhook> {
    const row = await this.rows.findOneBy(inScope<Webhook>(scope, { id }));
    if (!row) throw missingRow(kind);
    return row;
  }

  /** Newest first. */
  async list(scope: RoomScope, page: Page): Promise<Listed<PresentedWebhook>> {
    const { items, total } = await listRows(this.rows, inScope<Webhook>(scope, {}), page);
    return { items: await this.presentAll(items), total };
  }

  async update(scope: RoomScope, { webhookID, enabled, ...sent }: UpdateWebhookDto): Promise<PresentedWebhook> {
    requireTypes(sent.eventTypes);
    if (typeof sent.url === 'string') requireTarget(sent.url, { allowsPrivate: this.config.insecureWebhooks === true });
    const row = await this.change(scope, webhookID, async (manager, { state }) => {
      const changes = sentChanges(changeableFields, sent);
      await manager.update(Webhook, webhookID, { ...changes, updatedAt: this.now() });
      if (enabled === true && state === 'disabled') await this.queue.enable(manager, webhookID, this.now());
      if (enabled === false) await this.queue.disable(manager, webhookID, 'requested', this.now());
    });
    this.planner.trigger();
    return this.present(row);
  }

  /** The former secret signs for another day. */
  async rotateSecret(scope: RoomScope, webhookID: string): Promise<Issued> {
    const secret = newSecret();
    const row = await this.change(scope, webhookID, async (manager, { encryptedSecret }) => {
      const former = this.vault.open(sealedColumns.webhookSecret, webhookID, encryptedSecret);
      await manager.update(Webhook, webhookID, {
        encryptedSecret: this.vault.seal(sealedColumns.webhookSecret, webhookID, secret),
        encryptedPreviousSecret: this.vault.seal(sealedColumns.webhookPreviousSecret, webhookID, former),
        previousSecretUntil: new Date(this.clock.now() + overlapMs),
        updatedAt: this.now(),
      });
    });
    return { webhook: await this.present(row), secret };
  }

  /** Sends the events of a range again, beside new events. */
  async replay(scope: RoomScope, { webhookID, after, until }: ReplayEventsDto): Promise<PresentedWebhook> {
    const { accountID } = await this.find(scope, webhookID);
    const first = await this.startOf(accountID, after);
    const newest = await this.log.startOf(accountID, 'latest');
    const last = typeof until === 'string' ? Math.min(readCursor(accountID, until, 'until'), newest) : newest;
    if (typeof until === 'string' && last < first) throw invalidCursor('until must be after `after`.');
    const row = await this.change(scope, webhookID, async manager => {
      const range = { after: first, until: last, limit: maxReplays };
      if (await this.cursors.addReplay(manager, webhookID, range)) return;
      throw new ServiceError(
        'too_many_waiting',
        `At most ${maxReplays} replays of a webhook run at a time. Retry later.`,
      );
    });
    this.planner.trigger();
    return this.present(row);
  }

  /** Deleting a webhook again is safe. */
  async delete(scope: RoomScope, id: string): Promise<void> {
    const { accountID } = scope;
    const row = await this.rows.findOneBy(inScope<Webhook>(scope, { id }));
    if (!row && (await this.rows.existsBy({ id, accountID }))) throw missingRow(kind);
    await this.rows.manager.transaction(async manager => {
      if (row && (await this.queue.lock(manager, id))) await this.queue.drop(manager, id, this.now());
      await deleteOnce(manager, Webhook, { accountID, id }, kind);
    });
  }

  /** Locks the queue before the webhook, as everything that changes both. */
  private async change(
    scope: RoomScope,
    webhookID: string,
    work: (manager: EntityManager, row: Webhook) => Promise<void>,
  ): Promise<Webhook> {
    await this.find(scope, webhookID);
    return this.rows.manager.transaction(async manager => {
      await this.queue.lock(manager, webhookID);
      const row = await manager.findOneBy(Webhook, { id: webhookID });
      if (!row) throw missingRow(kind);
      await work(manager, row);
      return manager.findOneByOrFail(Webhook, { id: webhookID });
    });
  }

  private startOf(accountID: string, after: string): Promise<number> {
    return this.log.startOf(accountID, after === 'oldest' ? undefined : after);
  }

  private async present(row: Webhook): Promise<PresentedWebhook> {
    const [presented] = await this.presentAll([row]);
    if (!presented) throw missingRow(kind);
    return presented;
  }

  private async presentAll(rows: readonly Webhook[]): Promise<PresentedWebhook[]> {
    const ids = rows.map(({ id }) => id);
    const queues = await this.rows.manager.findBy(WebhookQueue, { webhookID: In(ids) });
    const positions = await this.cursors.positionsOf(ids);
    return rows.flatMap(row => {
      const queue = queues.find(({ webhookID }) => webhookID === row.id);
      const position = positions.get(row.id);
      // Deleted meanwhile.
      if (!queue || position === undefined) return [];
      return [presentWebhook(row, queue, cursorOf(row.accountID, position))];
    });
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}

/** Standard Webhooks: `whsec_` and 24 to 64 random bytes in base64. */
function newSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`;
}

/** Throws BAD_REQUEST for a type that does not exist. */
function requireTypes(eventTypes: readonly string[] | null | undefined): void {
  if (!eventTypes || eventTypes.length === 0) return;
  readTypes(eventTypes.join(','), 'eventTypes');
}
