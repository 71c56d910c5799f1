/**
 * @jest-environment jsdom
 * @seconds 4
 */
import {
  administrator,
  renderDashboard,
  screen,
  waitFor,
  within,
  type FakeService,
} from '../../testing/render-dashboard.js';

const account = {
  accountID: 'a1',
  name: 'Acme',
  apiUserName: 'acme01',
  state: 'active',
  createdAt: '2026-01-01T00:00:00.000Z',
};
const balanceOf = (meetingMinutes: number) => ({
  sandbox: { meetingMinutes, recordingMinutes: 5 },
  production: { meetingMinutes: 100, recordingMinutes: 50 },
});
const limitsOf = (value: number) => ({
  activeRooms: { value: 7, default: 1_000 },
  keys: { value: 200, default: 200 },
  users: { value: 50, default: 50 },
  webhooks: { value: 20, default: 20 },
  sessionsPerRoom: { value: 16, default: 16 },
  sessionsPerAccount: { value: 1_000, default: 1_000 },
  encoderPlaces: { value: 10, default: 10 },
  viewersPerPlayback: { value, default: 500 },
  viewersPerAccount: { value: 5_000, default: 5_000 },
  restreamsPerSession: { value: 10, default: 10 },
  restreamsPerAccount: { value: 100, default: 100 },
  compositionsPerAccount: { value: 10, default: 10 },
  sourcePixels: { value: 8_294_400, default: 8_294_400 },
  sourcePixelsPerSecond: { value: 124_416_000, default: 124_416_000 },
});
const switches = { whip: true, whep: true, hls: false, recording: true };

function withAccount(service: FakeService): void {
  const base = '/admin/v1/accounts/a1';
  service
    .on(`GET ${base}`, { account })
    .on(`GET ${base}/balance`, { balance: balanceOf(10) })
    .on(`GET ${base}/limits`, { limits: limitsOf(20) })
    .on(`GET ${base}/keys`, { keys: [] })
    .onList(`${base}/disposable-keys`, 'disposableKeys', [])
    .on(`GET ${base}/entitlements`, { entitlements: switches })
    .on('GET /admin/v1/features', { features: switches });
}

describe('the page of an account', () => {
  const show = () => renderDashboard('/accounts/a1', withAccount, administrator);

  it('sets the minutes of one environment, and shows the new values', async () => {
    const { service, user } = show();
    const form = within(await screen.findByRole('form', { name: 'Sandbox' }));
    const submit = form.getByRole('button', { name: 'Set sandbox minutes' });
    expect(submit).toHaveProperty('disabled', true);
    const minutes = form.getByLabelText('Meeting minutes');
    await user.clear(minutes);
    await user.click(submit);
    expect(await form.findByText('Enter whole minutes from 0 to 1,000,000,000.')).toBeTruthy();
    expect(service.to('PUT /admin/v1/accounts/a1/balance')).toEqual([]);
    await user.type(minutes, '25');
    service.on('PUT /admin/v1/accounts/a1/balance', () => {
      service.on('GET /admin/v1/accounts/a1/balance', { balance: balanceOf(26) });
      return { body: {} };
    });
    await user.click(submit);
    expect(await screen.findByDisplayValue('26')).toBeTruthy();
    expect(service.bodiesTo('PUT /admin/v1/accounts/a1/balance')).toEqual([
      { type: 'sandbox', meetingMinutes: 25, recordingMinutes: 5 },
    ]);
  });

  it('keeps the input and the focus when the minutes change meanwhile', async () => {
    const { service, user, client } = show();
    const form = within(await screen.findByRole('form', { name: 'Sandbox' }));
    const minutes = form.getByLabelText('Meeting minutes');
    await user.clear(minutes);
    await user.type(minutes, '25');
    const balance = { ...balanceOf(9), production: { meetingMinutes: 99, recordingMinutes: 50 } };
    service.on('GET /admin/v1/accounts/a1/balance', { balance });
    await client.invalidateQueries({ queryKey: ['admin', 'balance'] });
    expect(await screen.findByDisplayValue('99')).toBeTruthy();
    expect(minutes).toHaveProperty('value', '25');
    expect(document.activeElement).toBe(minutes);
  });

  it('sets a limit, and returns to the plan’s default if the field is empty', async () => {
    const { service, user } = show();
    const form = within(await screen.findByRole('form', { name: 'Limits' }));
    await user.clear(form.getByLabelText('Viewers of one playback'));
    await user.type(form.getByLabelText('Viewers of all playbacks'), '90');
    await user.clear(form.getByLabelText('Active rooms'));
    await user.type(form.getByLabelText('Active rooms'), '8');
    service.on('PUT /admin/v1/accounts/a1/limits', () => {
      service.on('GET /admin/v1/accounts/a1/limits', { limits: limitsOf(500) });
      return { body: {} };
    });
    await user.click(form.getByRole('button', { name: 'Set limits' }));
    await waitFor(() =>
      expect(service.bodiesTo('PUT /admin/v1/accounts/a1/limits')).toEqual([
        {
          ...{
            activeRooms: 8,
            keys: null,
            users: null,
            webhooks: null,
            sessionsPerRoom: null,
            sessionsPerAccount: null,
            encoderPlaces: null,
          },
          ...{ viewersPerPlayback: null, viewersPerAccount: 90, restreamsPerSession: null, restreamsPerAccount: null },
          ...{ compositionsPerAccount: null, sourcePixels: null, sourcePixelsPerSecond: null },
        },
      ]),
    );
    expect(await screen.findByPlaceholderText('Plan: 500')).toHaveProperty('value', '');
  });

  it('switches an entitlement, and shows the state of the service', async () => {
    const { service, user } = show();
    service.on('PUT /admin/v1/accounts/a1/entitlements', () => {
      service.on('GET /admin/v1/accounts/a1/entitlements', { entitlements: { ...switches, hls: true } });
      return { body: {} };
    });
    const group = within(await screen.findByRole('group', { name: 'Entitlements' }));
    const hls = group.getByLabelText<HTMLInputElement>('HLS broadcast');
    expect(hls.checked).toBe(false);
    await user.click(hls);
    await waitFor(() => expect(hls.checked).toBe(true));
    expect(service.bodiesTo('PUT /admin/v1/accounts/a1/entitlements')).toEqual([{ entitlement: 'hls', granted: true }]);
  });

  it('shows a new key of the account once', async () => {
    const { service, user } = show();
    const key = {
      keyID: 'k1',
      type: 'sandbox',
      maskedKey: 'abcd',
      state: 'active',
      createdAt: account.createdAt,
      expiresAt: null,
    };
    service.on('POST /admin/v1/accounts/a1/keys', { key: { ...key, apiUserName: 'acme01', apiKey: 'made-key' } });
    await user.click(await screen.findByRole('button', { name: 'Create sandbox key' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByLabelText('API key')).toHaveProperty('value', 'made-key');
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByDisplayValue('made-key')).toBeNull());
  });

  it('disables the account after a confirmation', async () => {
    const { service, user } = show();
    service.on('POST /admin/v1/accounts/a1/disable', () => {
      service.on('GET /admin/v1/accounts/a1', { account: { ...account, state: 'disabled' } });
      return { body: {} };
    });
    await user.click(await screen.findByRole('button', { name: 'Disable Acme' }));
    expect(service.to('POST /admin/v1/accounts/a1/disable')).toEqual([]);
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Disable' }));
    expect(await screen.findByRole('button', { name: 'Enable Acme' })).toBeTruthy();
  });

  it('renames the account', async () => {
    const { service, user } = show();
    service.on('POST /admin/v1/accounts/a1/rename', () => {
      service.on('GET /admin/v1/accounts/a1', { account: { ...account, name: 'Nord' } });
      return { body: {} };
    });
    await user.click(await screen.findByRole('button', { name: 'Rename Acme' }));
    const form = within(await screen.findByRole('dialog', { name: 'Rename Acme' }));
    await user.clear(form.getByLabelText('Name'));
    await user.type(form.getByLabelText('Name'), ' Nord ');
    await user.click(form.getByRole('button', { name: 'Save' }));
    expect(await screen.findByRole('button', { name: 'Rename Nord' })).toBeTruthy();
    expect(service.bodiesTo('POST /admin/v1/accounts/a1/rename')).toEqual([{ name: 'Nord' }]);
  });

  it('deletes the account after a confirmation, and restores it', async () => {
    const { service, user } = show();
    const answer = (state: string) => () => {
      service.on('GET /admin/v1/accounts/a1', { account: { ...account, state } });
      return { body: {} };
    };
    service.on('DELETE /admin/v1/accounts/a1', answer('deleted'));
    service.on('POST /admin/v1/accounts/a1/restore', answer('disabled'));
    await user.click(await screen.findByRole('button', { name: 'Delete Acme' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete this account?' }));
    expect(dialog.getByText(/retention period.*removes.*restore/)).toBeTruthy();
    expect(service.to('DELETE /admin/v1/accounts/a1')).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    await user.click(await screen.findByRole('button', { name: 'Restore Acme' }));
    expect(await screen.findByRole('button', { name: 'Enable Acme' })).toBeTruthy();
  });
});
