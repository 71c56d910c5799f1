import { setImmediate as turn } from 'node:timers/promises';
import { EventLog, ManualClock } from '@rtms/testing';
import { DataSource } from 'typeorm';
import { WebhookDispatcherService, type AttemptResult } from '../deliveries/webhook-dispatcher.service.js';
import {
  startTestGateway,
  type TestAccount,
  type TestGateway,
  type TestGatewayOptions,
} from '../../testing/start-test-gateway.js';

interface Shown {
  webhookID: string;
  secret: string;
  nextCursor: string;
  pendingDeliveries: number;
  [field: string]: unknown;
}

/** An attempt that a gateway has stored. */
interface StoredAttempt {
  webhookID: string;
  result: AttemptResult;
}

/** A gateway with a manual clock, whose webhooks may have addresses on this machine. */
export class WebhookTestBed {
  readonly attempts = new EventLog<StoredAttempt>();
  account!: TestAccount;

  private constructor(
    readonly gateway: TestGateway,
    readonly clock: ManualClock,
  ) {
    const dispatcher = gateway.app.get(WebhookDispatcherService, { strict: false });
    dispatcher.onAttempt((webhookID, result) => this.attempts.add({ webhookID, result }));
  }

  static async start(options: TestGatewayOptions = {}): Promise<WebhookTestBed> {
    const clock = options.clock instanceof ManualClock ? options.clock : new ManualClock(Date.now());
    const config = { insecureWebhooks: true, ...options.config };
    const bed = new WebhookTestBed(await startTestGateway({ ...options, clock, config }), clock);
    bed.account = await bed.gateway.makeAccount();
    return bed;
  }

  close(): Promise<void> {
    return this.gateway.close();
  }

  async post(path: string, body: object, account = this.account) {
    const request = this.gateway.http.post(path).set('Authorization', account.authorization);
    const { status, body: answer } = await request.send(body);
    return { status, body: answer as Record<string, never> & { reason?: string; error?: string } };
  }

  async get(path: string, account = this.account) {
    const { status, body } = await this.gateway.http.get(path).set('Authorization', account.authorization);
    return { status, body: body as Record<string, never> & { reason?: string } };
  }

  /** An action of the resource, which must succeed. */
  async act(action: string, fields: object, account = this.account): Promise<Record<string, never>> {
    const { status, body } = await this.post('/v1/webhooks', { action, ...fields }, account);
    if (status >= 300) throw new Error(`${action}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  async createWebhook(url: string, fields: object = {}, account = this.account): Promise<Shown> {
    return (await this.act('create', { url, ...fields }, account))['webhook']!;
  }

  async show(webhookID: string): Promise<Shown> {
    return (await this.get(`/v1/webhooks?webhookID=${webhookID}`)).body['webhook']!;
  }

  async deliveries(webhookID: string, query = ''): Promise<Record<string, unknown>[]> {
    return (await this.get(`/v1/webhooks/${webhookID}/deliveries${query}`)).body['deliveries']!;
  }

  async detailed(webhookID: string, deliveryID: string): Promise<Record<string, unknown> & { attempts: object[] }> {
    return (await this.get(`/v1/webhooks/${webhookID}/deliveries/${deliveryID}`)).body['delivery']!;
  }

  async createRoom(account = this.account): Promise<string> {
    const { body } = await this.post('/v1/rooms', { action: 'create', userName: 'Ada' }, account);
    return (body['room']! as { meetingID: string }).meetingID;
  }

  async changeRoom(meetingID: string, capacity: number): Promise<void> {
    await this.post('/v1/rooms', { action: 'update', meetingID, capacity });
  }

  query<Row>(statement: string, parameters: unknown[] = []): Promise<Row[]> {
    return this.gateway.app.get(DataSource).query(statement, parameters);
  }

  /** Moves the clock in steps while the gateway, the database and the receiver work, at most for the given time. */
  async until<Value>(promise: Promise<Value>, limitMs = 10_000): Promise<Value> {
    let isDone = false;
    const done = promise.finally(() => {
      isDone = true;
    });
    done.catch(() => undefined);
    for (let moved = 0; !isDone && moved < limitMs;) {
      const step = moved < 1_000 ? 20 : 500;
      await this.clock.advance(step);
      moved += step;
      await turn();
    }
    return done;
  }

  /** Resolves after the webhook's attempts number `count`. */
  async attempted(webhookID: string, count: number, limitMs?: number): Promise<AttemptResult[]> {
    const ofWebhook = () => this.attempts.all.filter(each => each.webhookID === webhookID);
    await this.until(
      this.attempts.find(() => ofWebhook().length >= count),
      limitMs,
    );
    return ofWebhook().map(({ result }) => result);
  }
}
