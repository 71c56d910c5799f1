import { ManualClock } from '@rtms/testing';
import type HlsPlayer from 'hls.js';
import { HlsTransport, LiveDistance } from './hls.js';

const url = 'https://hls.test/hls/b/index.m3u8?token=h';

describe('the HLS transport of a browser that plays HLS itself', () => {
  let clock: ManualClock;
  let heard: string[];
  let video: FakeVideo;
  let transport: HlsTransport;

  beforeEach(async () => {
    [clock, heard, video] = [new ManualClock(), [], new FakeVideo()];
    transport = new HlsTransport(
      { url: () => Promise.resolve(url), video: asElement(video), clock },
      {
        onMedia: () => heard.push('media'),
        onStalled: reason => heard.push(reason),
        onLeaving: () => heard.push('leaving'),
        onLost: ({ reason }) => heard.push(`lost: ${reason}`),
      },
    );
    await import('hls.js');
    await clock.settled();
  });
  afterEach(async () => {
    await Promise.all([transport.close(), transport.close()]);
    expect([clock.pending, video.src, video.isLoading]).toEqual([0, '', false]);
  });

  async function plays(milliseconds: number): Promise<void> {
    for (let at = 0; at < milliseconds; at += 500) {
      video.currentTime += 0.5;
      await clock.advance(500);
    }
  }

  it('plays the address, and stalls after 5 s without progress', async () => {
    expect(video.src).toBe(url);
    await plays(1_000);
    expect(heard.at(-1)).toBe('media');
    await clock.advance(4_500);
    expect(heard.at(-1)).toBe('media');
    await clock.advance(500);
    expect(heard.at(-1)).toBe('no_media');
  });

  it('has media when the browser blocks its start, and does not stall while the viewer pauses', async () => {
    Object.assign(video, { paused: true, readyState: 4 });
    await clock.advance(60_000);
    expect([...new Set(heard)]).toEqual(['media']);
  });

  it.each([
    ['ended', 'lost: broadcast_ended'],
    ['error', 'lost: media_error'],
  ])('is lost once by the event %s', (type, expected) => {
    video.dispatchEvent(new Event(type));
    video.dispatchEvent(new Event(type));
    expect(heard).toEqual([expected]);
  });

  it('moves to another element', () => {
    const other = new FakeVideo();
    transport.show(asElement(other));
    video.dispatchEvent(new Event('ended'));
    expect([heard, video.isLoading, video.src, other.src]).toEqual([[], false, '', url]);
    other.dispatchEvent(new Event('ended'));
    expect(heard).toEqual(['lost: broadcast_ended']);
  });
});

describe('the distance of hls.js to the live end', () => {
  let player: HlsPlayer;
  let distance: LiveDistance;
  const chosen = () => [player.config.liveSyncDuration, player.config.maxLiveSyncPlaybackRate];

  beforeEach(async () => {
    const { default: Hls } = await import('hls.js');
    player = new Hls({ liveSyncDurationCount: 2 });
    distance = new LiveDistance(player);
  });
  afterEach(() => player.destroy());

  it('is two segments without parts, at the usual speed', () => {
    distance.follow(0);
    expect([...chosen(), player.config.liveSyncDurationCount]).toEqual([undefined, 1, 2]);
  });

  it('is the one that a low-latency playlist names, also when the next transcoder names another one', () => {
    for (const seconds of [1.2, 1.5]) {
      distance.follow(seconds);
      expect(chosen()).toEqual([seconds, 1.1]);
    }
  });

  it('is set once, because setting it forgets the stalls so far', () => {
    let sets = 0;
    const counted = {
      config: player.config,
      set targetLatency(_: number) {
        sets += 1;
      },
    };
    const counting = new LiveDistance(counted);
    for (let update = 0; update < 3; update += 1) counting.follow(1.2);
    expect(sets).toBe(1);
  });

  it('is two segments again when a transcoder of an earlier version continues without parts', () => {
    distance.follow(1.2);
    distance.follow(0);
    expect(chosen()).toEqual([undefined, 1]);
  });
});

/** An element that plays HLS, as that of Safari. */
class FakeVideo extends EventTarget {
  private address = '';
  /** Goes on without an address until `load()`. */
  isLoading = false;
  currentTime = 0;
  paused = false;
  readyState = 0;
  error = null;
  canPlayType(): string {
    return 'maybe';
  }
  get src(): string {
    return this.address;
  }
  set src(value: string) {
    this.address = value;
    this.load();
  }
  removeAttribute(): void {
    this.address = '';
  }
  load(): void {
    this.isLoading = this.address !== '';
  }
}

const asElement = (video: FakeVideo) => video as unknown as HTMLVideoElement;
