import { jest } from '@jest/globals';
import { ManualClock } from '@rtms/testing';
import { TestReplicas, type TestGateway } from '../../testing/start-test-gateway.js';
import { answering, WebhookReceiver } from '../testing/webhook-receiver.js';
import { WebhookTestBed } from '../testing/webhook-test-bed.js';
import { cursorOf } from '../log/event-cursor.js';
import { WebhookDispatcherService } from '../deliveries/webhook-dispatcher.service.js';
import { WebhookSenderService, type WebhookRequest } from '../deliveries/webhook-sender.service.js';

const url = 'https://hooks.example.com/';

describe('/v1/webhooks', () => {
  let bed: WebhookTestBed;
  const lines: string[] = [];

  beforeAll(async () => {
    bed = await WebhookTestBed.start({
      config: { accountLimits: { webhooks: 3 }, logLevel: 'trace' },
      logDestination: { write: line => void lines.push(line) },
    });
  });
  beforeEach(async () => {
    bed.account = await bed.gateway.makeAccount();
    await bed.clock.advance(1_000);
  });
  afterAll(() => bed?.close());

  const refused = async (action: string, fields: object) => {
    const { status, body } = await bed.post('/v1/webhooks', { action, ...fields });
    return `${status} ${body.reason}`;
  };

  it('shows the secret once, and keeps it encrypted', async () => {
    const { secret, ...created } = await bed.createWebhook(url, { description: 'Shop', eventTypes: ['room.*'] });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(created).toMatchObject({
      url,
      description: 'Shop',
      eventTypes: ['room.*'],
      keyType: 'sandbox',
      state: 'enabled',
    });
    // The position moves on with the log, also past the webhook's own creation.
    expect(await bed.show(created.webhookID)).toEqual({ ...created, nextCursor: expect.any(String) });
    const [row] = await bed.query<{ text: string }>('SELECT w::text AS text FROM webhooks w WHERE id = $1', [
      created.webhookID,
    ]);
    expect(row!.text).not.toContain(Buffer.from(secret).toString('hex'));
  });

  it('logs no secret and no address, when deliveries succeed and when they fail', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      const address = `${receiver.url}?key=of-the-receiver`;
      const { webhookID } = await bed.createWebhook(address, { eventTypes: ['recording.failed'] });
      await bed.act('rotateSecret', { webhookID });
      for (const [n, status] of [200, 500].entries()) {
        receiver.answer = answering(status);
        await bed.act('test', { webhookID });
        await bed.attempted(webhookID, n + 1);
      }
      const text = lines.join('\n');
      expect(text).toContain('/v1/webhooks');
      for (const secret of ['whsec_', 'of-the-receiver', 'v1,']) expect(text).not.toContain(secret);
    } finally {
      await receiver.close();
    }
  });

  it('changes only what is sent', async () => {
    const {
      webhookID,
      secret: _,
      ...created
    } = await bed.createWebhook(url, { description: 'Shop', eventTypes: ['room.*'] });
    await bed.clock.advance(10);
    await bed.act('update', { webhookID, url: 'https://other.example.com/' });
    const { updatedAt, ...changed } = await bed.show(webhookID);
    expect(changed).toMatchObject({ url: 'https://other.example.com/', description: 'Shop', eventTypes: ['room.*'] });
    expect(updatedAt).not.toBe(created['updatedAt']);
    await bed.act('update', { webhookID, description: null, eventTypes: [], enabled: false });
    const disabled = { description: null, eventTypes: [], state: 'disabled', disabledReason: 'requested' };
    expect(await bed.show(webhookID)).toMatchObject(disabled);
  });

  it('refuses unknown types, and more webhooks than the limit', async () => {
    for (const eventTypes of [['room.exploded'], ['rooms.*'], ['*'], ['room.created', 'room.created'], 'room.*'])
      expect(await refused('create', { url, eventTypes })).toBe('400 invalid_request');
    for (let n = 0; n < 3; n += 1) await bed.createWebhook(url);
    expect(await refused('create', { url })).toBe('403 limit_reached');
  });

  it.each(['create', 'replay'])(
    'refuses at %s positions of other logs, of the future, and before the retention',
    async action => {
      const { webhookID } = await bed.createWebhook(url);
      const { accountID } = bed.account;
      const fields = action === 'create' ? { url } : { webhookID };
      const other = await bed.gateway.makeAccount();
      expect(await refused(action, { ...fields, after: cursorOf(other.accountID, 1) })).toBe('400 invalid_cursor');
      expect(await refused(action, { ...fields, after: cursorOf(accountID, 1_000) })).toBe('400 invalid_cursor');
      expect(await refused(action, { ...fields, after: 'yesterday' })).toBe('400 invalid_cursor');
      await bed.clock.advance(1_000);
      await bed.query('UPDATE event_counters SET first_kept_sequence = 2 WHERE account_id = $1', [accountID]);
      expect(await refused(action, { ...fields, after: cursorOf(accountID, 0) })).toBe('410 cursor_expired');
      expect((await bed.post('/v1/webhooks', { action, ...fields, after: 'oldest' })).status).toBeLessThan(300);
      if (action === 'create') return;
      for (const [after, until] of [
        ['oldest', 'x'],
        [cursorOf(accountID, 2), cursorOf(accountID, 1)],
      ])
        expect(await refused(action, { ...fields, after, until })).toBe('400 invalid_cursor');
    },
  );

  it('runs five replays of a webhook at a time', async () => {
    const { webhookID } = await bed.createWebhook(url, { eventTypes: ['recording.failed'] });
    await bed.act('update', { webhookID, enabled: false });
    await bed.clock.advance(1_000);
    for (let n = 0; n < 5; n += 1) await bed.act('replay', { webhookID, after: 'oldest' });
    expect(await refused('replay', { webhookID, after: 'oldest' })).toBe('429 too_many_waiting');
  });

  it('is deleted once and again, with its deliveries', async () => {
    const { webhookID } = await bed.createWebhook(url);
    await bed.act('test', { webhookID });
    for (let times = 0; times < 2; times += 1)
      expect(await bed.act('delete', { webhookID })).toEqual({ success: true, deleted: true, webhookID });
    expect((await bed.get(`/v1/webhooks/${webhookID}/deliveries`)).status).toBe(404);
    expect(await refused('test', { webhookID })).toBe('404 not_found');
  });

  it('pages through deliveries, newest first', async () => {
    const { webhookID } = await bed.createWebhook(url, { eventTypes: ['recording.failed'] });
    const made: unknown[] = [];
    for (let n = 0; n < 5; n += 1) {
      const { delivery } = (await bed.act('test', { webhookID })) as { delivery?: { deliveryID: string } };
      made.unshift(delivery!.deliveryID);
    }
    const path = `/v1/webhooks/${webhookID}/deliveries`;
    const listed: unknown[] = [];
    let after = '';
    do {
      const { body } = await bed.get(`${path}?pageSize=2${after}`);
      const page = body as unknown as {
        deliveries: { deliveryID: string }[];
        nextCursor: string | null;
        hasMore: boolean;
      };
      listed.push(...page.deliveries.map(({ deliveryID }) => deliveryID));
      expect(page.hasMore).toBe(page.nextCursor !== null);
      after = page.nextCursor === null ? '' : `&after=${page.nextCursor}`;
    } while (after !== '');
    expect(listed).toEqual(made);
    expect(await bed.get(`${path}?after=first`)).toMatchObject({ status: 400, body: { reason: 'invalid_cursor' } });
    expect((await bed.get(`${path}?state=lost`)).status).toBe(400);
  });
});

describe('two gateways', () => {
  it('share deliveries, and one takes over those of a killed one after the lease', async () => {
    const clock = new ManualClock(Date.now());
    const receiver = await WebhookReceiver.start();
    const replicas = await TestReplicas.start({ clock, config: { insecureWebhooks: true } });
    const gateways = [replicas.gateway, replicas.replica];
    const begun: { by: TestGateway; request: WebhookRequest }[] = [];
    const senderOf = ({ app }: TestGateway) => app.get(WebhookSenderService, { strict: false });
    const dispatcherOf = ({ app }: TestGateway) => app.get(WebhookDispatcherService, { strict: false });
    try {
      const account = await replicas.gateway.makeAccount();
      const send = (body: object, path = '/v1/webhooks') =>
        replicas.gateway.http.post(path).set('Authorization', account.authorization).send(body);
      // A killed gateway neither sends nor stores anything more.
      for (const gateway of gateways)
        jest.spyOn(senderOf(gateway), 'send').mockImplementation((request, signal) => {
          begun.push({ by: gateway, request });
          return new Promise(resolve => {
            const answer = { status: null, error: 'killed', retryAfterMs: null, responseBody: null, durationMs: 0 };
            signal.addEventListener('abort', () => resolve(answer));
          });
        });
      await send({ action: 'create', url: receiver.url, eventTypes: ['room.created'] }).expect(201);
      await send({ action: 'create', userName: 'Ada' }, '/v1/rooms').expect(201);
      while (begun.length === 0) await clock.advance(20);
      const { by: killed } = begun[0]!;
      Object.assign(dispatcherOf(killed), { claimAll: () => Promise.resolve() });
      const survivor = gateways.find(each => each !== killed)!;
      jest.spyOn(senderOf(survivor), 'send').mockRestore();
      await clock.advance(28_000);
      expect({ begun: begun.length, received: receiver.received.length }).toEqual({ begun: 1, received: 0 });
      let result: string | undefined;
      dispatcherOf(survivor).onAttempt((_, each) => {
        result = each;
      });
      for (let moved = 0; result === undefined && moved < 10_000; moved += 100) await clock.advance(100);
      expect(result).toBe('delivered');
      expect(receiver.received.all.map(({ text }) => text)).toEqual([begun[0]!.request.body]);
      await clock.advance(32_000);
      expect(receiver.received.length).toBe(1);
    } finally {
      await replicas.close();
      await receiver.close();
    }
  });
});
