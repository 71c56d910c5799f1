import { waitFor } from '@rtms/testing';
import type { Fetch } from './trusting-fetch.js';

/** A player fetches a playlist about once per segment. */
const everyMs = 250;

/** A player of a broadcast. It fetches the multivariant playlist once and then the first rendition. */
export class HlsPlayer {
  private constructor(
    private readonly renditionUrl: string,
    private readonly fetch: Fetch,
  ) {}

  static async open(playbackUrl: string, request: Fetch = fetch): Promise<HlsPlayer> {
    const multivariant = () => fetchText(playbackUrl, request);
    const [rendition] = uris(await waitFor(multivariant, { everyMs, what: 'the multivariant playlist' }));
    if (!rendition) throw new Error('the multivariant playlist has no rendition');
    return new HlsPlayer(new URL(rendition, playbackUrl).href, request);
  }

  async playlist(): Promise<string> {
    return fetchText(this.renditionUrl, this.fetch);
  }

  /** Size of the newest segment, in bytes. */
  async newestBytes(): Promise<number> {
    const newest = uris(await this.playlist()).at(-1) ?? '';
    const response = await this.fetch(new URL(newest, this.renditionUrl).href);
    return response.ok ? (await response.arrayBuffer()).byteLength : 0;
  }

  async segmentUrls(): Promise<string[]> {
    return uris(await this.playlist()).map(uri => new URL(uri, this.renditionUrl).href);
  }

  /** Number of the newest segment since the broadcast began. */
  async newestSegment(): Promise<number> {
    const playlist = await this.playlist();
    const first = Number(/#EXT-X-MEDIA-SEQUENCE:(\d+)/.exec(playlist)?.[1] ?? 0);
    return first + uris(playlist).length;
  }

  /** Number of discontinuities since the broadcast began, also of those that have left the window. */
  async discontinuities(): Promise<number> {
    const playlist = await this.playlist();
    const left = Number(/#EXT-X-DISCONTINUITY-SEQUENCE:(\d+)/.exec(playlist)?.[1] ?? 0);
    return left + (playlist.match(/^#EXT-X-DISCONTINUITY$/gm) ?? []).length;
  }

  /** Resolves once there are this many more segments than now. */
  async grows(segments = 1): Promise<void> {
    const before = await this.untilAnswered(() => this.newestSegment());
    const what = `segment ${before + segments}`;
    await waitFor(async () => (await this.newestSegment()) >= before + segments, { everyMs, what });
  }

  /** Asks again as a player does: a load balancer cuts its connections to a node that is too busy to say that it is ready. */
  async untilAnswered<Answer>(ask: () => Promise<Answer>): Promise<NonNullable<Answer>> {
    return waitFor(ask, { everyMs, what: 'an answer to the player' });
  }

  /** Resolves once the playlist has the text. */
  async lists(text: string): Promise<void> {
    await waitFor(async () => (await this.playlist()).includes(text), { everyMs, what: text });
  }
}

function uris(playlist: string): string[] {
  return playlist.split('\n').filter(line => line !== '' && !line.startsWith('#'));
}

async function fetchText(url: string, request: Fetch): Promise<string> {
  const response = await request(url);
  if (!response.ok) throw new Error(`${response.status} for a playlist`);
  return response.text();
}
