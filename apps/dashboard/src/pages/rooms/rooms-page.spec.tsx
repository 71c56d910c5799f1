/** @jest-environment jsdom */
import { refusal, renderDashboard, screen, waitFor, within, type FakeService } from '../../testing/render-dashboard.js';

const room = {
  meetingID: 'm1',
  roomName: 'Stand-up',
  hostName: 'Ada',
  state: 'active',
  eventType: 'conference',
  keyType: 'sandbox',
  participantCount: 1,
  externalSessionCount: 0,
  capacity: 20,
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-01T01:00:00.000Z',
  endedAt: null,
};

/** Lists, finds and creates the room; nothing runs in it. */
function withRoom(service: FakeService): void {
  service.onList('/v1/rooms', 'rooms', [room]);
  for (const many of ['playbacks', 'broadcasts']) service.onList(`/v1/meetings/m1/${many}`, many, []);
  service.onList('/v1/meetings/m1/external-sessions', 'externalSessions', []);
  service.onList('/v1/recordings', 'recordings', []);
  service.on('GET /dashboard/api/rooms/m1/live', { live: { members: [], viewers: [] } });
}

describe('the list of rooms', () => {
  it('shows active rooms first, and others when they are chosen', async () => {
    const { service, user } = renderDashboard('/rooms', withRoom);
    const link = await screen.findByRole('link', { name: 'Stand-up' });
    expect(link.getAttribute('href')).toBe('/dashboard/rooms/m1');
    await user.click(screen.getByRole('radio', { name: 'Ended' }));
    await user.click(screen.getByRole('radio', { name: 'All' }));
    const states = () => [...new Set(service.to('GET /v1/rooms').map(({ query }) => query['state']))];
    await waitFor(() => expect(states()).toEqual(['active', 'ended', undefined]));
  });

  it('ends a room after a confirmation', async () => {
    const { service, user } = renderDashboard('/rooms', withRoom);
    service.on('POST /v1/rooms', { success: true });
    await user.click(await screen.findByRole('button', { name: 'End Stand-up' }));
    const question = within(await screen.findByRole('dialog', { name: 'End this room?' }));
    expect(service.to('POST /v1/rooms')).toEqual([]);
    await user.click(question.getByRole('button', { name: 'End room' }));
    expect(await screen.findByText('The room was ended.')).toBeTruthy();
    expect(service.bodiesTo('POST /v1/rooms')).toEqual([{ action: 'end', meetingID: 'm1' }]);
  });
});

describe('the form of a room', () => {
  const openForm = async () => {
    const dashboard = renderDashboard('/rooms', withRoom);
    await dashboard.user.click(await screen.findByRole('button', { name: 'Create room' }));
    const form = within(await screen.findByRole('dialog', { name: 'Create room' }));
    return {
      ...dashboard,
      form,
      submit: () => dashboard.user.click(form.getByRole('button', { name: 'Create room' })),
    };
  };

  it('requires the name of the host', async () => {
    const { service, form, submit } = await openForm();
    await submit();
    expect(await form.findByText('Enter a name.')).toBeTruthy();
    expect(service.to('POST /v1/rooms')).toEqual([]);
  });

  it('leaves empty fields out, and opens the new room', async () => {
    const { service, user, form, submit } = await openForm();
    await user.type(form.getByLabelText('Host name'), 'Ada');
    service.on('POST /v1/rooms', { room });
    service.on('GET /v1/rooms', ({ query }: { query: Record<string, string> }) =>
      query['action'] === 'get' ? { body: { room } } : refusal(403, 'any', 'Not a list.'),
    );
    await submit();
    expect(await screen.findByRole('heading', { name: 'Stand-up', level: 1 })).toBeTruthy();
    expect(window.location.pathname).toBe('/dashboard/rooms/m1');
    expect(service.bodiesTo('POST /v1/rooms')).toEqual([
      { action: 'create', userName: 'Ada', duration: 60, capacity: 20, recordOnStart: false },
    ]);
  });
});

describe('the page of a room', () => {
  it('says that the room does not exist', async () => {
    renderDashboard('/rooms/m2', service =>
      service.on('GET /v1/rooms', () => refusal(404, 'not_found', 'No such room in this account.')),
    );
    expect((await screen.findByRole('alert')).textContent).toContain('No such room in this account.');
  });

  it('offers no way to publish into a room that has ended', async () => {
    renderDashboard('/rooms/m1', service => {
      withRoom(service);
      service.on('GET /v1/rooms', { room: { ...room, state: 'ended', endedAt: room.expiresAt } });
    });
    expect(await screen.findByText('This room has ended. Its sessions and media stay listed.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Publish camera' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'End room' })).toBeNull();
  });
});
