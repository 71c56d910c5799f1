/**
 * @jest-environment jsdom
 * @seconds 5
 */
import { fireEvent } from '@testing-library/react';
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
  endReason: null,
};

/** Lists, finds and creates the room; nothing runs in it. */
function withRoom(service: FakeService): void {
  service.onList('/v1/rooms', 'rooms', [room]);
  for (const many of ['playbacks', 'broadcasts', 'restreams']) service.onList(`/v1/meetings/m1/${many}`, many, []);
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

  it('keeps the chosen state in the address, for a reload and for Back', async () => {
    const { service, user } = renderDashboard('/rooms?state=ended', withRoom);
    expect(await screen.findByRole('radio', { name: 'Ended' })).toHaveProperty('checked', true);
    await user.click(screen.getByRole('radio', { name: 'All' }));
    expect(window.location.search).toBe('?state=all');
    window.history.back();
    await waitFor(() => expect(screen.getByRole('radio', { name: 'Ended' })).toHaveProperty('checked', true));
    await user.click(screen.getByRole('radio', { name: 'Active' }));
    expect(window.location.search).toBe('');
    expect(service.to('GET /v1/rooms')[0]?.query['state']).toBe('ended');
  });

  it('counts places, because encoders take them too', async () => {
    renderDashboard('/rooms', withRoom);
    const table = await screen.findByRole('table', { name: 'Rooms' });
    await screen.findByRole('link', { name: 'Stand-up' });
    expect(table.textContent).toContain('Places taken');
    expect(table.textContent).toContain('1 of 20');
    expect(table.textContent).not.toContain('Participants');
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

  it('refuses values that are out of range, and changes none of them', async () => {
    const { service, user, form, submit } = await openForm();
    const wrong = { 'Length in minutes': '99,999', Capacity: '1', 'Secure code': 'abc' };
    for (const [label, value] of Object.entries({ 'Host name': 'Ada', ...wrong }))
      fireEvent.change(form.getByLabelText(label), { target: { value } });
    await submit();
    for (const message of [
      'Enter 1 to 1,440 minutes.',
      'Enter a whole number from 2 to 100,000.',
      'Enter 5 to 64 characters, or nothing.',
    ])
      expect(await form.findByText(message)).toBeTruthy();
    for (const [label, value] of Object.entries(wrong))
      expect(form.getByLabelText(label)).toHaveProperty('value', value);
    expect(service.to('POST /v1/rooms')).toEqual([]);
    await user.click(form.getByRole('button', { name: 'Cancel' }));
  });

  it('shows a refusal at the field that it names, without the name of the API', async () => {
    const { service, user, form, submit } = await openForm();
    await user.type(form.getByLabelText('Host name'), 'Ada');
    service.on('POST /v1/rooms', () =>
      refusal(400, 'invalid_request', 'userName must be text of 1 to 64 characters. meetingID must be new.'),
    );
    await submit();
    expect(await form.findByText('Must be text of 1 to 64 characters.')).toBeTruthy();
    expect(form.getByLabelText('Host name').getAttribute('aria-invalid')).toBe('true');
    expect(form.getByRole('alert').textContent).toBe('meetingID must be new.');
  });

  it('leads to the sign-in when the session has ended', async () => {
    const { service, user, form, submit } = await openForm();
    await user.type(form.getByLabelText('Host name'), 'Ada');
    service.on('POST /v1/rooms', () => refusal(401, 'invalid_credentials', 'Send your credential in the header …'));
    await submit();
    expect(await screen.findByRole('heading', { name: 'Sign in to the dashboard' })).toBeTruthy();
    expect(screen.queryByText(/Send your credential/)).toBeNull();
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
  it('starts a recording of the whole room', async () => {
    const { service, user } = renderDashboard('/rooms/m1', service => {
      withRoom(service);
      service.on('GET /v1/rooms', { room });
      service.on('POST /v1/recordings', { recording: { recordingID: 'rec_1' } });
    });
    await user.click(await screen.findByRole('button', { name: 'Record room' }));
    expect(await screen.findByText('The recording of the room starts.')).toBeTruthy();
    expect(service.bodiesTo('POST /v1/recordings')).toEqual([{ action: 'start', meetingID: 'm1' }]);
  });

  it('composes the recordings of single sources, and shows why the gateway refuses', async () => {
    const { service, user } = renderDashboard('/rooms/m1', service => {
      withRoom(service);
      service.on('GET /v1/rooms', { room: { ...room, state: 'ended', endReason: 'expired', endedAt: room.expiresAt } });
      service.on('POST /v1/recordings', () => refusal(409, 'recording_not_ready', 'The recording rec_2 has no file.'));
    });
    await user.click(await screen.findByRole('button', { name: 'Compose recordings' }));
    const form = within(await screen.findByRole('dialog', { name: 'Compose recordings' }));
    await user.click(form.getByRole('button', { name: 'Compose' }));
    expect((await form.findByRole('alert')).textContent).toBe('The recording rec_2 has no file.');
    await user.click(form.getByRole('combobox', { name: 'Layout' }));
    await user.click(await screen.findByRole('option', { name: 'One large' }));
    service.on('POST /v1/recordings', { recording: { recordingID: 'rec_3' } });
    await user.click(form.getByRole('button', { name: 'Compose' }));
    expect(await screen.findByText('One file is being made of the recordings.')).toBeTruthy();
    const body = { action: 'compose', meetingID: 'm1' };
    expect(service.bodiesTo('POST /v1/recordings')).toEqual([body, { ...body, layout: 'speaker' }]);
  });

  it('starts a broadcast of the whole room, which has no image for a lost source', async () => {
    const { service, user } = renderDashboard('/rooms/m1', service => {
      withRoom(service);
      service.on('GET /v1/rooms', { room });
      service.on('POST /v1/meetings/m1/broadcasts', { broadcast: { broadcastID: 'bcast_1' } });
    });
    await user.click(await screen.findByRole('button', { name: 'Start a broadcast' }));
    const form = within(await screen.findByRole('dialog', { name: 'Start a broadcast' }));
    expect(form.getByLabelText('Image while the source is lost')).toBeTruthy();
    // A second click on the chosen source keeps it.
    for (const name of ['Whole room, all alike', 'Whole room, all alike']) {
      await user.click(form.getByRole('combobox', { name: 'Media to broadcast' }));
      await user.click(await screen.findByRole('option', { name }));
    }
    expect(form.queryByLabelText('Image while the source is lost')).toBeNull();
    await user.click(form.getByRole('switch', { name: /^Low latency/ }));
    await user.click(form.getByRole('button', { name: 'Start' }));
    expect(await screen.findByText('The broadcast starts.')).toBeTruthy();
    expect(service.bodiesTo('POST /v1/meetings/m1/broadcasts')).toEqual([{ layout: 'grid', latency: 'low' }]);
  });

  beforeEach(() => void Reflect.deleteProperty(navigator, 'mediaDevices'));

  it('says that the room does not exist', async () => {
    renderDashboard('/rooms/m2', service =>
      service.on('GET /v1/rooms', () => refusal(404, 'not_found', 'No such room in this account.')),
    );
    expect((await screen.findByRole('alert')).textContent).toContain('No such room in this account.');
  });

  it('names the way to HTTPS on a page that may not use the camera', async () => {
    const { user } = renderDashboard('/rooms/m1', service => {
      withRoom(service);
      service.on('GET /v1/rooms', { room });
    });
    expect(await screen.findByText('Places taken: 1 of 20')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Publish camera' })).toHaveProperty('disabled', true);
    expect(screen.getByRole('note').textContent).toContain('The camera needs HTTPS or localhost.');
    await user.click(screen.getByRole('link', { name: 'Steps to HTTPS' }));
    expect(await screen.findByRole('heading', { name: 'HTTPS for the camera' })).toBeTruthy();
    expect(screen.getByRole('region', { name: 'Command for the network' }).textContent).toBe('npm start -- --lan');
  });

  it('says why the room has ended, and offers no way to publish', async () => {
    renderDashboard('/rooms/m1', service => {
      withRoom(service);
      service.on('GET /v1/rooms', { room: { ...room, state: 'ended', endReason: 'expired', endedAt: room.expiresAt } });
    });
    expect(await screen.findByText('The time of the room was over. Its sessions and media stay listed.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Publish camera' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'End room' })).toBeNull();
  });
});
