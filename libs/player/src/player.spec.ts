import { ManualClock } from '@rtms/testing';
import { Player, type PlayerOptions } from './player.js';
import type { PlayerSource } from './transports/player-source.js';
import type { PlayerStatus } from './player-status.js';
import { FakeTransports, FakeVideo } from './testing/fake-transports.js';

const whep = { url: 'https://sfu.test/whep/play_1', token: 't' };
const hls = 'https://hls.test/hls/b/index.m3u8?token=h';
// As the README of the player promises.
const whepMs = 8_000;
const hlsMs = 20_000;
const stuckAfterMs = 6_000;
const firstReturnMs = 10_000;
const firstRetryMs = 1_000;
const mostFailures = 8;
const mostReturns = 10;
/** Failures in a row after which the page is asked for new addresses. */
const movedAfterFailures = 3;

describe('the player', () => {
  let clock: ManualClock;
  let transports: FakeTransports;
  let video: FakeVideo & HTMLVideoElement;
  let changes: PlayerStatus[];
  let player: Player;

  function make(source: PlayerSource, options: Partial<PlayerOptions> = {}): void {
    clock = new ManualClock();
    transports = new FakeTransports();
    video = FakeVideo.make();
    changes = [];
    player = new Player({
      ...{ video, source, clock, open: transports.open, random: () => 1, makeVideo: () => FakeVideo.make() },
      onChange: status => changes.push(status),
      ...options,
    });
    player.play();
  }

  const told = (): string[] =>
    changes.map(({ state, transport, reason }) => [state, transport, reason].filter(Boolean).join(' '));
  const shown = (): string => told().at(-1) ?? '';

  afterEach(async () => {
    await player.stop();
    await player.stop();
    await clock.settled();
    expect([clock.pending, transports.openKinds]).toEqual([0, '']);
  });

  describe('with WHEP and HLS', () => {
    beforeEach(() => make({ whep, hls }));

    it('plays by WHEP while its media arrives', async () => {
      transports.last.plays();
      await clock.advance(3_600_000);
      expect(told()).toEqual(['connecting whep', 'playing whep']);
      expect([transports.kinds, video.autoplay]).toEqual(['whep', true]);
    });

    it.each([undefined, false])('asks each transport for CMCD unless the page switches it off: %s', async sendsCmcd => {
      const asked: boolean[] = [];
      await player.stop();
      make({ hls }, { sendsCmcd, open: (kind, of) => (asked.push(of.sendsCmcd), transports.open(kind, of)) });
      expect(asked).toEqual([sendsCmcd ?? true]);
    });

    it('falls back to HLS when no media arrives in time', async () => {
      await clock.advance(whepMs - 1);
      expect(transports.kinds).toBe('whep');
      await clock.advance(1);
      expect([transports.kinds, transports.openKinds]).toEqual(['whep hls', 'hls']);
      transports.last.plays();
      expect(told()).toEqual(['connecting whep', 'connecting hls timeout', 'playing hls']);
    });

    it('falls back to HLS at once when WHEP is refused', () => {
      transports.last.fails('refused');
      expect(shown()).toBe('connecting hls refused');
    });

    it('falls back to HLS when WHEP stalls, but not at the first moment', async () => {
      transports.last.plays();
      transports.last.stalls();
      await clock.advance(stuckAfterMs - 1);
      expect(shown()).toBe('stalled whep no_media');
      transports.last.plays();
      transports.last.stalls();
      await clock.advance(stuckAfterMs);
      expect(shown()).toBe('connecting hls no_media');
    });

    it('waits with WHEP while the source is inactive', async () => {
      transports.last.stalls('source_inactive');
      await clock.advance(600_000);
      expect([shown(), transports.kinds]).toEqual(['stalled whep source_inactive', 'whep']);
    });

    it('leaves WHEP when the source is active again, but no media arrives', async () => {
      transports.last.stalls('source_inactive');
      await clock.advance(60_000);
      transports.last.stalls();
      await clock.advance(stuckAfterMs);
      expect([shown(), transports.openKinds]).toEqual(['connecting hls no_media', 'hls']);
    });

    it('ends a return to WHEP whose source is active again, but sends no media', async () => {
      transports.last.fails('unreachable');
      transports.last.plays();
      await clock.advance(firstReturnMs);
      transports.last.stalls('source_inactive');
      transports.last.stalls();
      await clock.advance(stuckAfterMs);
      expect([shown(), transports.openKinds]).toEqual(['playing hls', 'hls']);
      await clock.advance(2 * firstReturnMs);
      expect(transports.openKinds).toBe('hls whep');
    });

    it('returns to WHEP when its media arrives, and plays HLS until then', async () => {
      transports.last.fails('unreachable');
      const [, broadcast] = transports.opened;
      broadcast?.plays();
      await clock.advance(firstReturnMs - 1);
      expect(transports.kinds).toBe('whep hls');
      await clock.advance(1);
      expect([transports.openKinds, shown()]).toEqual(['hls whep', 'playing hls']);
      expect(transports.last.video).not.toBe(video);
      transports.last.plays();
      expect([transports.openKinds, shown()]).toEqual(['whep', 'playing whep returned']);
      expect([transports.last.video === video, broadcast?.hasSaidGoodbye]).toEqual([true, false]);
    });

    it('tries to return with back-off, a bounded number of times', async () => {
      transports.last.fails('unreachable');
      transports.last.plays();
      const delays: number[] = [];
      let former = clock.now();
      for (let turn = 0; turn < mostReturns; turn += 1) {
        const count = transports.opened.length;
        while (transports.opened.length === count) await clock.advance(1_000);
        delays.push((clock.now() - former) / 1_000);
        transports.last.fails('unreachable');
        former = clock.now();
      }
      expect(delays).toEqual([10, 20, 40, 80, 160, 300, 300, 300, 300, 300]);
      await clock.advance(86_400_000);
      expect([transports.opened.length, shown()]).toEqual([2 + mostReturns, 'playing hls']);
    });

    it('does not return while the viewer has paused', async () => {
      transports.last.fails('unreachable');
      transports.last.plays();
      video.paused = true;
      await clock.advance(600_000);
      expect(transports.kinds).toBe('whep hls');
      video.paused = false;
      await clock.advance(firstReturnMs);
      expect(transports.kinds).toBe('whep hls whep');
    });

    it('alternates with back-off while neither plays, and fails after a bounded number of attempts', async () => {
      for (let turn = 0; turn < 100 && shown() !== 'failed unavailable'; turn += 1) {
        if (transports.openKinds !== '') transports.last.fails('unavailable');
        await clock.advance(30_000);
      }
      expect(shown()).toBe('failed unavailable');
      expect(transports.opened).toHaveLength(2 * mostFailures);
      await clock.advance(86_400_000);
      expect(transports.opened).toHaveLength(2 * mostFailures);
    });

    it('does not flap for ever between a WHEP that plays for moments and HLS', async () => {
      for (let turn = 0; turn < 1_000; turn += 1) {
        transports.last.plays();
        if (transports.last.kind === 'whep') transports.last.fails();
        await clock.advance(1_000);
      }
      await clock.advance(86_400_000);
      expect(transports.opened.filter(({ kind }) => kind === 'whep')).toHaveLength(mostFailures);
      expect(shown()).toBe('playing hls');
    });

    it('ends when both are over, and starts again when asked', () => {
      transports.last.fails('playback_ended');
      transports.last.plays();
      transports.last.fails('broadcast_ended');
      expect(shown()).toBe('ended broadcast_ended');
      player.play();
      expect(shown()).toBe('connecting whep');
    });

    it('tells the server that it leaves, by its last connection only', async () => {
      transports.last.fails('timeout');
      transports.last.plays();
      await clock.advance(firstReturnMs);
      await player.stop();
      expect(transports.opened.map(({ hasSaidGoodbye }) => hasSaidGoodbye)).toEqual([false, true, true]);
      expect(shown()).toBe('idle stopped');
    });

    it('hears nothing from transports that it has closed', async () => {
      const [first] = transports.opened;
      await player.stop();
      first?.plays();
      first?.fails();
      first?.mustMove();
      expect([shown(), transports.kinds]).toEqual(['idle stopped', 'whep']);
    });
  });

  it('plays by HLS when the page prefers it, and returns to it', async () => {
    make({ whep, hls }, { prefer: 'hls' });
    await clock.advance(hlsMs);
    transports.last.plays();
    await clock.advance(firstReturnMs);
    expect(transports.kinds).toBe('hls whep hls');
    transports.last.plays();
    expect(shown()).toBe('playing hls returned');
  });

  it('connects to the next media node before it leaves the former one', () => {
    make({ whep });
    const [former] = transports.opened;
    former?.plays();
    former?.mustMove();
    former?.mustMove();
    expect([transports.openKinds, shown()]).toEqual(['whep whep', 'playing whep']);
    transports.last.plays();
    expect([transports.openKinds, shown()]).toEqual(['whep', 'playing whep node_leaving']);
  });

  it('moves from node to node every ten seconds at most', async () => {
    make({ whep });
    for (let turn = 0; turn < 100; turn += 1) {
      transports.last.plays();
      transports.last.mustMove();
      await clock.advance(100);
    }
    expect(transports.opened).toHaveLength(2);
    transports.last.mustMove();
    expect(transports.opened).toHaveLength(3);
  });

  it.each([
    ['failed', 29_999],
    ['connecting', 30_000],
  ])('is %s after eight connections that each played for %i ms', async (state, playedMs) => {
    make({ whep });
    for (let turn = 0; turn < mostFailures; turn += 1) {
      transports.last.plays();
      await clock.advance(playedMs);
      transports.last.fails();
      await clock.advance(30_000);
    }
    expect(shown().split(' ')[0]).toBe(state);
  });

  it('waits for the next media node when the former one is gone first', () => {
    make({ whep });
    const [former] = transports.opened;
    former?.plays();
    former?.mustMove();
    former?.fails();
    expect([transports.openKinds, shown(), transports.last.video === video]).toEqual([
      'whep',
      'connecting whep connection_lost',
      true,
    ]);
  });

  it('stays with a stalled WHEP when there is no HLS', async () => {
    make({ whep });
    transports.last.plays();
    transports.last.stalls();
    await clock.advance(600_000);
    expect([shown(), transports.kinds]).toEqual(['stalled whep no_media', 'whep']);
  });

  it('opens a stalled HLS again when there is no WHEP', async () => {
    make({ hls });
    transports.last.plays();
    transports.last.stalls();
    await clock.advance(stuckAfterMs + 1_000);
    expect([shown(), transports.openKinds, transports.kinds]).toEqual(['connecting hls no_media', 'hls', 'hls hls']);
  });

  it('gives up sooner before its first media than later, if the page wants that', async () => {
    const failAlways = async () => {
      for (let turn = 0; turn < 100 && !shown().startsWith('failed'); turn += 1) {
        if (transports.openKinds !== '') transports.last.fails('unreachable');
        await clock.advance(30_000);
      }
      expect(shown()).toBe('failed unreachable');
    };
    make({ hls }, { mostFirstFailures: 3 });
    await failAlways();
    expect(transports.opened).toHaveLength(3);
    player.play();
    transports.last.plays();
    await failAlways();
    expect(transports.opened).toHaveLength(3 + mostFailures);
    player.play();
    await failAlways();
    expect(transports.opened).toHaveLength(3 + mostFailures + 3);
  });

  it('waits as long as the server asks', async () => {
    make({ whep });
    transports.last.fails('unavailable', 45_000);
    await clock.advance(44_999);
    expect(transports.kinds).toBe('whep');
    await clock.advance(1);
    expect(transports.kinds).toBe('whep whep');
  });

  it('asks the page for new addresses when the token was refused', async () => {
    const renewed = { whep: { ...whep, token: 'new' } };
    make({ whep }, { renew: () => Promise.resolve(renewed) });
    transports.last.fails('token_refused');
    await clock.advance(1_000);
    expect(await transports.last.source).toEqual(renewed);
  });

  it('asks the page for new addresses when the former ones do not answer again and again', async () => {
    const other = { whep: { ...whep, url: 'https://sfu-2.test/whep/play_1' } };
    make({ whep }, { renew: () => Promise.resolve(other) });
    transports.last.plays();
    transports.last.fails('connection_lost');
    for (let failures = 1; failures < movedAfterFailures; failures += 1) {
      await clock.advance(firstRetryMs * 2 ** (failures - 1));
      expect(await transports.last.source).toEqual({ whep });
      transports.last.fails('unreachable');
    }
    await clock.advance(firstRetryMs * 2 ** (movedAfterFailures - 1));
    expect(await transports.last.source).toEqual(other);
    transports.last.plays();
    expect(shown()).toBe('playing whep');
  });

  it('plays by HLS when only renew answers its address', async () => {
    make({ whep }, { renew: () => Promise.resolve({ whep, hls }) });
    transports.last.fails('token_refused');
    await clock.advance(1_000);
    transports.last.fails('unreachable');
    expect(shown()).toBe('connecting hls unreachable');
    expect((await transports.last.source).hls).toBe(hls);
  });

  it('returns by a new playback, because the former one ended without viewers', async () => {
    make({ whep, hls }, { renew: () => Promise.resolve({ whep: { ...whep, url: `${whep.url}2` }, hls }) });
    transports.last.fails('timeout');
    transports.last.plays();
    await clock.advance(10_000);
    transports.last.fails('playback_ended');
    await clock.advance(20_000);
    expect((await transports.last.source).whep?.url).toBe(`${whep.url}2`);
    transports.last.plays();
    expect(shown()).toBe('playing whep returned');
  });

  it.each<[string, () => Promise<PlayerSource>]>([
    ['rejects', () => Promise.reject(new Error('no'))],
    ['never answers', () => new Promise(() => undefined)],
    ['answers no address', () => Promise.resolve({ whep: { url: 'javascript:alert(1)', token: '' } })],
  ])('fails after a bounded number of attempts when renew %s', async (_case, renew) => {
    let asked = 0;
    make({ whep }, { renew: () => ((asked += 1), renew()) });
    transports.last.fails('token_refused');
    await clock.advance(3_600_000);
    expect([shown().split(' ')[0], asked <= mostFailures]).toEqual(['failed', true]);
  });

  it('asks the page for a new playback after stop(), because its DELETE has ended the former one', async () => {
    const renewed = { whep: { ...whep, url: `${whep.url}2` } };
    make({ whep }, { renew: () => Promise.resolve(renewed) });
    await player.stop();
    player.play();
    expect(await transports.last.source).toEqual(renewed);
    expect(player.needsRenewal).toBe(false);
  });

  it.each<[string, Partial<PlayerOptions>, PlayerSource]>([
    ['of a shared playback', { isShared: true }, { whep }],
    ['of HLS alone', {}, { hls }],
  ])('keeps its addresses after stop() %s', async (_case, options, source) => {
    make(source, { ...options, renew: () => Promise.resolve({}) });
    await player.stop();
    player.play();
    expect(await transports.last.source).toEqual(source);
  });

  it('fails without renew when the token was refused', () => {
    make({ whep });
    transports.last.fails('token_refused');
    expect(shown()).toBe('failed token_refused');
  });

  it('takes new tokens without an interruption', async () => {
    make({ whep, hls });
    transports.last.fails('token_refused');
    transports.last.plays();
    player.update({ whep: { ...whep, token: 'new' }, hls });
    expect(transports.openKinds).toBe('hls');
    await clock.advance(10_000);
    expect((await transports.last.source).whep?.token).toBe('new');
  });

  it.each<PlayerSource>([{}, { hls: 'javascript:alert(1)' }, { whep: { url: 'file:///etc/passwd', token: '' } }])(
    'fails without an address of http: %j',
    source => {
      make(source);
      expect([shown(), transports.kinds]).toEqual(['failed no_source', '']);
    },
  );

  it('says that the browser wants a click, and plays after it', async () => {
    make({ whep });
    video.refusal = new DOMException('no', 'NotAllowedError');
    transports.last.plays();
    await clock.settled();
    expect(shown()).toBe('stalled whep play_blocked');
    video.refusal = undefined;
    player.play();
    await clock.settled();
    expect([shown(), transports.kinds]).toEqual(['playing whep', 'whep']);
  });

  it('shows the measurements of the present transport', () => {
    make({ whep });
    expect(player.stats).toEqual({ transport: 'whep', width: 640, height: 360 });
  });
});
