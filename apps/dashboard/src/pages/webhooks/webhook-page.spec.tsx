/**
 * @jest-environment jsdom
 * @seconds 6
 */
import { renderDashboard, screen, waitFor, within, type FakeService } from '../../testing/render-dashboard.js';
import { attempt, delivery, webhook } from './webhook-examples.js';

const deliveriesPath = '/v1/webhooks/hook_1/deliveries';

function withDeliveries(service: FakeService, deliveries: object[], fields: object = {}): void {
  service.on('GET /v1/webhooks', { success: true, webhook: webhook(fields) });
  service.on(`GET ${deliveriesPath}`, { success: true, deliveries, nextCursor: null, hasMore: false });
}

function withDetails(service: FakeService, deliveryID: string, fields: object): void {
  service.on(`GET ${deliveriesPath}/${deliveryID}`, { success: true, delivery: fields });
}

const open = (deliveries: object[] = [], fields: object = {}) =>
  renderDashboard('/webhooks/hook_1', service => withDeliveries(service, deliveries, fields));

const dialogNamed = async (name: string) => within(await screen.findByRole('dialog', { name }));

describe('the page of a webhook', () => {
  it('shows its address, state and facts', async () => {
    open([], { previousSecretUntil: '2026-01-02T00:00:00.000Z' });
    expect(await screen.findByRole('heading', { name: 'For the shop' })).toBeTruthy();
    expect(screen.getByText('https://app.example.com/events')).toBeTruthy();
    const facts = screen.getByRole('region', { name: 'Facts' }).textContent;
    for (const text of ['room.*', 'Waiting deliveries2', 'Signs until']) expect(facts).toContain(text);
    expect(await screen.findByText('No deliveries yet')).toBeTruthy();
    expect(screen.queryByText('This webhook is disabled')).toBeNull();
  });

  it.each([
    ['requested', 'A user or a key disabled it.'],
    ['failing', 'No delivery succeeded for three days'],
    ['gone', 'The address answered 410 Gone'],
  ])('says why it is disabled (%s), and enables it', async (disabledReason, text) => {
    const fields = { state: 'disabled', disabledReason, disabledAt: '2026-01-02T00:00:00.000Z' };
    const { service, user } = open([], fields);
    expect((await screen.findByText(/Events wait in the log/)).textContent).toContain(text);
    expect(screen.queryByRole('button', { name: 'Disable' })).toBeNull();
    service.on('POST /v1/webhooks', () => {
      withDeliveries(service, []);
      return { body: { success: true, webhook: webhook() } };
    });
    await user.click(screen.getByRole('button', { name: 'Enable' }));
    expect(await screen.findByText('The webhook was enabled.')).toBeTruthy();
    expect(service.bodiesTo('POST /v1/webhooks')).toEqual([{ action: 'update', webhookID: 'hook_1', enabled: true }]);
    await waitFor(() => expect(screen.queryByText('This webhook is disabled')).toBeNull());
  });

  it('says that deliveries fail', async () => {
    open([], { failingSince: '2026-01-02T00:00:00.000Z' });
    expect((await screen.findByRole('status')).textContent).toMatch(/Deliveries fail.*after three days/);
  });

  it('disables it after a confirmation', async () => {
    const { service, user } = open();
    service.on('POST /v1/webhooks', { success: true, webhook: webhook() });
    await user.click(await screen.findByRole('button', { name: 'Disable' }));
    const dialog = await dialogNamed('Disable this webhook?');
    expect(service.to('POST /v1/webhooks')).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Disable' }));
    expect(await screen.findByText('The webhook was disabled.')).toBeTruthy();
    expect(service.bodiesTo('POST /v1/webhooks')).toEqual([{ action: 'update', webhookID: 'hook_1', enabled: false }]);
  });

  it('shows a rotated secret once', async () => {
    const { service, user } = open();
    service.on('POST /v1/webhooks', { success: true, webhook: { ...webhook(), secret: 'whsec_bmV3' } });
    await user.click(await screen.findByRole('button', { name: 'Rotate secret' }));
    await user.click((await dialogNamed('Rotate the secret')).getByRole('button', { name: 'Rotate' }));
    const dialog = await dialogNamed('The new secret');
    expect(dialog.getByLabelText('Secret')).toHaveProperty('value', 'whsec_bmV3');
    expect(service.bodiesTo('POST /v1/webhooks')).toEqual([{ action: 'rotateSecret', webhookID: 'hook_1' }]);
  });

  it('sends a test event, and shows its attempt once there is one', async () => {
    const { service, user } = open();
    const test = { cause: 'test', type: 'webhook.test', cursor: null, body: '{"type":"webhook.test"}', attempts: [] };
    const pending = delivery(1, { ...test, state: 'pending', attemptCount: 0, responseStatus: null });
    service.on('POST /v1/webhooks', { success: true, delivery: pending });
    withDetails(service, 'dlv_1', pending);
    await user.click(await screen.findByRole('button', { name: 'Send test event' }));
    const dialog = await dialogNamed('Delivery');
    expect(await dialog.findByText('No attempt yet.')).toBeTruthy();
    withDetails(service, 'dlv_1', delivery(1, { ...test, attempts: [attempt()] }));
    expect(await dialog.findByText('Delivered')).toBeTruthy();
    expect(dialog.getByRole('region', { name: 'Beginning of the answer' }).textContent).toBe('thanks');
    expect(service.bodiesTo('POST /v1/webhooks')).toEqual([{ action: 'test', webhookID: 'hook_1' }]);
  });
});

describe('the log of deliveries', () => {
  it('lists type, state, answer and next attempt', async () => {
    const nextAttemptAt = '2026-01-01T00:05:00.000Z';
    const waiting = {
      state: 'pending',
      error: 'the answer was 500',
      responseStatus: 500,
      attemptCount: 3,
      nextAttemptAt,
    };
    open([delivery(2, waiting), delivery(1, { cause: 'resend' })]);
    await screen.findAllByText('room.created');
    const first = screen.getAllByRole('row')[1]!;
    for (const text of ['room.created', 'Pending', 'The answer was 500.', 'Next attempt', '3'])
      expect(first.textContent).toContain(text);
    expect(screen.getAllByRole('row')[2]!.textContent).toMatch(/room\.createdSent again · Jan 1.*Delivered.*200/);
  });

  it('filters by state, and goes through its pages by cursor', async () => {
    const { service, user } = open();
    service.on(`GET ${deliveriesPath}`, ({ query }) => {
      const first = Number(query['after'] ?? 45);
      const count = Math.min(20, first);
      const deliveries = Array.from({ length: count }, (_, index) => delivery(first - index, { state: 'failed' }));
      return { body: { success: true, deliveries, nextCursor: String(first - count), hasMore: first > 20 } };
    });
    await user.click(await screen.findByRole('radio', { name: 'Failed' }));
    await screen.findByText('1–20');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await screen.findByText('21–40');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await screen.findByText('41–45 of 45');
    expect(service.to(`GET ${deliveriesPath}`).at(-1)?.query).toEqual({ state: 'failed', after: '5', pageSize: '20' });
  });

  it('shows each request and its answer, the newest first', async () => {
    const { service, user } = open([delivery(1)]);
    const failed = { status: 500, error: 'the answer was 500', responseBody: 'out of order' };
    const silent = { at: '2026-01-01T00:00:06.000Z', status: null, error: 'no answer within 12 s', responseBody: null };
    const attempts = [attempt(failed), attempt(silent)];
    withDetails(service, 'dlv_1', delivery(1, { body: '{"id":"evt_1"}', attempts }));
    await user.click(await screen.findByRole('button', { name: 'room.created' }));
    const dialog = await dialogNamed('Delivery');
    expect((await dialog.findByRole('region', { name: 'Body' })).textContent).toBe('{\n  "id": "evt_1"\n}');
    const shown = within(dialog.getByRole('region', { name: 'Attempts' }))
      .getAllByRole('button', { name: /ms$/ })
      .map(({ textContent }) => textContent);
    expect(shown).toEqual([expect.stringMatching(/^No answer/), expect.stringMatching(/^500.*12 ms$/)]);
    expect(dialog.getByText('No answer within 12 s.')).toBeTruthy();
    expect(dialog.getAllByRole('region', { name: 'Request' })[0]?.textContent).toBe(
      'POST https://app.example.com/events\nWebhook-Id: evt_1',
    );
  });

  it('sends a delivery again, and shows the new one', async () => {
    const { service, user } = open([delivery(1)]);
    const again = delivery(2, { cause: 'resend', body: '{}', attempts: [attempt()] });
    service.on('POST /v1/webhooks', { success: true, delivery: again });
    withDetails(service, 'dlv_2', again);
    await user.click(await screen.findByRole('button', { name: 'Send room.created again (dlv_1)' }));
    expect(await (await dialogNamed('Delivery')).findByText('Sent again')).toBeTruthy();
    expect(service.bodiesTo('POST /v1/webhooks')).toEqual([
      { action: 'resend', webhookID: 'hook_1', deliveryID: 'dlv_1' },
    ]);
  });

  it('sends a range of events again', async () => {
    const { service, user } = open([delivery(3), delivery(2), delivery(1, { cursor: null, type: 'webhook.test' })]);
    service.on('POST /v1/webhooks', { success: true, webhook: webhook() });
    await user.click(await screen.findByRole('button', { name: 'Send events again' }));
    const dialog = await dialogNamed('Send events again');
    await user.click(dialog.getByRole('combobox', { name: 'Events after' }));
    // Both fields offer the event; the lists are hidden until their field is clicked.
    const [option] = await screen.findAllByRole('option', { name: /^room\.created, Jan 1, 2026, .*:02$/ });
    await user.click(option!);
    await user.click(dialog.getByRole('button', { name: 'Send again' }));
    expect(await screen.findByText('The events are being sent again.')).toBeTruthy();
    expect(service.bodiesTo('POST /v1/webhooks')).toEqual([
      { action: 'replay', webhookID: 'hook_1', after: '2.x', until: null },
    ]);
  });
});
