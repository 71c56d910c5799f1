/** @jest-environment jsdom */
import { administrator, renderDashboard, screen, waitFor, within } from '../../testing/render-dashboard.js';

const counts = { rooms: 3, externalSessions: 2, playbacks: 1, broadcasts: 0, recordings: 0 };
const acme = { accountID: 'acct_1', name: 'Acme', ...counts };
const status = {
  gatewayVersion: '0.2.0',
  database: { isUp: true, milliseconds: 2 },
  bus: { isUp: false },
  nodes: [
    { nodeID: 'sfu-1', draining: false },
    { nodeID: 'sfu-2', draining: true },
  ],
  live: counts,
};
const room = {
  ...{ accountID: 'acct_1', meetingID: 'room_1', roomName: 'Stage', participantCount: 4, capacity: 20 },
  ...{ externalSessionCount: 1, createdAt: '2026-01-01T00:00:00.000Z' },
};

describe('the administrator’s home', () => {
  const show = () =>
    renderDashboard(
      '/',
      service =>
        service
          .on('GET /admin/v1/status', { status })
          .onList('/admin/v1/live-accounts', 'accounts', [acme])
          .onList('/admin/v1/rooms', 'rooms', [room])
          .onList('/admin/v1/external-sessions', 'externalSessions', []),
      administrator,
    );

  it('shows what is live, and the state of the services', async () => {
    show();
    expect(await screen.findByText('1 of 2 nodes take work')).toBeTruthy();
    expect(screen.getByText('Version 0.2.0')).toBeTruthy();
    expect(screen.getAllByText('Down')).toHaveLength(1);
    expect(await screen.findByRole('link', { name: 'Acme' })).toBeTruthy();
    expect(await screen.findByText('Stage')).toBeTruthy();
  });

  it('shows the rooms and sessions of one account', async () => {
    const { service, user } = show();
    await user.click(await screen.findByRole('button', { name: 'Show the work of Acme' }));
    expect(await screen.findByRole('heading', { name: 'Active rooms of Acme' })).toBeTruthy();
    await waitFor(() => {
      for (const path of ['rooms', 'external-sessions']) {
        expect(service.to(`GET /admin/v1/${path}`).at(-1)?.query['accountID']).toBe('acct_1');
      }
    });
    await user.click(screen.getByRole('button', { name: 'Show the work of all accounts' }));
    expect(await screen.findByRole('heading', { name: 'Active rooms' })).toBeTruthy();
  });

  it('says that nothing can be counted while the database is down', async () => {
    const { service } = renderDashboard(
      '/',
      each => {
        each.on('GET /admin/v1/status', {
          status: { ...status, database: { ...status.database, isUp: false }, live: null },
        });
        for (const [path, many] of [
          ['live-accounts', 'accounts'],
          ['rooms', 'rooms'],
          ['external-sessions', 'externalSessions'],
        ] as const) {
          each.onList(`/admin/v1/${path}`, many, []);
        }
      },
      administrator,
    );
    expect(await screen.findByText(/database does not answer/)).toBeTruthy();
    expect(service.to('GET /admin/v1/status')).toHaveLength(1);
  });
});

describe('the doctor’s page', () => {
  const fine = { check: 'database', level: 'ok', message: 'PostgreSQL 17 answers.' };
  const full = {
    check: 'disk',
    nodeID: 'tr-1',
    level: 'fail',
    message: 'The disk is full.',
    advice: 'Delete recordings.',
  };

  it('checks on demand only, and shows failures first, with advice', async () => {
    const { service, user } = renderDashboard('/doctor', undefined, administrator);
    expect(await screen.findByText('Not checked yet')).toBeTruthy();
    expect(service.to('GET /admin/v1/doctor')).toEqual([]);
    service.on('GET /admin/v1/doctor', { findings: [fine, full] });
    await user.click(screen.getByRole('button', { name: 'Check the platform' }));
    expect(await screen.findByText('2 checks: 1 failed, 0 warnings.')).toBeTruthy();
    const rows = (await screen.findAllByRole('row')).slice(1).map(row => row.textContent);
    expect(rows[0]).toContain('Delete recordings.');
    expect(rows[1]).toContain('PostgreSQL 17 answers.');
    service.on('GET /admin/v1/doctor', { findings: [fine] });
    await user.click(screen.getByRole('button', { name: 'Check again' }));
    expect(await screen.findByText('1 check: 0 failed, 0 warnings.')).toBeTruthy();
    expect(within(screen.getByRole('table')).queryByText('The disk is full.')).toBeNull();
  });
});
