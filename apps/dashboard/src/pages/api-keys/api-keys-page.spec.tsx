/** @jest-environment jsdom */
import { renderDashboard, screen, waitFor, within, type FakeService } from '../../testing/render-dashboard.js';

const mainKey = (type: string) => ({
  keyID: `k-${type}`,
  type,
  maskedKey: 'abcd',
  state: 'active',
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: null,
});
const issued = { ...mainKey('sandbox'), apiUserName: 'example', apiKey: 'secret-key' };

const withKeys =
  (...types: string[]) =>
  (service: FakeService) =>
    void service
      .on('GET /dashboard/api/keys', { success: true, keys: types.map(mainKey) })
      .onList('/v1/disposable-keys', 'disposableKeys', []);

describe('the main keys', () => {
  it('show a new key once, until its dialog closes', async () => {
    const { service, user, client } = renderDashboard('/api-keys', withKeys('production'));
    service.on('POST /dashboard/api/keys', { success: true, key: issued });
    await user.click(await screen.findByRole('button', { name: 'Create sandbox key' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Your new key' }));
    expect(dialog.getByLabelText('API key')).toHaveProperty('value', 'secret-key');
    expect(dialog.getByLabelText('Both, for the Authorization header')).toHaveProperty('value', 'example:secret-key');
    expect(service.bodiesTo('POST /dashboard/api/keys')).toEqual([{ type: 'sandbox' }]);
    await waitFor(() => expect(service.to('GET /dashboard/api/keys')).toHaveLength(2));
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.queryByDisplayValue(/secret-key/)).toBeNull();
    const kept = () => client.getMutationCache().getAll();
    await waitFor(() => expect(JSON.stringify(kept().map(({ state }) => state))).not.toContain('secret-key'));
  });

  it.each([
    ['asks before Escape closes the dialog of a new key', false],
    ['closes the dialog by Escape once the key is copied', true],
  ])('%s', async (_rule, copies) => {
    const { service, user } = renderDashboard('/api-keys', withKeys('production'));
    service.on('POST /dashboard/api/keys', { success: true, key: issued });
    await user.click(await screen.findByRole('button', { name: 'Create sandbox key' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Your new key' }));
    await user.click(dialog.getByLabelText('API key'));
    if (copies) await user.copy();
    await user.keyboard('{Escape}');
    if (!copies) {
      expect(await dialog.findByText('You have copied nothing. Close anyway?')).toBeTruthy();
      await user.click(dialog.getByRole('button', { name: 'Close anyway' }));
    }
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('rotate only with whole hours within the bounds', async () => {
    const { service, user } = renderDashboard('/api-keys', withKeys('sandbox', 'production'));
    service.on('POST /dashboard/api/keys/rotate', { success: true, key: issued });
    await user.click(await screen.findByRole('button', { name: 'Rotate production key' }));
    const form = within(await screen.findByRole('dialog', { name: 'Rotate production key' }));
    const hours = form.getByLabelText('Hours that the old key stays valid');
    await user.clear(hours);
    await user.click(form.getByRole('button', { name: 'Rotate' }));
    expect(await form.findByText('Enter whole hours from 0 to 72.')).toBeTruthy();
    expect(service.to('POST /dashboard/api/keys/rotate')).toEqual([]);
    await user.type(hours, '2');
    await user.click(form.getByRole('button', { name: 'Rotate' }));
    expect(await screen.findByRole('dialog', { name: 'Your new key' })).toBeTruthy();
    expect(service.bodiesTo('POST /dashboard/api/keys/rotate')).toEqual([{ type: 'production', overlapHours: 2 }]);
  });
});

describe('a main key', () => {
  const withStates =
    (...states: string[]) =>
    (service: FakeService) => {
      const keys = states.map((state, n) => ({ ...mainKey('sandbox'), keyID: `k${n}`, maskedKey: `key${n}`, state }));
      withKeys()(service);
      service.on('GET /dashboard/api/keys', { success: true, keys });
    };

  it('is disabled after a confirmation, and enabled again', async () => {
    const { service, user } = renderDashboard('/api-keys', withStates('active', 'overlapping'));
    service.on('POST /dashboard/api/keys/k1/disable', () => {
      withStates('active', 'disabled')(service);
      return { body: {} };
    });
    await user.click(await screen.findByRole('button', { name: 'Disable key key1' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Disable this key?' }));
    expect(dialog.queryByText(/last sandbox key/)).toBeNull();
    expect(service.to('POST /dashboard/api/keys/k1/disable')).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Disable' }));
    service.on('POST /dashboard/api/keys/k1/enable', () => {
      withStates('active', 'overlapping')(service);
      return { body: {} };
    });
    await user.click(await screen.findByRole('button', { name: 'Enable key key1' }));
    expect(await screen.findByRole('button', { name: 'Disable key key1' })).toBeTruthy();
    expect(service.bodiesTo('POST /dashboard/api/keys/k1/disable')).toEqual([{}]);
  });

  it('is deleted after a warning if no other key is valid', async () => {
    const { service, user } = renderDashboard('/api-keys', withStates('active', 'expired', 'disabled'));
    service.on('DELETE /dashboard/api/keys/k0', () => {
      withStates('revoked', 'expired', 'disabled')(service);
      return { body: {} };
    });
    await user.click(await screen.findByRole('button', { name: 'Delete key key0' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete this key?' }));
    expect(dialog.getByText(/last sandbox key that works/)).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Delete key key0' })).toBeNull());
    expect(service.to('DELETE /dashboard/api/keys/k0').map(({ query }) => query)).toEqual([{ force: 'true' }]);
  });
});

describe('the disposable keys', () => {
  const key = {
    keyID: 'd1',
    name: 'Widget',
    type: 'sandbox',
    state: 'active',
    maskedKey: 'wxyz',
    operations: ['rooms:read'],
    domains: null,
    validityDays: 30,
    createdAt: '2026-01-01T00:00:00.000Z',
    expiresAt: null,
    lastUsedAt: null,
  };

  const openTab = async (...keys: object[]) => {
    const dashboard = renderDashboard('/api-keys', service => {
      withKeys('sandbox')(service);
      service.onList('/v1/disposable-keys', 'disposableKeys', keys);
    });
    await dashboard.user.click(await screen.findByRole('tab', { name: 'Disposable keys' }));
    return dashboard;
  };

  it('report each wrong field, and send nothing', async () => {
    const { service, user } = await openTab();
    await user.click(await screen.findByRole('button', { name: 'Create disposable key' }));
    const form = within(await screen.findByRole('dialog'));
    await user.click(form.getByRole('button', { name: 'Save' }));
    expect(await form.findByText('Enter a name.')).toBeTruthy();
    expect(form.getByText('Choose at least one operation.')).toBeTruthy();
    expect(service.to('POST /v1/disposable-keys')).toEqual([]);
  });

  it('are revoked after a confirmation', async () => {
    const { service, user } = await openTab(key, { ...key, keyID: 'd2', name: 'Old', state: 'revoked' });
    service.on('POST /v1/disposable-keys', { success: true });
    await user.click(await screen.findByRole('button', { name: 'Revoke Widget' }));
    expect(screen.queryByRole('button', { name: 'Revoke Old' })).toBeNull();
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revoke' }));
    expect(await screen.findByText('The key was revoked.')).toBeTruthy();
    expect(service.bodiesTo('POST /v1/disposable-keys')).toEqual([{ action: 'delete', keyID: 'd1' }]);
  });

  it('never expire if their validity is empty', async () => {
    const { service, user } = await openTab(key);
    service.on('POST /v1/disposable-keys', { success: true, disposableKey: key });
    await user.click(await screen.findByRole('button', { name: 'Change Widget' }));
    const form = within(await screen.findByRole('dialog'));
    await user.clear(form.getByLabelText('Valid for (days)'));
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(service.bodiesTo('POST /v1/disposable-keys')).toEqual([
      { action: 'update', keyID: 'd1', name: 'Widget', operations: ['rooms:read'], validityDays: null, domains: null },
    ]);
  });
});
