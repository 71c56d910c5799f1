/** @jest-environment jsdom */
import axe from 'axe-core';
import { refusal, renderDashboard, screen, waitFor, within, type FakeService } from '../../testing/render-dashboard.js';
import { serveSession } from '../../testing/served-session.js';

const viewersPath = '/v1/meetings/m1/playbacks/play_1/viewers';

const playback = {
  ...{ playbackID: 'play_1', meetingID: 'm1', sourceSessionID: 'ext_1', state: 'active', tracks: ['video'] },
  ...{ viewerCount: 2, createdAt: '2026-01-01T10:00:00.000Z', endReason: null, reason: null },
};
const good = { fault: 'none', reason: 'The viewer receives the media well.' };
const poor = { fault: 'viewer_network', reason: "The viewer's network lost 12 % of the packets." };
const viewer = (viewerID: string, verdict: typeof good, fractionLost: number, frozenMs: number) => {
  const values = { roundTripMs: 41.6, fractionLost, retransmitted: 0, bitrate: 1_200_000, layer: null, delayMs: null };
  const at = '2026-01-01T10:00:10.000Z';
  const times = { firstSampleAt: at, lastSampleAt: at };
  return { viewerID, ...times, frozenMs, ...verdict, samples: [{ at, ...values, frozenMs, ...verdict }] };
};

function withViewers(answer: (query: Record<string, string>) => object) {
  return (service: FakeService): void => {
    serveSession(service, { playbacks: [playback] });
    service.on(`GET ${viewersPath}`, ({ query }) => answer(query));
  };
}

const page = (viewers: object[], nextCursor: string | null = null) => ({
  body: { success: true, viewers, stepSeconds: 10, nextCursor, hasMore: nextCursor !== null },
});

async function open(answer: (query: Record<string, string>) => object) {
  const rendered = renderDashboard('/rooms/m1/sessions/ext_1', withViewers(answer));
  await rendered.user.click(await screen.findByRole('button', { name: 'Show the viewers of playback play_1' }));
  return rendered;
}

/** The texts of each row between the viewer and the bars. */
function cellsOf(table: HTMLElement): (string | null)[][] {
  const [, ...rows] = within(table).getAllByRole('row');
  return rows.map(row => [...row.querySelectorAll('td')].slice(1, -1).map(({ textContent }) => textContent));
}

describe('the viewers of a playback', () => {
  it('have their quality, and whose fault a poor picture is, in an accessible table', async () => {
    await open(() => page([viewer('vwr_1', poor, 0.123, 4_200), viewer('vwr_2', good, 0, 0)]));
    const table = await screen.findByRole('table', { name: 'Viewers' });
    expect(cellsOf(table)).toEqual([
      ["Viewer's networkThe viewer's network lost 12 % of the packets.", '42 ms', '12.3 %', '4.2 s'],
      ['Good', '42 ms', '0 %', '0 s'],
    ]);
    // jsdom draws nothing, so it measures no contrast.
    const { violations } = await axe.run(screen.getByRole('dialog'), {
      rules: { 'color-contrast': { enabled: false } },
    });
    expect(violations.map(({ id }) => id)).toEqual([]);
  });

  it('are shown page by page', async () => {
    const { user, service } = await open(({ after }) =>
      after === undefined ? page([viewer('vwr_1', good, 0, 0)], 'vwr_1') : page([viewer('vwr_2', good, 0, 0)]),
    );
    await user.click(await screen.findByRole('button', { name: 'Show more viewers' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Show more viewers' })).toBeNull());
    expect(within(screen.getByRole('table', { name: 'Viewers' })).getAllByRole('row')).toHaveLength(3);
    expect(service.to(`GET ${viewersPath}`).at(-1)?.query).toEqual({ pageSize: '20', after: 'vwr_1' });
  });

  it('are no longer updated once more than three pages are shown', async () => {
    const { user } = await open(({ after = '0' }) =>
      page([viewer(`vwr_${after}`, good, 0, 0)], `${Number(after) + 1}`),
    );
    for (const shown of [2, 3, 4]) {
      expect(screen.queryByText(/not updated every ten seconds/)).toBeNull();
      await user.click(await screen.findByRole('button', { name: 'Show more viewers' }));
      const rows = () => within(screen.getByRole('table', { name: 'Viewers' })).getAllByRole('row');
      await waitFor(() => expect(rows()).toHaveLength(1 + shown));
    }
    expect(screen.getByText(/not updated every ten seconds/)).toBeTruthy();
  });

  it('give the focus back to the button that showed them', async () => {
    const { user } = await open(() => page([viewer('vwr_1', good, 0, 0)]));
    await screen.findByRole('table', { name: 'Viewers' });
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const button = screen.getByRole('button', { name: 'Show the viewers of playback play_1' });
    await waitFor(() => expect(document.activeElement).toBe(button));
  });

  it('may be none', async () => {
    await open(() => page([]));
    expect(await screen.findByText(/No viewer was measured/)).toBeTruthy();
  });

  it('cannot be read, which the dialog says', async () => {
    await open(() => refusal(503, 'controller_unavailable', 'Try again later.'));
    expect((await within(await screen.findByRole('dialog')).findByRole('alert')).textContent).toContain('Try again');
  });
});

describe('the viewers of a broadcast', () => {
  const broadcast = {
    ...{ broadcastID: 'bcast_1', meetingID: 'm1', sourceSessionID: 'ext_1', state: 'active', renditions: [] },
    ...{ slate: null, latency: 'normal', dvrSeconds: 0, createdAt: '2026-01-01T10:00:00.000Z', endReason: null },
  };
  const viewer = (viewerID: string, verdict: typeof good, stalls: number, measured: object) => {
    const at = '2026-01-01T10:00:10.000Z';
    const times = { firstSampleAt: at, lastSampleAt: at };
    return { viewerID, ...times, stalls, ...verdict, samples: [{ at, stalls, ...measured, ...verdict }] };
  };

  it('have their buffers, rates and stalls in a table', async () => {
    const poorPlayer = { bufferMs: 440, throughput: 700_000, bitrate: 1_600_000 };
    const silentPlayer = { bufferMs: null, throughput: null, bitrate: null };
    const viewers = [viewer('vwr_1', poor, 2, poorPlayer), viewer('vwr_2', good, 0, silentPlayer)];
    const { user } = renderDashboard('/rooms/m1/sessions/ext_1', service => {
      serveSession(service, { broadcasts: [broadcast] });
      service.on('GET /v1/meetings/m1/broadcasts/bcast_1/viewers', () => page(viewers));
    });
    await user.click(await screen.findByRole('button', { name: 'Show the viewers of broadcast bcast_1' }));
    const table = await screen.findByRole('table', { name: 'Viewers' });
    expect(cellsOf(table)).toEqual([
      ["Viewer's networkThe viewer's network lost 12 % of the packets.", '0.4 s', '1.6 Mbit/s', '0.7 Mbit/s', '2'],
      ['Good', '–', '–', '–', '0'],
    ]);
  });
});
