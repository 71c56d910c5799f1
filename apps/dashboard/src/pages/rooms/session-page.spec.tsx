/** @jest-environment jsdom */
import type { RtmsPlayerElement } from '@rtms/player';
import { fireEvent } from '@testing-library/react';
import { watchLink } from '../../media/hand-over/watch-link.js';
import {
  FakeEvents,
  refusal,
  renderDashboard,
  screen,
  waitFor,
  within,
  type FakeService,
} from '../../testing/render-dashboard.js';
import { servedSession as session, serveSession } from '../../testing/served-session.js';

const path = '/v1/meetings/m1/external-sessions/ext_1';
const page = '/rooms/m1/sessions/ext_1';
const tokenExpiresAt = () => new Date(Date.now() + 300_000).toISOString();

const sampleAt = (at: string, bitrate: number) => ({
  ...{ at, bitrate, fractionLost: 0.015, jitterMs: 2, roundTripMs: null, frameRate: 25 },
});
const history = {
  sessionID: 'ext_1',
  from: '2026-01-01T10:00:00.000Z',
  to: '2026-01-01T10:01:00.000Z',
  stepSeconds: 10,
  samples: [sampleAt('2026-01-01T10:00:10.000Z', 1_500_000), sampleAt('2026-01-01T10:00:40.000Z', 900_000)],
  events: [
    { at: '2026-01-01T10:00:05.000Z', state: 'active', reason: null },
    { at: '2026-01-01T10:00:20.000Z', state: 'pending', reason: 'publisher_lost' },
  ],
};

function withSession(service: FakeService, changes: Partial<typeof session> = {}): void {
  serveSession(service, { session: { ...session, ...changes }, history });
}

describe('the page of a session', () => {
  it('draws the media over time, with the numbers as a table', async () => {
    const { user } = renderDashboard(page, withSession);
    const chart = within(await screen.findByRole('region', { name: 'Bitrate' }));
    expect(chart.getByText('Last 900 kbit/s, lowest 900 kbit/s, highest 1,500 kbit/s')).toBeTruthy();
    await user.click(chart.getByRole('button', { name: 'Show as a table' }));
    const cells = chart.getAllByRole('row').map(row => row.lastElementChild?.textContent);
    expect(cells).toEqual(['kbit/s', '–', '1,500', '–', '–', '900', '–']);
    expect(within(screen.getByRole('region', { name: 'Packet loss' })).getByText(/Last 1\.5 %/)).toBeTruthy();
    expect(within(screen.getByRole('region', { name: 'Delay of the network' })).getByText(/Not measured/)).toBeTruthy();
  });

  it('says what happened in plain words, the newest first', async () => {
    renderDashboard(page, withSession);
    const events = await screen.findByRole('region', { name: 'What happened' });
    await within(events).findByText(/No media arrives from the publisher/);
    const titles = [...events.querySelectorAll('.mantine-Timeline-itemTitle')].map(each => each.textContent);
    expect(titles).toEqual(['Waiting for the publisher', 'Live', 'Created']);
  });

  it('lists only media of the session', async () => {
    const { service } = renderDashboard(page, withSession);
    const lists = ['/v1/meetings/m1/playbacks', '/v1/meetings/m1/broadcasts', '/v1/recordings'];
    const isListed = (list: string) =>
      service.to(`GET ${list}`).some(({ query }) => query['sourceSessionID'] === 'ext_1' && query['pageSize'] === '5');
    await waitFor(() => expect(lists.filter(isListed)).toEqual(lists));
  });

  it('follows the state of the session, and says why it ended', async () => {
    const { service } = renderDashboard(page, withSession);
    await screen.findByRole('button', { name: 'Create a share link' });
    withSession(service, { state: 'ended', endedAt: '2026-01-01T11:00:00.000Z', endReason: 'publisher_lost' });
    FakeEvents.current.ready();
    FakeEvents.current.change('externalSession');
    await screen.findByText(/Why it ended: The publisher was lost/);
    expect(screen.queryByRole('button', { name: 'Create a share link' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Show commands with a new token' })).toBeNull();
  });

  it('says that the session does not exist', async () => {
    renderDashboard(page, service =>
      service.on(`GET ${path}`, () => refusal(404, 'not_found', 'There is no such session.')),
    );
    expect((await screen.findByRole('alert')).textContent).toContain('There is no such session.');
  });
});

describe('a hand-over', () => {
  it('to an encoder has its commands, with a token that counts down and can be renewed', async () => {
    const { service, user } = renderDashboard(page, withSession);
    let issued = 0;
    service.on(`POST ${path}`, () => {
      const ingest = { ...session.ingest, token: `token-${++issued}`, tokenExpiresAt: tokenExpiresAt() };
      return { body: { externalSession: { ...session, ingest } } };
    });
    await user.click(await screen.findByRole('button', { name: 'Show commands with a new token' }));
    const section = within(screen.getByRole('region', { name: 'For the encoder' }));
    const token = await section.findByLabelText<HTMLInputElement>('Bearer token');
    expect(token.value).toBe('token-1');
    expect(section.getByRole('timer').textContent).toMatch(/^The token can be used for (?:5:00|[0-4]:[0-5]\d) more\.$/);
    for (const [tab, text] of [
      ['FFmpeg', '-authorization'],
      ['GStreamer', 'whipclientsink'],
      ['Browser', 'getUserMedia'],
    ] as const) {
      await user.click(section.getByRole('tab', { name: tab }));
      expect((await section.findByText(new RegExp(text))).textContent).toContain('token-1');
    }
    await user.click(section.getByRole('button', { name: 'New token' }));
    await waitFor(() => expect(token.value).toBe('token-2'));
    expect(service.bodiesTo(`POST ${path}`)).toEqual([{ action: 'renewToken' }, { action: 'renewToken' }]);
  });

  it('to an encoder of SRT replaces its secret on request, and says why the last encoder failed', async () => {
    const { service, user } = renderDashboard(page, each => {
      withSession(each);
      const ingest = { protocol: 'srt', mode: 'listener', tracks: ['video'], problem: 'wrong_passphrase' };
      each.on(`GET ${path}`, { externalSession: { ...session, ingest } });
      const access = { url: 'srt://ingest.example.com:9000?streamid=ext_1', passphrase: 'pass-2', latencyMs: 120 };
      const issued = { ...ingest, ...access, tokenExpiresAt: tokenExpiresAt() };
      each.on(`POST ${path}`, { externalSession: { ...session, ingest: issued } });
    });
    expect(await screen.findByText('Why the last encoder failed')).toBeTruthy();
    expect(screen.getByText(/^The passphrase is wrong/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Replace the secret and show it' }));
    const section = within(screen.getByRole('region', { name: 'For the encoder' }));
    expect((await section.findByLabelText<HTMLInputElement>('Passphrase')).value).toBe('pass-2');
    expect(section.getByRole('timer').textContent).toMatch(/^The unused passphrase can be used for/);
    expect(service.bodiesTo(`POST ${path}`)).toEqual([{ action: 'renewToken' }]);
  });

  it('to players has a link, addresses and a snippet', async () => {
    const { service, user } = renderDashboard(page, withSession);
    const hls = 'https://hls.example.com/hls/bcast_1/index.m3u8?token=h';
    const broadcast = { broadcastID: 'bcast_1', state: 'active', renditions: [], endReason: null, playbackUrl: hls };
    service.onList('/v1/meetings/m1/broadcasts', 'broadcasts', [broadcast]);
    service.on('POST /v1/meetings/m1/playbacks', {
      playback: {
        ...{ playbackID: 'play_1', endpoint: 'https://sfu.example.com/whep/play_1', token: 'secret' },
        ...{ tracks: ['video'], tokenExpiresAt: tokenExpiresAt() },
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Create a share link' }));
    const link = new URL((await screen.findByLabelText<HTMLInputElement>('Share link')).value);
    expect(link.pathname + link.search).toBe('/dashboard/watch');
    expect(screen.getByLabelText<HTMLInputElement>('HLS address').value).toBe(hls);
    expect(screen.getByRole('region', { name: 'Embed snippet' }).textContent).toContain('<iframe src="');
    expect(service.bodiesTo('POST /v1/meetings/m1/playbacks')).toEqual([
      { sourceSessionID: 'ext_1', tracks: ['video'], payloadMatching: 'adaptive' },
    ]);
    expect(screen.queryByRole('button', { name: 'Start a broadcast for HLS players' })).toBeNull();
  });

  it('to HLS players needs a broadcast, which a button starts', async () => {
    const { service, user } = renderDashboard(page, withSession);
    service.on('POST /v1/meetings/m1/broadcasts', { broadcast: { broadcastID: 'bcast_1' } });
    await user.click(await screen.findByRole('button', { name: 'Start a broadcast for HLS players' }));
    expect(await screen.findByText('The broadcast starts.')).toBeTruthy();
    expect(service.bodiesTo('POST /v1/meetings/m1/broadcasts')).toEqual([{ sourceSessionID: 'ext_1' }]);
  });
});

describe('the form of a broadcast', () => {
  it('sends how far viewers can seek back, and the image for a lost source', async () => {
    const { service, user } = renderDashboard(page, withSession);
    service.on('POST /v1/meetings/m1/broadcasts', { broadcast: { broadcastID: 'bcast_1' } });
    await user.click(await screen.findByRole('button', { name: 'Start a broadcast' }));
    const form = within(await screen.findByRole('dialog', { name: 'Start a broadcast' }));
    const [minutes, image] = ['Minutes that viewers can seek back', 'Image while the source is lost'].map(label =>
      form.getByLabelText(label),
    ) as [HTMLElement, HTMLElement];
    const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
    type(minutes, '241');
    type(image, 'back-soon.png');
    const start = () => user.click(form.getByRole('button', { name: 'Start' }));
    await start();
    expect(await form.findByText('Enter 0 to 240 minutes.')).toBeTruthy();
    expect(form.getByText('Enter a web address, such as https://…')).toBeTruthy();
    type(minutes, '30');
    type(image, 'https://www.example.com/back-soon.png');
    await start();
    await screen.findByText('The broadcast starts.');
    expect(service.bodiesTo('POST /v1/meetings/m1/broadcasts')).toEqual([
      { sourceSessionID: 'ext_1', dvrSeconds: 1800, slate: { imageUrl: 'https://www.example.com/back-soon.png' } },
    ]);
  });
});

describe('the page of a share link', () => {
  it('asks for a new link when the link is not complete, without any request', async () => {
    const { service } = renderDashboard('/watch', () => undefined, null);
    expect((await screen.findByRole('alert')).textContent).toContain('Ask for a new link.');
    expect(service.requests).toEqual([]);
  });

  it('gives the player an HLS address that outlasts the token of the link', async () => {
    const signed = '1000/2000/key-1/signature';
    const hls = 'https://hls.example.com/hls/bcast_1/index.m3u8?token=h';
    const withPlaylist = (service: FakeService) =>
      void service.on('GET /hls/bcast_1/index.m3u8', () => ({ text: `#EXTM3U\n${signed}/v1/index.m3u8\n` }));
    renderDashboard(`/watch${new URL(watchLink({ hls })).hash}`, withPlaylist, null);
    await waitFor(() => expect(document.querySelector('rtms-player')).not.toBeNull());
    const player = document.querySelector<RtmsPlayerElement>('rtms-player');
    const lasting = `https://hls.example.com/hls/bcast_1/${signed}/index.m3u8`;
    await waitFor(async () => expect(await player?.renew?.()).toEqual({ hls: lasting }));
  });
});
