/** @weight 0.25 for 75 s */
import { leaseTtlSeconds } from '@rtms/contracts';
import { EncoderPublisher, waitFor } from '@rtms/testing';
import type { Playback } from './harness/api-client.js';
import { TestBrowser } from './harness/browser.js';
import { HlsPlayer } from './harness/hls-player.js';
import { LoadBalancer } from './harness/load-balancer.js';
import { RoomMember } from './harness/room-member.js';
import { startStack, type Stack } from './harness/stack.js';
import { WhepViewer } from './harness/whep-viewer.js';

/** An outage lasts as long as these segments of a second: longer than two leases of a media node. The nightly run takes 60. */
const segmentsOfOutage = Number(process.env['RTMS_TEST_OUTAGE_SECONDS'] ?? 2 * leaseTtlSeconds + 2);

interface Publisher {
  meetingID: string;
  sessionID: string;
  encoder: EncoderPublisher;
}

const outages: [string, (stack: Stack) => Promise<void>, (stack: Stack) => Promise<void>][] = [
  ['the gateway', async stack => void (await stack.gateway.stop('SIGKILL')), stack => stack.gateway.start()],
  ['the bus', stack => stack.nats.kill(), stack => stack.nats.restart()],
  ['the database', stack => stack.postgres.halt(), stack => stack.postgres.restart()],
];

describe('an outage', () => {
  let stack: Stack;
  let staying: Publisher;
  let broadcastID: string;
  let player: HlsPlayer;
  let viewers: WhepViewer[];
  let playback: Playback;
  const balancers: LoadBalancer[] = [];

  /** One publisher, its broadcast and a viewer stay through all outages. Players and viewers come through load balancers. */
  beforeAll(async () => {
    stack = await startStack({ dedicatedPostgres: true, env: { SEGMENT_SECONDS: '1' } });
    staying = await publish();
    ({ broadcastID } = await stack.api.openBroadcast(staying.meetingID, staying.sessionID));
    const { playbackUrl } = await stack.api.broadcastBecomes(staying.meetingID, broadcastID, 'active');
    const replica = await stack.addTranscoder('transcoder-2');
    player = await HlsPlayer.open(await through(playbackUrl, [replica.url, stack.transcoder.url]));
    const opened = await stack.api.openPlayback(staying.meetingID, staying.sessionID);
    playback = { ...opened, endpoint: await through(opened.endpoint, [stack.sfu.url]) };
    viewers = [await watch()];
  });

  afterAll(async () => {
    for (const viewer of viewers ?? []) viewer.close();
    for (const balancer of balancers) await balancer.close();
    await staying?.encoder.vanish();
    await stack?.close();
  });

  /** The address behind a load balancer that obeys the readiness of its targets. */
  async function through(address: string, targets: string[]): Promise<string> {
    const balancer = new LoadBalancer(targets);
    await balancer.listen();
    balancer.obeyReadiness();
    balancers.push(balancer);
    return address.replace(new URL(address).origin, balancer.url);
  }

  /** As viewers do, it tries again: the load balancer has no ready node while the only one is too busy to say that it is. */
  function watch(): Promise<WhepViewer> {
    return waitFor(() => WhepViewer.watch(playback, { events: false }), { what: 'a viewer to get in' });
  }

  async function publish(): Promise<Publisher> {
    const meetingID = await stack.api.createRoom();
    const { sessionID, ingest } = await stack.api.openSession(meetingID);
    const encoder = await EncoderPublisher.publish(ingest);
    await stack.api.sessionBecomes(meetingID, sessionID, 'active');
    return { meetingID, sessionID, encoder };
  }

  it.each(outages)(
    'of %s stops no media, lets viewers in, loses no event and leaves no ended resource active',
    async (_name, begin, end) => {
      const { api } = stack;
      const leaving = await publish();
      await begin(stack);
      await leaving.encoder.leave();
      await player.grows(segmentsOfOutage);
      viewers.push(await watch());
      for (const viewer of viewers) await viewer.hearsOn();
      await end(stack);
      await stack.gateway.waitUntilReady();
      expect(await api.sessionBecomes(leaving.meetingID, leaving.sessionID, 'ended')).toMatchObject({
        endReason: 'publisher_left',
      });
      expect((await api.session(staying.meetingID, staying.sessionID)).state).toBe('active');
      expect((await api.broadcast(staying.meetingID, broadcastID)).state).toBe('active');
      expect(await player.untilAnswered(() => player.playlist())).not.toContain('#EXT-X-DISCONTINUITY\n');
    },
  );

  it('of the gateway loses and repeats nothing for members of a room', async () => {
    const browser = await TestBrowser.open({ entryPoint: 'test/browser/room-page.ts' });
    try {
      const meetingID = await stack.api.createRoom();
      const join = async (name: string) => RoomMember.join(browser, await stack.api.join(meetingID, name));
      const [ada, grace] = [await join('Ada'), await join('Grace')];
      await ada.publishCamera();
      const camera = await grace.watch(ada.participantID, 'camera');
      await ada.call('sendChat', 'before');
      await stack.gateway.stop('SIGKILL');
      await grace.knows(({ connectionState }) => connectionState === 'reconnecting', 'the loss of the connection');
      const sent = [ada.call('sendChat', 'meanwhile, of Ada'), grace.call('sendChat', 'meanwhile, of Grace')];
      await grace.sees(camera);
      await stack.gateway.start();
      await Promise.all(sent);
      for (const member of [ada, grace]) {
        const { state } = await member.knows(looked => looked.state.chat.length >= 3, 'all messages');
        expect(state.chat.map(({ message }) => message).toSorted()).toEqual([
          'before',
          'meanwhile, of Ada',
          'meanwhile, of Grace',
        ]);
        const heard = member.heard('chat.message');
        expect(new Set(heard.map(event => event['sequence'])).size).toBe(heard.length);
      }
      await grace.sees(camera);
    } finally {
      await browser.close();
    }
  });

  it('lets everything end in order afterwards', async () => {
    await staying.encoder.leave();
    await stack.api.broadcastBecomes(staying.meetingID, broadcastID, 'ended');
    const { endReason } = await stack.api.sessionBecomes(staying.meetingID, staying.sessionID, 'ended');
    expect(endReason).toBe('publisher_left');
  });
});
