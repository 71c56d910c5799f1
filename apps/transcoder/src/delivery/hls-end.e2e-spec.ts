import { MemoryBus } from '@rtms/bus';
import { endpointState, type EndpointQuestion, type EndpointState } from '@rtms/contracts';
import { ManualClock } from '@rtms/testing';
import { publishRun, startOrigin, type Origin } from '../../../../test/media/start-origin.js';
import { sizes, TestBroadcast } from './testing/test-broadcast.js';

const windowMs = 6_000;

describe('the addresses of a broadcast after its end', () => {
  let clock: ManualClock;
  let broadcast: TestBroadcast;
  let segment: string;
  let gateway: MemoryBus;
  let asked: EndpointQuestion[];

  beforeEach(async () => {
    clock = new ManualClock();
    broadcast = await TestBroadcast.open({ clock, isOnBus: false });
    segment = await broadcast.firstSegment();
    gateway = new MemoryBus(broadcast.broker);
    asked = [];
  });
  afterEach(() => broadcast.close());

  const gatewaySays = (state: EndpointState) =>
    gateway.respond(endpointState, question => {
      asked.push(question);
      return Promise.resolve({ state });
    });
  const playlists = () => [
    `${broadcast.entry}?token=${broadcast.token}`,
    `${broadcast.signed}/index.m3u8`,
    `${broadcast.signed}/180p/index.m3u8`,
  ];
  /** Status and `Retry-After`. */
  const answer = async (path: string, on?: Origin) => {
    const { status, headers } = await broadcast.get(path, on);
    return [status, headers['retry-after']];
  };
  /** Those of all addresses of a player. */
  const answers = (on?: Origin) => Promise.all([...playlists(), segment].map(path => answer(path, on)));
  /** Only a player that had a playlist sends a directive. */
  const next = () => `${broadcast.signed}/180p/index.m3u8?_HLS_msn=4`;
  const [later, gone] = [
    [404, '2'],
    [404, undefined],
  ];

  it('answer playlists with an end tag for one window, then 404 without Retry-After', async () => {
    await gatewaySays('ended');
    broadcast.origin.registry.retire(broadcast.presentation);
    await clock.advance(windowMs - 1);
    expect(await answers()).toEqual(Array(4).fill([200, undefined]));
    const { text } = await broadcast.get(`${broadcast.signed}/180p/index.m3u8`);
    expect(text).toMatch(/#EXT-X-ENDLIST\n$/);
    expect(asked).toEqual([]);
    await clock.advance(1);
    expect(await answers()).toEqual(Array(4).fill(gone));
    const { body } = await broadcast.get(playlists()[1]!);
    expect(body).toMatchObject({ success: false, code: 'NOT_FOUND', reason: 'not_found' });
    expect(body.error).toContain('ended');
  });

  it('answer 404 without Retry-After at a transcoder that no longer has the broadcast, as after a restart', async () => {
    await gatewaySays('ended');
    const restarted = await startOrigin(broadcast.verifier, { bus: new MemoryBus(broadcast.broker), clock });
    expect([...(await answers(restarted)), await answer(next(), restarted)]).toEqual(Array(5).fill(gone));
    await restarted.close();
  });

  it('make a transcoder ask a gateway once about an ended broadcast', async () => {
    await gatewaySays('ended');
    await broadcast.origin.registry.remove(broadcast.presentation);
    await answers();
    await clock.advance(60_000);
    await answers();
    expect(asked).toEqual([{ protocol: 'hls', resourceID: 'bcast_1' }]);
  });

  it.each(['live', 'unknown'] as const)(
    'let players ask again while a broadcast that no transcoder has is %s',
    async state => {
      await gatewaySays(state);
      await broadcast.origin.registry.remove(broadcast.presentation);
      expect(await answers()).toEqual([later, later, later, gone]);
      expect(await answer(next())).toEqual([503, '2']);
    },
  );

  it('answer with Retry-After while no gateway answers', async () => {
    await broadcast.origin.registry.remove(broadcast.presentation);
    expect(await answers()).toEqual([later, later, later, gone]);
  });

  it('follow the gateway half a second after a live broadcast ended', async () => {
    const live = await gatewaySays('live');
    await broadcast.origin.registry.remove(broadcast.presentation);
    expect(await answers()).toEqual([later, later, later, gone]);
    await live.close();
    await gatewaySays('ended');
    await clock.advance(501);
    expect(await answers()).toEqual(Array(4).fill(gone));
  });

  it('answer 404 once the registry has removed the broadcast', async () => {
    await broadcast.origin.registry.remove(broadcast.presentation);
    expect((await broadcast.get(segment)).status).toBe(404);
    expect((await broadcast.get(`${broadcast.entry}?token=${broadcast.token}`)).status).toBe(404);
  });

  it('lead to a broadcast that the registry keeps for one window', async () => {
    const short = await broadcast.origin.present('bcast_short', { segmentSeconds: 2, windowSegments: 3 });
    await publishRun(short, broadcast.media, sizes);
    broadcast.origin.registry.retire(short);
    await clock.advance(windowMs - 1);
    expect(broadcast.origin.registry.get('bcast_short')).toBe(short);
    await clock.advance(1);
    expect(broadcast.origin.registry.get('bcast_short')).toBeUndefined();
  });
});
