/** @jest-environment jsdom */
import { owner, refusal, renderDashboard, screen, waitFor, within } from '../../testing/render-dashboard.js';
import { webhook, withWebhooks } from './webhook-examples.js';

const opened = async () => {
  const dashboard = renderDashboard('/webhooks', withWebhooks());
  await dashboard.user.click(await screen.findByRole('button', { name: 'Add webhook' }));
  const form = within(await screen.findByRole('dialog', { name: 'Add webhook' }));
  return { ...dashboard, form };
};

describe('the list of webhooks', () => {
  it('shows address, state and event types, and leads to the page of each', async () => {
    const failing = { webhookID: 'hook_2', url: 'https://b.example.com/in', failingSince: '2026-01-02T00:00:00.000Z' };
    const disabled = { webhookID: 'hook_3', url: 'https://c.example.com/in', state: 'disabled' };
    renderDashboard('/webhooks', withWebhooks(webhook(), webhook(failing), webhook({ ...disabled, eventTypes: [] })));
    const rowOf = async (url: string) => (await screen.findByRole('link', { name: url })).closest('tr')!;
    const first = await rowOf('https://app.example.com/events');
    expect(within(first).getByRole('link').getAttribute('href')).toBe('/dashboard/webhooks/hook_1');
    for (const text of ['For the shop', 'Enabled', 'room.*', 'Sandbox']) expect(first.textContent).toContain(text);
    expect((await rowOf(failing.url)).textContent).toContain('Failing');
    expect((await rowOf(disabled.url)).textContent).toMatch(/Disabled.*All/);
  });

  it('says that there are none, and how to add one', async () => {
    renderDashboard('/webhooks', withWebhooks());
    expect(await screen.findByText('No webhooks yet')).toBeTruthy();
  });

  it('is no page of a viewer, who changes nothing', async () => {
    const viewer = { ...owner, user: { ...owner.user, role: 'viewer' as const } };
    renderDashboard('/webhooks', () => undefined, viewer);
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Webhooks' })).toBeNull();
  });
});

describe('the form of a webhook', () => {
  it('adds a webhook, and shows its secret once', async () => {
    const { service, user, form } = await opened();
    service.on('POST /v1/webhooks', () => {
      withWebhooks(webhook())(service);
      return { status: 201, body: { success: true, webhook: { ...webhook(), secret: 'whsec_c2VjcmV0' } } };
    });
    await user.type(form.getByLabelText('URL'), ' https://app.example.com/events ');
    await user.type(form.getByLabelText('Description'), 'For the shop');
    await user.type(form.getByRole('combobox', { name: 'Event types' }), 'room.*{Enter}recording.ready{Enter}');
    await user.click(form.getByRole('button', { name: 'Save' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'The secret of the webhook' }));
    expect(dialog.getByLabelText('Secret')).toHaveProperty('value', 'whsec_c2VjcmV0');
    expect(service.bodiesTo('POST /v1/webhooks')).toEqual([
      {
        ...{ action: 'create', url: 'https://app.example.com/events', description: 'For the shop' },
        eventTypes: ['room.*', 'recording.ready'],
      },
    ]);
    await user.click(dialog.getByRole('button', { name: 'Copy Secret' }));
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.body.innerHTML).not.toContain('whsec_');
    expect(await screen.findByRole('link', { name: 'https://app.example.com/events' })).toBeTruthy();
  });

  it.each(['', 'app.example.com', 'ftp://app.example.com'])(
    'refuses the address "%s", and sends nothing',
    async url => {
      const { service, user, form } = await opened();
      if (url !== '') await user.type(form.getByLabelText('URL'), url);
      await user.click(form.getByRole('button', { name: 'Save' }));
      expect(
        await form.findByText('Enter an address that begins with https:// (or http:// in development).'),
      ).toBeTruthy();
      expect(service.to('POST /v1/webhooks')).toEqual([]);
    },
  );

  it('shows the refusal of the service at its field', async () => {
    const { service, user, form } = await opened();
    service.on('POST /v1/webhooks', () =>
      refusal(400, 'invalid_request', 'url must be an address on the public internet.'),
    );
    await user.type(form.getByLabelText('URL'), 'https://10.0.0.1/');
    await user.click(form.getByRole('button', { name: 'Save' }));
    expect(await form.findByText('Must be an address on the public internet.')).toBeTruthy();
  });

  it('changes a webhook, and shows no secret', async () => {
    const { service, user } = renderDashboard('/webhooks', withWebhooks(webhook()));
    service.on('POST /v1/webhooks', { success: true, webhook: webhook() });
    await user.click(await screen.findByRole('button', { name: 'Change https://app.example.com/events' }));
    const form = within(await screen.findByRole('dialog', { name: 'Change webhook' }));
    await user.clear(form.getByLabelText('Description'));
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(service.bodiesTo('POST /v1/webhooks')).toEqual([
      {
        ...{ action: 'update', webhookID: 'hook_1', url: 'https://app.example.com/events' },
        ...{ description: null, eventTypes: ['room.*'] },
      },
    ]);
  });
});
