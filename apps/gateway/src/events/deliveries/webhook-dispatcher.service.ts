import { setMaxListeners } from 'node:events';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { Readiness } from '@rtms/health';
import { messageOf } from '@rtms/logging';
import { AuditLogService } from '../../accounts/audit/audit-log.service.js';
import { RepeatingTask } from '../../platform/jobs/repeating-task.js';
import { DomainEvents } from '../../platform/runtime/domain-events.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { sealedColumns } from '../../platform/secrets/sealed-columns.js';
import { SecretVault } from '../../platform/secrets/secret-vault.js';
import { decideNext, isSuccess, judgeFailures, type DisabledReason, type Outcome } from './delivery-decisions.js';
import { DispatchBounds } from './dispatch-bounds.js';
import { WebhookQueueRepository, type ClaimedDelivery, type Result } from './webhook-queue.repository.js';
import { failed, signedHeaders, WebhookSenderService, type WebhookAnswer } from './webhook-sender.service.js';

const lookMs = 1_000;
/** A delivery of a killed gateway is due again after this time. An attempt takes less than half of it. */
const leaseMs = 30_000;
const claimedAtOnce = 100;
const finishedAtOnce = 200;

/** The result of an attempt. `retried`: another attempt follows. */
export const attemptResults = ['delivered', 'retried', 'failed'] as const;
export type AttemptResult = (typeof attemptResults)[number];
type AttemptListener = (webhookID: string, result: AttemptResult) => void;

/** A delivery with the answer of its webhook. */
interface Sent {
  claimed: ClaimedDelivery;
  answer: WebhookAnswer;
  at: Date;
  headers: Record<string, string>;
}

/** Sends due deliveries. Several gateways share the work: each claims deliveries for the time of a lease. */
@Injectable()
export class WebhookDispatcherService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(WebhookDispatcherService.name);
  private readonly claiming = new RepeatingTask(this.clock, WebhookDispatcherService.name, lookMs, () =>
    this.claimAll(),
  );
  private readonly finishing = new RepeatingTask(this.clock, WebhookDispatcherService.name, lookMs, () =>
    this.finishAll(),
  );
  private readonly bounds = new DispatchBounds();
  private readonly running = new Set<Promise<void>>();
  private readonly sent: Sent[] = [];
  private readonly aborted: ClaimedDelivery[] = [];
  private readonly listeners: AttemptListener[] = [];
  private readonly closing = new AbortController();

  constructor(
    private readonly queue: WebhookQueueRepository,
    private readonly sender: WebhookSenderService,
    private readonly vault: SecretVault,
    private readonly audit: AuditLogService,
    private readonly domainEvents: DomainEvents,
    private readonly readiness: Readiness,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    // Each request listens to the signal, and their number is bounded.
    setMaxListeners(0, this.closing.signal);
    this.domainEvents.on('webhooks.due', () => this.claiming.trigger());
    this.claiming.trigger();
  }

  /** Calls the listener after each stored attempt of this gateway. */
  onAttempt(listener: AttemptListener): void {
    this.listeners.push(listener);
  }

  /** Deliveries without an answer are due for the other gateways at once. */
  async onApplicationShutdown(): Promise<void> {
    this.closing.abort();
    await this.claiming.close();
    await Promise.all(this.running);
    await this.finishing.close();
    await this.finishAll();
    if (this.aborted.length > 0) await this.queue.release(this.aborted.splice(0), new Date(this.clock.now()));
  }

  /** The seconds for which the oldest due delivery has waited for a gateway. A failing webhook has few places, so its deliveries wait. */
  async oldestAgeSeconds(): Promise<number> {
    const now = this.clock.now();
    const oldest = (await this.queue.listDue(new Date(now))).find(({ isFailing }) => !isFailing);
    return oldest ? Math.max(0, (now - oldest.dueAt.getTime()) / 1000) : 0;
  }

  /** A draining gateway begins no further request. */
  private async claimAll(): Promise<void> {
    let claimed = 1;
    while (claimed > 0 && !this.closing.signal.aborted && !this.readiness.isDraining()) {
      const now = this.clock.now();
      const places = this.bounds.placesFor(await this.queue.listDue(new Date(now)), claimedAtOnce);
      const deliveries = await this.queue.claim(places, { now: new Date(now), until: new Date(now + leaseMs) });
      for (const delivery of deliveries) this.begin(delivery);
      claimed = deliveries.length;
    }
  }

  private begin(claimed: ClaimedDelivery): void {
    const end = this.bounds.begin(claimed);
    const sending = this.send(claimed)
      .then(sent => {
        end({ isSuccess: isSuccess(sent.answer), durationMs: sent.answer.durationMs });
        if (this.closing.signal.aborted && sent.answer.status === null) this.aborted.push(claimed);
        else this.sent.push(sent);
      })
      .catch((error: unknown) => {
        end({ isSuccess: false, durationMs: 0 });
        this.logger.error({ webhookID: claimed.webhookID }, `a delivery cannot be sent: ${messageOf(error)}`);
      })
      .finally(() => {
        this.running.delete(sending);
        this.finishing.trigger();
      });
    this.running.add(sending);
  }

  private async send(claimed: ClaimedDelivery): Promise<Sent> {
    const { eventID: id, body, url } = claimed;
    const at = new Date(this.clock.now());
    const secrets = this.secretsOf(claimed, at);
    if (!secrets)
      return { claimed, at, headers: {}, answer: { ...failed('the secret cannot be read'), durationMs: 0 } };
    const { 'Webhook-Signature': signature, ...signed } = signedHeaders({ id, body, at }, secrets);
    const headers = { 'Content-Type': 'application/json', 'User-Agent': 'RTMS-Webhooks', ...signed };
    const request = { url, body, headers: { ...headers, 'Webhook-Signature': signature } };
    return { claimed, at, headers, answer: await this.sender.send(request, this.closing.signal) };
  }

  /** Returns undefined for a secret that this gateway cannot decrypt. The attempt counts, so that the delivery ends as any other. */
  private secretsOf(
    { webhookID, encryptedSecret, encryptedPreviousSecret, previousSecretUntil }: ClaimedDelivery,
    at: Date,
  ): string[] | undefined {
    const isOverlapping = encryptedPreviousSecret !== null && (previousSecretUntil?.getTime() ?? 0) > at.getTime();
    try {
      return [
        this.vault.open(sealedColumns.webhookSecret, webhookID, encryptedSecret),
        ...(isOverlapping
          ? [this.vault.open(sealedColumns.webhookPreviousSecret, webhookID, encryptedPreviousSecret)]
          : []),
      ];
    } catch (error) {
      this.logger.error({ webhookID }, `the secret of a webhook cannot be read: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** Results of one moment come together. The next deliveries of their lanes follow at once. */
  private async finishAll(): Promise<void> {
    while (this.sent.length > 0) {
      const ofWebhooks = new Map<string, Sent[]>();
      for (const sent of this.sent.splice(0, finishedAtOnce)) {
        const { webhookID } = sent.claimed;
        ofWebhooks.set(webhookID, [...(ofWebhooks.get(webhookID) ?? []), sent]);
      }
      await Promise.all([...ofWebhooks].map(([webhookID, sent]) => this.finish(webhookID, sent)));
      this.claiming.trigger();
    }
  }

  /** After a failure of the database, the deliveries are sent again at the end of their leases. */
  private async finish(webhookID: string, sent: readonly Sent[]): Promise<void> {
    const now = this.clock.now();
    try {
      const decided = sent.map(each => resultOf(each, now));
      const outcomesOf = (numbers: ReadonlySet<string>) =>
        sent
          .filter(({ claimed: { number } }) => numbers.has(number))
          .map(({ claimed: { cause }, answer }) => ({ ...answer, cause }));
      const { stored, disabled } = await this.queue.finish(webhookID, decided, new Date(now), (former, numbers) =>
        judgeFailures(former, outcomesOf(numbers), now),
      );
      if (disabled && sent[0]) await this.noteDisabled(sent[0].claimed, disabled);
      for (const { state } of decided.filter(({ claimed: { number } }) => stored.has(number)))
        for (const listener of this.listeners) listener(webhookID, state === 'pending' ? 'retried' : state);
    } catch (error) {
      this.logger.warn({ webhookID }, `results of deliveries are not stored: ${messageOf(error)}`);
    }
  }

  private async noteDisabled({ webhookID, accountID }: ClaimedDelivery, disabledReason: DisabledReason): Promise<void> {
    this.logger.warn({ webhookID, reason: disabledReason }, 'a webhook is disabled');
    const noted = this.audit.addByPlatform({
      ...{ action: 'disable webhook', accountID },
      details: { webhookID, disabledReason },
    });
    await noted.catch((err: unknown) => this.logger.warn({ err, webhookID }, 'an audit entry is not stored'));
  }
}

function resultOf({ claimed, answer, at, headers }: Sent, now: number): Result {
  const { status, error, durationMs, responseBody }: Omit<WebhookAnswer, keyof Outcome> & Outcome = answer;
  const attempt = { at: at.toISOString(), url: claimed.url, headers, status, error, durationMs, responseBody };
  return { claimed, attempt, ...decideNext(claimed, answer, now, Math.random()) };
}
