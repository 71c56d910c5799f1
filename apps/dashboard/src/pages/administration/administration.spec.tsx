/** @jest-environment jsdom */
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
  sessionsPerRoom: { value: 16, default: 16 },
  sessionsPerAccount: { value: 1_000, default: 1_000 },
  viewersPerPlayback: { value, default: 500 },
  viewersPerAccount: { value: 5_000, default: 5_000 },
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
          ...{ activeRooms: 8, keys: null, sessionsPerRoom: null, sessionsPerAccount: null },
          ...{ viewersPerPlayback: null, viewersPerAccount: 90, sourcePixels: null, sourcePixelsPerSecond: null },
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

describe('the page of the dashboard’s users', () => {
  const other = {
    userID: 'u2',
    email: 'bo@example.com',
    role: 'owner',
    accountID: 'a1',
    totpEnabled: true,
    createdAt: account.createdAt,
  };
  const show = () =>
    renderDashboard(
      '/users',
      service =>
        service
          .onList('/admin/v1/dashboard-users', 'users', [{ ...other, ...administrator.user }, other])
          .onList('/admin/v1/accounts', 'accounts', [account]),
      administrator,
    );

  it('does not let users lock themselves out', async () => {
    show();
    await screen.findByRole('button', { name: 'Delete bo@example.com' });
    expect(screen.queryByRole('button', { name: 'Delete root@example.com' })).toBeNull();
  });

  it('shows a new password once', async () => {
    const { service, user } = show();
    service.on('POST /admin/v1/dashboard-users/u2/reset-password', { user: { ...other, password: 'new-password' } });
    await user.click(await screen.findByRole('button', { name: 'Reset the password of bo@example.com' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Reset' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'The new password' }));
    expect(dialog.getByLabelText('Password')).toHaveProperty('value', 'new-password');
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByDisplayValue('new-password')).toBeNull());
  });

  it('shows a reset link once', async () => {
    const { service, user } = show();
    const url = 'https://rtms.example/dashboard/reset-password#token';
    service.on('POST /admin/v1/dashboard-users/u2/reset-link', { resetLink: { url } });
    await user.click(await screen.findByRole('button', { name: 'Make a reset link for bo@example.com' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Make link' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'The reset link' }));
    expect(dialog.getByLabelText('Link')).toHaveProperty('value', url);
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByDisplayValue(url)).toBeNull());
  });

  it('requires an account for an owner, and none for an administrator', async () => {
    const { service, user } = show();
    await user.click(await screen.findByRole('button', { name: 'New user' }));
    const form = within(await screen.findByRole('dialog', { name: 'New user' }));
    await user.type(form.getByLabelText('Email'), 'cy@example.com');
    await user.click(form.getByRole('button', { name: 'New user' }));
    expect(await form.findByText('Choose the account that the user owns.')).toBeTruthy();
    await user.click(form.getByRole('radio', { name: 'Administrator' }));
    service.on('POST /admin/v1/dashboard-users', { user: { ...other, email: 'cy@example.com', password: 'first' } });
    await user.click(form.getByRole('button', { name: 'New user' }));
    expect(await screen.findByDisplayValue('first')).toBeTruthy();
    expect(service.bodiesTo('POST /admin/v1/dashboard-users')).toEqual([
      { email: 'cy@example.com', role: 'administrator' },
    ]);
  });
});

describe('the page of the nodes', () => {
  const node = (nodeID: string, draining = false) => {
    return {
      nodeID,
      role: 'sfu',
      draining,
      drainSeconds: 1_800,
      load: 9,
      capacity: 10,
      publicUrl: `http://${nodeID}.example`,
      version: '0.2.0',
      isOutdated: false,
    };
  };
  const work = { rooms: 4, sessions: 3, members: 0, viewers: 1, broadcasts: 2, recordings: 1 };
  const show = (...nodes: ReturnType<typeof node>[]) =>
    renderDashboard(
      '/nodes',
      service => {
        service.on('GET /admin/v1/nodes', { nodes });
        for (const { nodeID } of nodes) service.on(`GET /admin/v1/nodes/${nodeID}/work`, { work });
      },
      administrator,
    );

  it('drains a node after a confirmation, and ends the drain', async () => {
    const { service, user } = show(node('sfu-1'), node('sfu-2'));
    const answer = (draining: boolean) => () => {
      service.on('GET /admin/v1/nodes', { nodes: [node('sfu-1', draining), node('sfu-2')] });
      return { body: {} };
    };
    service
      .on('POST /admin/v1/nodes/sfu-1/drain', answer(true))
      .on('POST /admin/v1/nodes/sfu-1/undrain', answer(false));
    await user.click(await screen.findByRole('button', { name: 'Drain sfu-1' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Drain sfu-1?' }));
    const now = /3 live sessions in 4 rooms, 1 viewer and 0 members.*at most 30 minutes the others move too/;
    expect(await dialog.findByText(now)).toBeTruthy();
    expect(dialog.queryByText(/last/)).toBeNull();
    expect(service.to('POST /admin/v1/nodes/sfu-1/drain')).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Drain' }));
    expect(service.bodiesTo('POST /admin/v1/nodes/sfu-1/drain')).toEqual([{}]);
    await user.click(await screen.findByRole('button', { name: 'Let sfu-1 take work again' }));
    expect(await screen.findByRole('button', { name: 'Drain sfu-1' })).toBeTruthy();
  });

  it.each([
    ['the only node', [node('sfu-1')]],
    [
      'the only node that does not drain',
      [node('sfu-1'), node('sfu-2', true), { ...node('tr-1'), role: 'transcoder' }],
    ],
  ])('drains the last node only after a second confirmation: %s', async (_, nodes) => {
    const { service, user } = show(...nodes);
    service.on('POST /admin/v1/nodes/sfu-1/drain', { node: node('sfu-1', true) });
    await user.click(await screen.findByRole('button', { name: 'Drain sfu-1' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/^sfu-1 is the last SFU that takes work\..*503/)).toBeTruthy();
    expect(await dialog.findByText(/live after 30 minutes end/)).toBeTruthy();
    const confirm = dialog.getByRole('button', { name: 'Drain the last node' });
    expect(confirm).toHaveProperty('disabled', true);
    await user.click(dialog.getByRole('checkbox', { name: 'Drain although no other SFU takes work' }));
    await user.click(confirm);
    await waitFor(() => expect(service.bodiesTo('POST /admin/v1/nodes/sfu-1/drain')).toEqual([{ force: true }]));
  });

  it('marks nodes that are older than the gateway', async () => {
    show(node('sfu-1'), { ...node('sfu-2'), version: '0.1.9', isOutdated: true });
    expect(await screen.findByText('0.1.9')).toBeTruthy();
    expect(screen.getAllByText('Older than the gateway')).toHaveLength(1);
    expect(screen.getByText('0.2.0')).toBeTruthy();
  });

  it('says what happens to the jobs of a transcoder', async () => {
    const transcoder = (nodeID: string) => ({ ...node(nodeID), role: 'transcoder' });
    const { user } = show(transcoder('tr-1'), transcoder('tr-2'));
    await user.click(await screen.findByRole('button', { name: 'Drain tr-1' }));
    expect(await screen.findByText(/2 broadcasts and 1 recording\. Broadcasts move/)).toBeTruthy();
  });
});

describe('the page of the platform’s features', () => {
  it('asks before a change, and says how many live sessions it leaves alone', async () => {
    const { service, user } = renderDashboard(
      '/features',
      each =>
        each
          .on('GET /admin/v1/features', { features: switches })
          .on('GET /admin/v1/features/use', { use: { ...switches, whip: 12 } })
          .on('PUT /admin/v1/features', { features: { ...switches, whip: false } }),
      administrator,
    );
    await user.click(await screen.findByLabelText(/^WHIP ingest/));
    const dialog = within(await screen.findByRole('dialog', { name: 'Disable WHIP ingest?' }));
    expect(
      await dialog.findByText(/^12 live sessions on the platform now: they continue\..*refuses new ones/),
    ).toBeTruthy();
    expect(service.to('PUT /admin/v1/features')).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Disable' }));
    await waitFor(() =>
      expect(service.bodiesTo('PUT /admin/v1/features')).toEqual([{ feature: 'whip', enabled: false }]),
    );
  });
});
