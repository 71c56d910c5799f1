/** @jest-environment jsdom */
import '../testing/browser.js';
import { MantineProvider } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLiveUpdates } from '../api/live-updates.js';
import { FakeEvents } from '../testing/fake-events.js';
import { FakeService } from '../testing/fake-service.js';
import { useMedia, type OpenMedia } from './use-media.js';
import { VideoPanel } from './video-panel.js';

const meetingID = 'm1';
const session = { kind: 'externalSession', meetingID, id: 'ext_1' } as const;
const playback = { kind: 'playback', meetingID, id: 'play_1' } as const;

function Player({ open }: { open: OpenMedia<void> }) {
  useLiveUpdates();
  const media = useMedia(open);
  return (
    <VideoPanel
      {...{ title: 'Player', text: '', videoLabel: 'Video', media, startLabel: 'Watch', stopLabel: 'Stop' }}
      startIcon={IconPlayerPlay}
      onStart={() => media.start()}
    />
  );
}

describe('the badge of a player', () => {
  const states: Record<string, object> = {};
  let closed: number;
  let place: Parameters<OpenMedia<void>>[1];

  beforeEach(async () => {
    closed = 0;
    FakeEvents.install();
    Object.assign(states, {
      ext_1: { state: 'active', endReason: null },
      play_1: { state: 'active', endReason: null },
      play_2: { state: 'active', endReason: null },
    });
    new FakeService()
      .install()
      .on('GET /v1/meetings/m1/external-sessions/ext_1', () => ({ body: { externalSession: states['ext_1'] } }))
      .on('GET /v1/meetings/m1/playbacks/play_1', () => ({ body: { playback: states['play_1'] } }))
      .on('GET /v1/meetings/m1/playbacks/play_2', () => ({ body: { playback: states['play_2'] } }));
    const open: OpenMedia<void> = (_, given) => {
      place = given;
      place.follow([session, playback]);
      return Promise.resolve({ close: () => closed++ });
    };
    render(
      <MantineProvider env="test">
        <QueryClientProvider client={new QueryClient()}>
          <Player open={open} />
        </QueryClientProvider>
      </MantineProvider>,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Watch' }));
    await screen.findByText('Live');
    FakeEvents.current.ready();
  });
  afterEach(cleanup);

  it('follows the source, which may come back', async () => {
    states['ext_1'] = { state: 'pending', endReason: null };
    FakeEvents.current.change('externalSession');
    await screen.findByText('Waiting for the source');
    states['ext_1'] = { state: 'active', endReason: null };
    FakeEvents.current.change('externalSession');
    await screen.findByText('Live');
    expect(closed).toBe(0);
  });

  it('goes with the source, and the player says why', async () => {
    states['ext_1'] = { state: 'ended', endReason: 'publisher_left' };
    states['play_1'] = { state: 'ended', endReason: 'source_ended' };
    FakeEvents.current.change('externalSession', 'playback');
    expect((await screen.findByText('Ended')).closest('[role=status]')?.textContent).toContain(
      'The publisher stopped.',
    );
    expect(screen.queryByText('Live')).toBeNull();
    expect(closed).toBe(1);
  });

  it('goes when only the playback ends', async () => {
    states['play_1'] = { state: 'ended', endReason: 'requested' };
    FakeEvents.current.change('playback');
    await screen.findByText('It was ended on request.');
    expect(screen.getByRole('button', { name: 'Watch' })).toBeTruthy();
  });

  it('follows a new playback in place of the former one, and nothing after the end', async () => {
    act(() => place.follow([session, { ...playback, id: 'play_2' }]));
    states['play_1'] = { state: 'ended', endReason: 'viewer_lost' };
    states['ext_1'] = { state: 'pending', endReason: null };
    FakeEvents.current.change('playback', 'externalSession');
    await screen.findByText('Waiting for the source');
    states['play_2'] = { state: 'ended', endReason: 'requested' };
    FakeEvents.current.change('playback');
    await screen.findByText('It was ended on request.');
    act(() => place.follow([{ ...playback, id: 'play_1' }]));
    expect([closed, screen.queryByText('The last viewer was lost and did not come back in time.')]).toEqual([1, null]);
  });
});
