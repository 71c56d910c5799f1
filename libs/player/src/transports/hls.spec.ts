import { ManualClock } from '@rtms/testing';
import type HlsPlayer from 'hls.js';
import type { HlsConfig, Loader, LoaderCallbacks, LoaderConfiguration, LoaderContext } from 'hls.js';
import { HlsTransport, LiveDistance } from './hls.js';
import type { TransportListener } from './transport.js';

const url = 'https://hls.test/hls/b/index.m3u8?token=h';

describe('the HLS transport of a browser that plays HLS itself', () => {
  let clock: ManualClock;
  let heard: string[];
  let video: FakeVideo;
  let transport: HlsTransport;

  beforeEach(async () => {
    [clock, heard, video] = [new ManualClock(), [], new FakeVideo()];
    transport = new HlsTransport(
      { url: () => Promise.resolve(url), video: asElement(video), clock, sendsCmcd: true },
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

describe('a request of hls.js', () => {
  const listener: TransportListener = {
    ...{ onMedia: () => undefined, onStalled: () => undefined, onLeaving: () => undefined, onLost: () => undefined },
  };
  let restore: () => void;
  let requested: string[];
  let onSegment: (url: string) => void;

  beforeEach(async () => {
    const { default: Hls, LoadStats } = await import('hls.js');
    const former = Hls.DefaultConfig;
    const { self, location, MediaSource, HTMLVideoElement } = globalThis;
    const { createObjectURL } = URL;
    requested = [];
    const page = { location: { href: 'https://page.test/' }, HTMLVideoElement: FakeVideo };
    Object.assign(globalThis, { ...page, self: globalThis, MediaSource: FakeMediaSource });
    URL.createObjectURL = source => {
      queueMicrotask(() => (source as unknown as FakeMediaSource).dispatchEvent(new Event('sourceopen')));
      return 'blob:media';
    };
    Hls.DefaultConfig = {
      ...former,
      loader: loaderOf(LoadStats, address => {
        requested.push(address);
        if (new URL(address).pathname.endsWith('.m4s')) onSegment(address);
      }),
    };
    restore = () => {
      Hls.DefaultConfig = former;
      Object.assign(globalThis, { self, location, MediaSource, HTMLVideoElement });
      URL.createObjectURL = createObjectURL;
    };
  });
  afterEach(() => restore());

  /** Returns the keys of the data in the request for a segment. */
  async function play(sendsCmcd: boolean): Promise<string[]> {
    const segment = new Promise<string>(resolve => (onSegment = resolve));
    const options = { url: () => Promise.resolve(url), video: asElement(new FakeVideo()), clock: new ManualClock() };
    const transport = new HlsTransport({ ...options, sendsCmcd }, listener);
    const { searchParams } = new URL(await segment);
    await transport.close();
    const data = searchParams.get('CMCD');
    return data === null ? [] : data.split(',').map(pair => pair.split('=')[0] ?? '');
  }

  it('has the quality of the playback and keeps the token', async () => {
    const keys = await play(true);
    expect(keys).toEqual(expect.arrayContaining(['br', 'mtp', 'ot', 'sid']));
    for (const address of requested) {
      const { searchParams } = new URL(address);
      expect([searchParams.get('token'), searchParams.get('CMCD')]).toEqual(['h', expect.stringContaining('sid="')]);
      expect(searchParams.get('CMCD')).not.toMatch(/\b(cid|nor|nrr)=/);
    }
  });

  it('has the token alone when the page switches the data off', async () => {
    expect(await play(false)).toEqual([]);
    for (const address of requested) expect([...new URL(address).searchParams.keys()]).toEqual(['token']);
  });
});

/** A browser's source of media that stays empty. */
class FakeMediaSource extends EventTarget {
  static isTypeSupported(): boolean {
    return true;
  }
  readonly readyState = 'open';
  readonly sourceBuffers = [];
  readonly endOfStream = (): void => undefined;
}

const playlists = new Map([
  ['index.m3u8', '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000,CODECS="avc1.42E01E,mp4a.40.2"\nv1.m3u8?token=h\n'],
  [
    'v1.m3u8',
    '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n1.m4s?token=h\n#EXTINF:2,\n2.m4s?token=h\n#EXT-X-ENDLIST\n',
  ],
]);

/** A loader that notes each address, and answers playlists only. */
function loaderOf(LoadStats: new () => Loader<LoaderContext>['stats'], onRequest: (address: string) => void) {
  class FakeLoader implements Loader<LoaderContext> {
    context: LoaderContext | null = null;
    readonly stats = new LoadStats();
    load(context: LoaderContext, _: LoaderConfiguration, { onSuccess }: LoaderCallbacks<LoaderContext>): void {
      this.context = context;
      onRequest(context.url);
      const data = playlists.get(new URL(context.url).pathname.split('/').at(-1) ?? '');
      if (data !== undefined)
        queueMicrotask(() => onSuccess({ url: context.url, data, code: 200 }, this.stats, context, null));
    }
    readonly abort = (): void => undefined;
    readonly destroy = (): void => undefined;
  }
  return FakeLoader as HlsConfig['loader'];
}

/** An element that plays HLS, as that of Safari. */
class FakeVideo extends EventTarget {
  private address = '';
  /** Goes on without an address until `load()`. */
  isLoading = false;
  currentTime = 0;
  paused = false;
  readyState = 0;
  error = null;
  readonly buffered = { length: 0 };
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
