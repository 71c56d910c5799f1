/** @jest-environment jsdom */
import { administrator, owner, renderDashboard, screen, waitFor, within } from '../../testing/render-dashboard.js';

const entry = {
  entryID: 'audit_1',
  at: '2026-01-01T00:00:00.000Z',
  actor: { kind: 'user', id: 'user_1', name: 'ada@example.com' },
  action: 'POST /dashboard/api/keys/rotate',
  accountID: 'acct_1',
  details: { type: 'production', overlapHours: 4 },
  address: '192.0.2.7',
  requestID: 'r1',
  outcome: 'failed',
  reason: 'wrong_password',
};
const byAdministrator = {
  ...entry,
  entryID: 'audit_2',
  actor: { kind: 'administrator', id: null, name: null },
  action: 'POST /admin/v1/accounts/:accountID/disable',
  address: null,
  outcome: 'succeeded',
  reason: null,
};

describe('the page of the audit log', () => {
  it('shows an owner actor, action, address and outcome', async () => {
    renderDashboard(
      '/audit-log',
      service => service.onList('/v1/audit-log', 'entries', [byAdministrator, entry]),
      owner,
    );
    const row = within(await screen.findByRole('row', { name: /keys\/rotate/ }));
    for (const text of [
      'ada@example.com',
      'type: production, overlapHours: 4',
      '192.0.2.7',
      'Failed',
      'wrong password',
    ]) {
      expect(row.getByText(text)).toBeTruthy();
    }
    const other = within(screen.getByRole('row', { name: /accounts\/:accountID\/disable/ }));
    for (const text of ['Administrator', 'Not shown', 'Done']) expect(other.getByText(text)).toBeTruthy();
  });

  it('shows an administrator the entries of the platform', async () => {
    const { service } = renderDashboard(
      '/audit-log',
      fake => fake.onList('/admin/v1/audit-log', 'entries', []),
      administrator,
    );
    expect(await screen.findByText('No entries yet')).toBeTruthy();
    expect(service.to('GET /v1/audit-log')).toEqual([]);
  });

  it('filters by actor, result and time', async () => {
    const { service, user } = renderDashboard('/audit-log', fake => fake.onList('/v1/audit-log', 'entries', []), owner);
    await screen.findByText('No entries yet');
    await user.type(screen.getByLabelText('Actor'), 'ada@example.com');
    await user.selectOptions(screen.getByLabelText('Result'), 'Failed');
    await user.selectOptions(screen.getByLabelText('Time'), 'Last 7 days');
    await waitFor(() => {
      const { actor, outcome, from } = service.to('GET /v1/audit-log').at(-1)?.query ?? {};
      expect([actor, outcome]).toEqual(['ada@example.com', 'failed']);
      expect(Date.now() - Date.parse(from ?? '')).toBeGreaterThanOrEqual(7 * 86_400_000);
    });
    expect(await screen.findByText('No entry matches')).toBeTruthy();
  });
});
