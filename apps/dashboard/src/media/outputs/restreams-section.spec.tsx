/** @jest-environment jsdom */
import type { DashboardSession } from '@rtms/contracts';
import {
  owner,
  refusal,
  renderDashboard,
  screen,
  waitFor,
  within,
  type FakeService,
} from '../../testing/render-dashboard.js';
import { servedSession, serveSession } from '../../testing/served-session.js';

const page = '/rooms/m1/sessions/ext_1';
const list = '/v1/meetings/m1/restreams';
const key = 'live_key_1';

const problem = {
  reason: 'target_refused',
  message: 'The target refused the stream. Check streamKey.',
  at: '2026-01-01T10:01:00.000Z',
};
const restream = {
  ...{ restreamID: 'rstr_1', meetingID: 'm1', sourceSessionID: 'ext_1', broadcastID: null, state: 'active' },
  target: { protocol: 'rtmps', url: 'rtmps://live.example.com/secret-app' },
  ...{ retryCount: 0, lastProblem: null as typeof problem | null, createdAt: '2026-01-01T10:00:00.000Z' },
  ...{ activatedAt: null, endedAt: null, endReason: null as string | null, reason: null },
};
const viewer: DashboardSession = { ...owner, user: { ...owner.user, role: 'viewer' } };

function show(restreams: object[], user = owner, at = page) {
  return renderDashboard(at, (service: FakeService) => serveSession(service, { restreams }), user);
}

const section = async () => within(await screen.findByRole('region', { name: 'Restreams' }));

describe('the restreams of a session', () => {
  it('have their state, the host of the target without its path, and the reason in words', async () => {
    show([
      restream,
      { ...restream, restreamID: 'rstr_2', state: 'retrying', retryCount: 3, lastProblem: problem },
      { ...restream, restreamID: 'rstr_3', state: 'failed', endReason: 'target_unreachable' },
    ]);
    const rows = await section();
    expect(await rows.findByText('The target refused the stream. Check streamKey. Failed attempts: 3.')).toBeTruthy();
    expect(rows.getAllByText('live.example.com by RTMPS')).toHaveLength(3);
    expect(rows.getByText('The target could not be reached.')).toBeTruthy();
    expect(document.body.textContent).not.toContain('secret-app');
    expect(rows.getAllByRole('button', { name: /^Stop sending/ })).toHaveLength(2);
  });

  it('start with an address and a key that the page forgets', async () => {
    const { service, user } = show([]);
    service.on(`POST ${list}`, { restream });
    await user.click(await (await section()).findByRole('button', { name: 'Send to another service' }));
    await user.type(await screen.findByLabelText('Address'), 'rtmps://live.example.com/app');
    const start = () => user.click(screen.getByRole('button', { name: 'Start' }));
    await start();
    expect(await screen.findByText('Enter the stream key of the target.')).toBeTruthy();
    const field = screen.getByLabelText<HTMLInputElement>('Stream key');
    expect([field.type, field.autocomplete]).toEqual(['password', 'off']);
    await user.type(field, key);
    await start();
    await screen.findByText('The restream starts.');
    expect(service.bodiesTo(`POST ${list}`)).toEqual([
      { sourceSessionID: 'ext_1', target: { protocol: 'rtmps', url: 'rtmps://live.example.com/app', streamKey: key } },
    ]);
    await user.click((await section()).getByRole('button', { name: 'Send to another service' }));
    expect((await screen.findByLabelText<HTMLInputElement>('Stream key')).value).toBe('');
  });

  it('show a refusal of the address at its field', async () => {
    const { service, user } = show([]);
    service.on(`POST ${list}`, () => refusal(400, 'invalid_request', 'url must be a public address.'));
    await user.click(await (await section()).findByRole('button', { name: 'Send to another service' }));
    await user.type(await screen.findByLabelText('Address'), 'rtmps://10.0.0.1/app');
    await user.type(screen.getByLabelText('Stream key'), key);
    await user.click(screen.getByRole('button', { name: 'Start' }));
    await waitFor(() => expect(screen.getByLabelText('Address').getAttribute('aria-invalid')).toBe('true'));
  });

  it('give the focus back to the button that opened their form', async () => {
    const { user } = show([]);
    const button = await (await section()).findByRole('button', { name: 'Send to another service' });
    await user.click(button);
    await screen.findByLabelText('Address');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(button));
  });

  it('stop on request, after a question', async () => {
    const { service, user } = show([restream]);
    service.on(`DELETE ${list}/rstr_1`, { restream });
    await user.click(
      await (await section()).findByRole('button', { name: 'Stop sending to live.example.com by RTMPS' }),
    );
    await user.click(await screen.findByRole('button', { name: 'Stop' }));
    await screen.findByText('The restream was stopped.');
    expect(service.to(`DELETE ${list}/rstr_1`)).toHaveLength(1);
  });

  it('have no buttons for a viewer of the account', async () => {
    show([restream], viewer);
    const rows = await section();
    await rows.findByText('live.example.com by RTMPS');
    expect(rows.queryByRole('button', { name: /^(?:Stop sending|Send to)/ })).toBeNull();
  });
});

describe('the restreams of a room', () => {
  it('can have the broadcast of the whole room as their source', async () => {
    const { service, user } = renderDashboard('/rooms/m1', each => {
      const room = {
        ...{ meetingID: 'm1', roomName: 'Concert', state: 'active', eventType: 'conference', keyType: 'production' },
        ...{ participantCount: 0, externalSessionCount: 0, capacity: 20, createdAt: servedSession.createdAt },
        ...{ expiresAt: '2030-01-01T00:00:00.000Z', endedAt: null, endReason: null },
      };
      each.on('GET /v1/rooms', { room });
      each.on('GET /dashboard/api/rooms/m1/live', { live: { members: [], viewers: [] } });
      for (const many of ['playbacks', 'restreams']) each.onList(`/v1/meetings/m1/${many}`, many, []);
      each.onList('/v1/recordings', 'recordings', []);
      each.onList('/v1/meetings/m1/external-sessions', 'externalSessions', []);
      const broadcast = { broadcastID: 'bcast_1', sourceSessionID: null, state: 'active', layout: 'grid' };
      each.onList('/v1/meetings/m1/broadcasts', 'broadcasts', [{ ...broadcast, renditions: [], endReason: null }]);
    });
    service.on(`POST ${list}`, { restream });
    await user.click(await (await section()).findByRole('button', { name: 'Send to another service' }));
    // A second click on the chosen source keeps it.
    for (const name of ['Whole room, grid', 'Whole room, grid']) {
      await user.click(await screen.findByRole('combobox', { name: 'Media to send' }));
      await user.click(await screen.findByRole('option', { name }));
    }
    await user.type(screen.getByLabelText('Address'), 'rtmps://live.example.com/app');
    await user.type(screen.getByLabelText('Stream key'), key);
    await user.click(screen.getByRole('button', { name: 'Start' }));
    await screen.findByText('The restream starts.');
    expect(service.bodiesTo(`POST ${list}`)).toMatchObject([{ broadcastID: 'bcast_1' }]);
  });
});
