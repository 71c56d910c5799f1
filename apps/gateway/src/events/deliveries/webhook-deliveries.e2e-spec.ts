import { jest } from '@jest/globals';
import { Webhook as Verifier } from 'standardwebhooks';
import { answering, WebhookReceiver, type ReceivedRequest } from '../testing/webhook-receiver.js';
import { EventLogRepository } from '../log/event-log.repository.js';
import { WebhookTestBed } from '../testing/webhook-test-bed.js';

const hourMs = 3_600_000;

describe('deliveries of webhooks', () => {
  let bed: WebhookTestBed;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    bed = await WebhookTestBed.start();
  });
  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
    bed.account = await bed.gateway.makeAccount();
  });
  afterEach(() => receiver?.close());
  afterAll(() => bed?.close());

  const isOf = (id: string) => (request: ReceivedRequest) => request.body.data['meetingID'] === id;
  const capacitiesOf = (id: string) => receiver.received.all.filter(isOf(id)).map(({ body }) => body.data['capacity']);
  const countOf = (webhookID: string) => bed.attempts.all.filter(each => each.webhookID === webhookID).length;
  const verified = (secret: string, { text, headers }: ReceivedRequest) =>
    new Verifier(secret).verify(text, headers as Record<string, string>);

  it('have the body and the headers of Standard Webhooks', async () => {
    const { webhookID, secret } = await bed.createWebhook(receiver.url, { eventTypes: ['room.*'] });
    const meetingID = await bed.createRoom();
    const request = await bed.until(receiver.received.find(isOf(meetingID)));
    const { events } = (await bed.get('/v1/events?types=room.created')).body as unknown as {
      events: { eventID: string; createdAt: string; data: object }[];
    };
    const { eventID: id, createdAt, data } = events[0]!;
    expect(JSON.parse(request.text)).toEqual({
      ...{ id, type: 'room.created', createdAt, accountID: bed.account.accountID, data },
    });
    expect(Object.keys(request.body)).toEqual(['id', 'type', 'createdAt', 'accountID', 'data']);
    expect(request.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': id });
    expect(verified(secret, request)).toEqual(request.body);
    expect(() => verified(`whsec_${Buffer.alloc(32).toString('base64')}`, request)).toThrow('No matching signature');
    expect(await bed.attempted(webhookID, 1)).toEqual(['delivered']);
    const [delivery] = await bed.deliveries(webhookID);
    expect(delivery).toMatchObject({
      cause: 'event',
      eventID: id,
      state: 'delivered',
      responseStatus: 200,
      error: null,
    });
    const detailed = await bed.detailed(webhookID, String(delivery!['deliveryID']));
    expect(detailed).toMatchObject({ body: request.text, attempts: [{ status: 200, responseBody: 'thanks' }] });
    expect(JSON.stringify(detailed)).not.toContain(request.headers['webhook-signature']);
  });

  it('come in the order of changes of a resource, and a failed one holds back only its resource', async () => {
    const { webhookID } = await bed.createWebhook(receiver.url, { eventTypes: ['room.*'] });
    const [failing, other] = [await bed.createRoom(), await bed.createRoom()];
    await bed.attempted(webhookID, 2);
    receiver.answer = (response, request) => answering(isOf(failing)(request) ? 500 : 200)(response, request);
    for (const capacity of [101, 102, 103]) {
      await bed.changeRoom(failing, capacity);
      await bed.changeRoom(other, capacity);
    }
    await bed.until(receiver.received.find(request => isOf(other)(request) && request.body.data['capacity'] === 103));
    expect(new Set(capacitiesOf(failing).slice(1))).toEqual(new Set([101]));
    expect(capacitiesOf(other)).toEqual([20, 101, 102, 103]);
    receiver.answer = answering(200);
    await bed.until(
      receiver.received.find(request => isOf(failing)(request) && request.body.data['capacity'] === 103),
      hourMs,
    );
    expect([...new Set(capacitiesOf(failing))]).toEqual([20, 101, 102, 103]);
    const ids = receiver.received.all.filter(isOf(failing)).map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(4);
  });

  it('are tried again after the back-off, and not before the time that the receiver asks for', async () => {
    const { webhookID } = await bed.createWebhook(receiver.url, { eventTypes: ['room.created'] });
    receiver.answer = answering(503, { 'Retry-After': '20' });
    await bed.createRoom();
    expect(await bed.attempted(webhookID, 1)).toEqual(['retried']);
    const [delivery] = await bed.deliveries(webhookID, '?state=pending');
    const wait = Date.parse(String(delivery!['nextAttemptAt'])) - bed.clock.now();
    expect(wait).toBeGreaterThan(19_000);
    expect(wait).toBeLessThanOrEqual(20_000);
    receiver.answer = answering(200);
    await bed.clock.advance(wait - 1_100);
    expect(receiver.received.length).toBe(1);
    expect(await bed.attempted(webhookID, 2)).toEqual(['retried', 'delivered']);
    expect(await bed.deliveries(webhookID)).toMatchObject([{ state: 'delivered', attemptCount: 2 }]);
  });

  it('are given up after a day, and the next one of the resource follows', async () => {
    const { webhookID } = await bed.createWebhook(receiver.url, { eventTypes: ['room.*'] });
    receiver.answer = answering(500);
    const meetingID = await bed.createRoom();
    await bed.attempted(webhookID, 1);
    await bed.changeRoom(meetingID, 50);
    const past = `UPDATE webhook_deliveries SET tried_since = tried_since - interval '24 hours' WHERE webhook_id = $1`;
    await bed.query(past, [webhookID]);
    await bed.attempted(webhookID, 3, hourMs);
    const states = (await bed.deliveries(webhookID)).map(({ type, state }) => `${String(type)} ${String(state)}`);
    expect(states).toEqual(['room.updated pending', 'room.created failed']);
    expect((await bed.deliveries(webhookID, '?state=failed')).length).toBe(1);
  });

  it('stop at 410: the webhook is disabled, with an event, and continues when it is enabled', async () => {
    const { webhookID } = await bed.createWebhook(receiver.url, { eventTypes: ['room.created'] });
    receiver.answer = answering(410);
    await bed.createRoom();
    expect(await bed.attempted(webhookID, 1)).toEqual(['failed']);
    expect(await bed.show(webhookID)).toMatchObject({ state: 'disabled', disabledReason: 'gone' });
    receiver.answer = answering(200);
    const later = await bed.createRoom();
    await bed.clock.advance(3_000);
    expect(receiver.received.length).toBe(1);
    const { events } = (await bed.get('/v1/events?types=webhook.disabled')).body as unknown as {
      events: { data: object }[];
    };
    expect(events).toMatchObject([{ data: { webhookID, state: 'disabled', disabledReason: 'gone' } }]);
    const { entries } = (await bed.get('/v1/audit-log')).body as unknown as { entries: { actor: { kind: string } }[] };
    expect(entries.find(({ actor }) => actor.kind === 'platform')).toMatchObject({
      ...{ action: 'disable webhook', outcome: 'succeeded', address: null, requestID: '' },
      details: { webhookID, disabledReason: 'gone' },
    });
    await bed.act('update', { webhookID, enabled: true });
    await bed.until(receiver.received.find(isOf(later)));
    expect(await bed.show(webhookID)).toMatchObject({ state: 'enabled', disabledReason: null, disabledAt: null });
  });

  it('that fail for three days disable the webhook; waiting ones follow when it is enabled', async () => {
    const { webhookID } = await bed.createWebhook(receiver.url, { eventTypes: ['room.created'] });
    receiver.answer = answering(500);
    await bed.createRoom();
    await bed.attempted(webhookID, 1);
    expect(await bed.show(webhookID)).toMatchObject({ state: 'enabled', failingSince: expect.any(String) });
    const past = `UPDATE webhook_queues SET failing_since = failing_since - interval '3 days' WHERE webhook_id = $1`;
    await bed.query(past, [webhookID]);
    await bed.attempted(webhookID, 2, hourMs);
    expect(await bed.show(webhookID)).toMatchObject({
      state: 'disabled',
      disabledReason: 'failing',
      pendingDeliveries: 1,
    });
    receiver.answer = answering(200);
    await bed.act('update', { webhookID, enabled: true });
    expect((await bed.attempted(webhookID, 3)).at(-1)).toBe('delivered');
    expect(await bed.show(webhookID)).toMatchObject({ failingSince: null, pendingDeliveries: 0 });
  });

  it('are signed with the former secret too for a day', async () => {
    const created = await bed.createWebhook(receiver.url, { eventTypes: ['room.created'] });
    const { webhookID } = created;
    const rotated = (await bed.act('rotateSecret', { webhookID }))['webhook'] as unknown as typeof created;
    const first = await bed.createRoom();
    const both = await bed.until(receiver.received.find(isOf(first)));
    for (const secret of [created.secret, rotated.secret]) expect(verified(secret, both)).toEqual(both.body);
    const over = `UPDATE webhooks SET previous_secret_until = previous_secret_until - interval '24 hours' WHERE id = $1`;
    await bed.query(over, [webhookID]);
    await bed.clock.advance(1);
    const second = await bed.createRoom();
    const one = await bed.until(receiver.received.find(isOf(second)));
    expect(verified(rotated.secret, one)).toEqual(one.body);
    expect(() => verified(created.secret, one)).toThrow('No matching signature');
  });

  it('can be tested, also at a disabled webhook, and sent again with the same identifier', async () => {
    const { webhookID } = await bed.createWebhook(receiver.url, { eventTypes: ['room.created'] });
    await bed.createRoom();
    await bed.attempted(webhookID, 1);
    const [delivery] = await bed.deliveries(webhookID);
    await bed.act('resend', { webhookID, deliveryID: delivery!['deliveryID'] });
    await bed.attempted(webhookID, 2);
    const [first, again] = receiver.received.all;
    expect(again!.text).toBe(first!.text);
    expect(again!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    await bed.act('update', { webhookID, enabled: false });
    receiver.answer = answering(500);
    const test = (await bed.act('test', { webhookID }))['delivery'] as unknown as { deliveryID: string };
    await bed.attempted(webhookID, 3);
    expect(receiver.received.all[2]!.body).toMatchObject({ type: 'webhook.test', data: { webhookID } });
    expect(await bed.detailed(webhookID, test.deliveryID)).toMatchObject({
      state: 'failed',
      error: 'the answer was 500',
    });
    expect(await bed.show(webhookID)).toMatchObject({ failingSince: null, disabledReason: 'requested' });
  });

  it('can be replayed from a position, also to a new webhook, beside new events', async () => {
    const { nextCursor } = await bed.createWebhook(receiver.url, { eventTypes: ['room.updated'] });
    const meetingID = await bed.createRoom();
    for (const capacity of [31, 32]) await bed.changeRoom(meetingID, capacity);
    await bed.until(receiver.received.atLeast(2));
    const late = await bed.createWebhook(receiver.url, { eventTypes: ['room.*'], after: nextCursor });
    expect(await bed.attempted(late.webhookID, 3)).toEqual(['delivered', 'delivered', 'delivered']);
    const [newest] = await bed.deliveries(late.webhookID);
    const until = (await bed.deliveries(late.webhookID))[1]!['cursor'];
    await bed.act('replay', { webhookID: late.webhookID, after: nextCursor, until });
    await bed.attempted(late.webhookID, 5);
    const causes = (await bed.deliveries(late.webhookID)).map(({ cause }) => cause);
    expect(causes).toEqual(['replay', 'replay', 'event', 'event', 'event']);
    expect(newest!['type']).toBe('room.updated');
    expect(await bed.query('SELECT 1 FROM webhook_cursors WHERE until IS NOT NULL')).toEqual([]);
  });

  it('of a webhook whose types or secret this gateway cannot read delay no other', async () => {
    const broken = await bed.createWebhook(receiver.url, { eventTypes: ['room.created'] });
    const newer = await bed.createWebhook(receiver.url, { eventTypes: ['room.created'] });
    const failing = await bed.gateway.makeAccount();
    await bed.createWebhook(receiver.url, { eventTypes: ['room.created'] }, failing);
    const { webhookID } = await bed.createWebhook(receiver.url, { eventTypes: ['room.created'] });
    await bed.query(`UPDATE webhooks SET encrypted_secret = 'x' WHERE id = $1`, [broken.webhookID]);
    await bed.query(`UPDATE webhooks SET event_types = '["room.future"]' WHERE id = $1`, [newer.webhookID]);
    const log = bed.gateway.app.get(EventLogRepository, { strict: false });
    const read = log.read.bind(log);
    const reading = jest
      .spyOn(log, 'read')
      .mockImplementation((filter, ...rest) =>
        filter.accountID === failing.accountID ? Promise.reject(new Error('broken')) : read(filter, ...rest),
      );
    try {
      await Promise.all([bed.createRoom(), bed.createRoom(failing)]);
      expect(await bed.attempted(webhookID, 1)).toEqual(['delivered']);
      expect(await bed.attempted(broken.webhookID, 1)).toEqual(['retried']);
      const unsent = { state: 'pending', attemptCount: 1, error: 'the secret cannot be read' };
      expect(await bed.deliveries(broken.webhookID)).toMatchObject([unsent]);
      expect(await bed.deliveries(newer.webhookID)).toEqual([]);
      expect(reading.mock.calls.map(([{ accountID }]) => accountID)).toContain(failing.accountID);
    } finally {
      reading.mockRestore();
    }
  });

  it('of a disabled account wait until it is active again', async () => {
    const { webhookID } = await bed.createWebhook(receiver.url, { eventTypes: ['room.created'] });
    receiver.answer = answering(500);
    await bed.createRoom();
    await bed.attempted(webhookID, 1);
    receiver.answer = answering(200);
    const setState = `UPDATE accounts SET state = $2 WHERE id = $1`;
    await bed.query(setState, [bed.account.accountID, 'disabled']);
    await bed.clock.advance(10_000);
    expect(receiver.received.length).toBe(1);
    await bed.query(setState, [bed.account.accountID, 'active']);
    expect(await bed.attempted(webhookID, 2)).toEqual(['retried', 'delivered']);
  });

  it('show no time of a next attempt while a request runs', async () => {
    const { webhookID } = await bed.createWebhook(receiver.url, { eventTypes: ['room.created'] });
    let end: () => void = () => undefined;
    receiver.answer = (response, request) => {
      end = () => answering(500)(response, request);
    };
    await bed.createRoom();
    await bed.until(receiver.received.atLeast(1));
    expect(await bed.deliveries(webhookID)).toMatchObject([{ state: 'pending', attemptCount: 1, nextAttemptAt: null }]);
    end();
    await bed.attempted(webhookID, 1);
    expect(await bed.deliveries(webhookID)).toMatchObject([{ nextAttemptAt: expect.any(String) }]);
  });

  it('count once when another gateway has taken over a late one', async () => {
    const { webhookID } = await bed.createWebhook(receiver.url, { eventTypes: ['room.created'] });
    const ends: (() => void)[] = [];
    receiver.answer = (response, request) => {
      const status = ends.length === 0 ? 410 : 200;
      ends.push(() => answering(status)(response, request));
    };
    await bed.createRoom();
    await bed.until(receiver.received.atLeast(1));
    await bed.query('UPDATE webhook_deliveries SET due_at = $2 WHERE webhook_id = $1', [
      webhookID,
      new Date(bed.clock.now()),
    ]);
    await bed.until(receiver.received.atLeast(2));
    const [first, second] = ends;
    receiver.answer = answering(200);
    second!();
    expect(await bed.attempted(webhookID, 1)).toEqual(['delivered']);
    first!();
    await bed.clock.advance(2_000);
    expect(countOf(webhookID)).toBe(1);
    expect(await bed.show(webhookID)).toMatchObject({ state: 'enabled', failingSince: null });
  });

  it('of one environment and of the chosen types only', async () => {
    const production = await bed.gateway.makeKey(bed.account, 'production');
    const { webhookID } = await bed.createWebhook(
      receiver.url,
      { eventTypes: ['room.created', 'domain.*'] },
      production,
    );
    await bed.createRoom();
    const room = await bed.createRoom(production);
    await bed.post('/v1/domains', { action: 'create', domain: 'shared.example.com' });
    await bed.attempted(webhookID, 2);
    expect(receiver.types.sort()).toEqual(['domain.created', 'room.created']);
    expect(receiver.received.all.some(isOf(room))).toBe(true);
  });

  it('wait in the log when the queue of the webhook is full', async () => {
    const { webhookID } = await bed.createWebhook(receiver.url, { eventTypes: ['agent.*'] });
    receiver.answer = () => undefined;
    const count = 10_700;
    // The changes until now get their numbers.
    await bed.clock.advance(1_000);
    const { accountID } = bed.account;
    const [log] = await bed.query<{ last: number }>(
      'SELECT last_sequence::int AS last FROM event_counters WHERE account_id = $1',
      [accountID],
    );
    await bed.query(
      `INSERT INTO account_events (account_id, sequence, id, type, created_at, resource_kind, resource_id, data)
       SELECT $1, $2 + n, 'evt_many' || n, 'agent.updated', now(), 'agent', 'agent_' || n, '{}' FROM generate_series(1, $3::int) AS n`,
      [accountID, log!.last, count],
    );
    await bed.query('UPDATE event_counters SET last_sequence = last_sequence + $2 WHERE account_id = $1', [
      accountID,
      count,
    ]);
    const full = async () => {
      while ((await bed.show(webhookID)).pendingDeliveries < 10_000) await bed.clock.advance(1_000);
    };
    await full();
    await bed.clock.advance(2_000);
    const shown = await bed.show(webhookID);
    expect(shown.pendingDeliveries).toBe(10_000);
    expect(Number(shown.nextCursor.split('.')[0])).toBe(log!.last + 10_000);
    const { status, body } = await bed.post('/v1/webhooks', { action: 'test', webhookID });
    expect({ status, reason: body.reason }).toEqual({ status: 429, reason: 'too_many_waiting' });
    await bed.act('delete', { webhookID });
    expect(
      await bed.query(`SELECT 1 FROM webhook_deliveries WHERE webhook_id = $1 AND state = 'pending'`, [webhookID]),
    ).toEqual([]);
  });

  it('to a webhook that never answers delay neither another account nor another webhook', async () => {
    const quick = await WebhookReceiver.start();
    try {
      receiver.answer = () => undefined;
      const slow = await bed.createWebhook(receiver.url, { eventTypes: ['room.created'] });
      for (let n = 0; n < 10; n += 1) await bed.createRoom();
      await bed.until(receiver.received.atLeast(4));
      const mine = await bed.createWebhook(quick.url, { eventTypes: ['room.created'] });
      const other = await bed.gateway.makeAccount();
      const theirs = await bed.createWebhook(quick.url, { eventTypes: ['room.created'] }, other);
      for (let n = 0; n < 10; n += 1) await Promise.all([bed.createRoom(), bed.createRoom(other)]);
      await bed.attempted(mine.webhookID, 10, 5_000);
      await bed.attempted(theirs.webhookID, 10, 5_000);
      expect(countOf(slow.webhookID)).toBe(0);
      expect(receiver.received.length).toBe(4);
      await bed.act('delete', { webhookID: slow.webhookID });
    } finally {
      await quick.close();
    }
  });
});
