/**
 * @jest-environment jsdom
 * @seconds 4
 */
import { jest } from '@jest/globals';
import type { LiveAnswer, LiveSession } from '@rtms/contracts';
import { act, fireEvent } from '@testing-library/react';
import { FakeMedia } from '../../testing/fake-media.js';
import {
  FakeEvents,
  refusal,
  renderDashboard,
  screen,
  waitFor,
  within,
  type FakeService,
} from '../../testing/render-dashboard.js';

const minutesLeft = { meetingMinutes: 1_234, recordingMinutes: 7 };
const overview = {
  ...{ from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z', bucket: 'hour', points: [] },
  now: {
    ...{ roomsActive: 1, participants: 0, externalSessionsActive: 1, viewers: 3, broadcastsActive: 1 },
    ...{ recordingsRunning: 0, minutesLeft: { sandbox: minutesLeft, production: minutesLeft } },
  },
};
const session: LiveSession = {
  ...{ sessionID: 'ext_1', meetingID: 'm1', displayName: 'Stage', roomName: 'Concert', health: ['high_loss'] },
  ...{ viewers: 3, broadcasts: 1, recordings: 0, activatedAt: '2026-01-01T00:00:00.000Z', thumbnail: '/picture-1' },
};
const allDone = { key: true, room: true, publish: true, watch: true, broadcast: true };

function withLive(live: Partial<LiveAnswer['live']> = {}) {
  return (service: FakeService) => {
    service.on('GET /dashboard/api/overview', { success: true, overview });
    service.on('GET /dashboard/api/overview/live', {
      success: true,
      live: { sessions: [], total: 0, steps: allDone, ...live },
    });
  };
}

describe('the overview', () => {
  it('lists live sessions with picture, viewers and health, each with a link to its page', async () => {
    renderDashboard('/', withLive({ sessions: [session], total: 30 }));
    const picture = await screen.findByRole('img', { name: 'Picture of Stage' });
    expect(picture.getAttribute('src')).toBe('/picture-1');
    const card = picture.closest('a');
    expect(card?.getAttribute('href')).toBe('/dashboard/rooms/m1/sessions/ext_1');
    for (const text of ['Concert · 3 viewers', 'Many packets are lost', 'HLS']) {
      expect(card?.textContent).toContain(text);
    }
    expect(screen.getByText('29 more sessions in other rooms. These are the newest.')).toBeTruthy();
  });

  it('shows a picture that takes longer than the interval, and then the newest one', async () => {
    // Loads the parts of the page that it imports, so that the time of the fake timers does not depend on the machine.
    await Promise.all([import('../../frame/frame.js'), import('./overview-page.js')]);
    const { setTimeout: realTimeout } = window;
    jest.useFakeTimers();
    try {
      let count = 0;
      renderDashboard('/', service => {
        withLive()(service);
        service.on('GET /dashboard/api/overview/live', () => {
          count += 1;
          const sessions = [{ ...session, thumbnail: `/picture-${count}` }];
          return { body: { success: true, live: { sessions, total: 1, steps: allDone } } };
        });
      });
      let picture: HTMLElement | null = null;
      while (!picture) {
        await act(() => jest.advanceTimersByTimeAsync(1));
        await act(() => new Promise(resolve => realTimeout(resolve, 0)));
        picture = screen.queryByRole('img', { name: 'Picture of Stage' });
      }
      await act(() => jest.advanceTimersByTimeAsync(25_000));
      expect([count, picture.getAttribute('src')]).toEqual([3, '/picture-1']);
      fireEvent.load(picture);
      await act(() => jest.advanceTimersByTimeAsync(0));
      expect(picture.getAttribute('src')).toBe('/picture-3');
    } finally {
      jest.useRealTimers();
    }
  });

  it('leads to the counted things by its cards', async () => {
    renderDashboard('/', withLive());
    const now = within(await screen.findByRole('region', { name: 'Now' }));
    const linkOf = (name: RegExp) => now.getByRole('link', { name }).getAttribute('href');
    expect([linkOf(/^Rooms/), linkOf(/^Recordings/)]).toEqual(['/dashboard/rooms', '/dashboard/logs']);
  });

  it('shows the first steps until the first broadcast', async () => {
    const steps = { ...allDone, watch: false, broadcast: false };
    const { service } = renderDashboard('/', withLive({ steps }));
    const list = within(await screen.findByRole('region', { name: 'Getting started' }));
    const marks = list.getAllByRole('img').map(mark => mark.getAttribute('aria-label'));
    expect(marks).toEqual(['Done', 'Done', 'Done', 'To do']);
    expect(service.unexpected).toEqual([]);
  });

  it('shows no first steps after the first broadcast', async () => {
    renderDashboard('/', withLive());
    await screen.findByText('Nothing is live');
    expect(screen.queryByRole('region', { name: 'Getting started' })).toBeNull();
  });
});

describe('going live in this browser', () => {
  const room = {
    ...{ meetingID: 'm1', roomName: null, hostName: 'Browser camera', state: 'active', eventType: 'conference' },
    ...{ keyType: 'sandbox', participantCount: 0, externalSessionCount: 0, capacity: 20, endedAt: null },
    ...{ createdAt: '2026-01-01T00:00:00.000Z', expiresAt: '2026-01-01T01:00:00.000Z' },
  };
  const published = {
    ...{ sessionID: 'ext_1', meetingID: 'm1', displayName: 'Browser camera', state: 'active', tracks: [], health: [] },
    ingest: { protocol: 'whip', tracks: [], url: 'http://sfu.test/whip/ext_1', token: 'token-1' },
  };
  const sessionPath = '/v1/meetings/m1/external-sessions';

  let media: FakeMedia;
  beforeEach(() => {
    media = FakeMedia.install();
  });

  const open = () =>
    renderDashboard('/', service => {
      withLive()(service);
      service
        .on('POST /v1/rooms', { success: true, room })
        .on('POST /whip/ext_1', () => ({ headers: { Location: '/whip/r' } }));
      service.on('GET /v1/rooms', { success: true, room }).on('DELETE /whip/r', {});
      service
        .onList(sessionPath, 'externalSessions', [{ ...published, state: 'pending' }])
        .onList('/v1/recordings', 'recordings', []);
      service.on(`POST ${sessionPath}`, { success: true, externalSession: published });
      service.on(`GET ${sessionPath}/ext_1`, { success: true, externalSession: published });
      for (const many of ['playbacks', 'broadcasts', 'restreams']) service.onList(`/v1/meetings/m1/${many}`, many, []);
      service.on('GET /dashboard/api/rooms/m1/live', { live: { members: [], viewers: [] } });
      service.onList('/v1/domains', 'domains', []);
    });

  it('takes one click to a room with the camera', async () => {
    const { service, user } = open();
    await user.click(await screen.findByRole('button', { name: 'Go live in this browser' }));
    expect(await screen.findByRole('button', { name: 'Stop publishing' })).toBeTruthy();
    expect(window.location.pathname).toBe('/dashboard/rooms/m1');
    expect(service.to('POST /v1/rooms')).toHaveLength(1);
    expect(service.bodiesTo(`POST ${sessionPath}`)).toMatchObject([{ ingest: { protocol: 'whip' } }]);
  });

  it('continues on other pages, and asks before the page is left', async () => {
    const { service, user } = open();
    await user.click(await screen.findByRole('button', { name: 'Go live in this browser' }));
    await screen.findByRole('heading', { name: 'Unnamed room' });
    await user.click(screen.getByRole('link', { name: 'Domains' }));
    const bar = within(await screen.findByRole('contentinfo', { name: 'Publishing' }));
    expect((await bar.findByRole('status')).textContent).toBe('Live');
    expect(bar.getByRole('link', { name: 'Your camera' }).getAttribute('href')).toBe('/dashboard/rooms/m1');
    expect([media.isCameraOn, asksBeforeLeaving()]).toEqual([true, true]);

    await user.click(bar.getByRole('button', { name: 'Stop publishing' }));
    await waitFor(() => expect(service.to('DELETE /whip/r')).toHaveLength(1));
    expect(screen.queryByRole('contentinfo', { name: 'Publishing' })).toBeNull();
    expect([media.isCameraOn, asksBeforeLeaving()]).toEqual([false, false]);
  });

  it('stops the camera when the service ends the session', async () => {
    const { service, user } = open();
    await user.click(await screen.findByRole('button', { name: 'Go live in this browser' }));
    await screen.findByRole('button', { name: 'Stop publishing' });
    service.on(`GET ${sessionPath}/ext_1`, {
      success: true,
      externalSession: { ...published, state: 'ended', endReason: 'room_ended' },
    });
    FakeEvents.current.ready();
    FakeEvents.current.change('externalSession');
    expect(await screen.findByText('The room ended.')).toBeTruthy();
    expect(media.isCameraOn).toBe(false);
  });

  it('creates no room without a camera', async () => {
    const { service, user } = open();
    media.refusal = new Error('NotAllowedError');
    await user.click(await screen.findByRole('button', { name: 'Go live in this browser' }));
    expect((await screen.findByRole('alert')).textContent).toContain('cannot use the camera');
    expect(service.to('POST /v1/rooms')).toEqual([]);
  });

  it('stops the camera when the service refuses the session', async () => {
    const { service, user } = open();
    service.on(`POST ${sessionPath}`, () => refusal(403, 'limit_reached', 'The account has too many sessions.'));
    await user.click(await screen.findByRole('button', { name: 'Go live in this browser' }));
    expect((await screen.findByRole('alert')).textContent).toContain('too many sessions');
    expect([media.isCameraOn, asksBeforeLeaving()]).toEqual([false, false]);
  });
});

function asksBeforeLeaving(): boolean {
  const leaving = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(leaving);
  return leaving.defaultPrevented;
}
