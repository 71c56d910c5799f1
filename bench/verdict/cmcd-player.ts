import { setTimeout as pause } from 'node:timers/promises';

/** A player begins three target durations behind the end (RFC 8216 section 6.3.3), and so does hls.js. */
const behindEnd = 3;
/** Buffered media from which a player goes on after a stall, in seconds. */
const enoughSeconds = 0.5;
const pollMs = 500;
/** As hls.js: half-lives in seconds, and the part of the time to the first byte that says nothing about the network. */
const halfLives = [3, 9] as const;
const firstByteMs = 100;

interface Segment {
  number: number;
  url: string;
  initUrl: string;
  seconds: number;
}

/**
 * Plays the lowest rendition of a broadcast as hls.js does, but decodes nothing: it fetches each segment, empties its buffer in real time, and
 * reports by CMCD (CTA-5004). It costs a hundredth of the CPU time of a browser.
 */
export class CmcdPlayer {
  private readonly throughput = halfLives.map(halfLife => new MovingAverage(halfLife));
  /** ms since 1970 at which the buffer is empty; undefined: the player waits for media. */
  private emptyAt: number | undefined;
  /** It ran out of media, and has not reported that. */
  private hasStalled = false;
  private sessionID = '';

  /** Resolves once it plays. */
  async watchByHls(url: string, sessionID: string): Promise<void> {
    this.sessionID = sessionID;
    const rendition = lowestRendition(await this.text(url, 'm'), url);
    let next: number | undefined;
    let init: string | undefined;
    const playNext = async (): Promise<void> => {
      const segments = parsePlaylist(await this.text(rendition.url, 'm'), rendition.url);
      // A player that fell out of the window goes on near the end.
      const isListed = segments.some(({ number }) => number === next);
      if (next === undefined || (!isListed && (segments[0]?.number ?? 0) > next))
        next = segments.at(-behindEnd)?.number;
      for (const segment of segments.filter(({ number }) => number >= (next ?? Infinity))) {
        if (segment.initUrl !== init) await this.fetch((init = segment.initUrl), 'i', rendition.bitrate);
        await this.fetch(segment.url, 'v', rendition.bitrate, segment.seconds);
        this.append(segment.seconds);
        next = segment.number + 1;
      }
    };
    await playNext();
    void this.keepPlaying(playNext);
  }

  /** Asks again after a failure. Ends with the process. */
  private async keepPlaying(playNext: () => Promise<void>): Promise<never> {
    for (;;) {
      await pause(pollMs);
      await playNext().catch(() => undefined);
      this.noteStall();
    }
  }

  private append(seconds: number): void {
    this.noteStall();
    const now = Date.now();
    if (this.emptyAt === undefined && seconds < enoughSeconds) return;
    this.emptyAt = (this.emptyAt ?? now) + seconds * 1_000;
  }

  private noteStall(): void {
    if (this.emptyAt === undefined || this.emptyAt > Date.now()) return;
    this.emptyAt = undefined;
    this.hasStalled = true;
  }

  private async text(url: string, type: string): Promise<string> {
    return (await this.fetch(url, type)).toString();
  }

  private async fetch(url: string, type: string, bitrate?: number, seconds?: number): Promise<Buffer> {
    this.noteStall();
    const withData = new URL(url);
    withData.searchParams.set('CMCD', this.data(type, bitrate, seconds));
    const startedAt = performance.now();
    const response = await fetch(withData);
    const waitedMs = performance.now() - startedAt;
    const body = Buffer.from(await response.arrayBuffer());
    if (!response.ok) throw new Error(`${response.status} for ${withData.pathname}`);
    const tookMs = Math.max(1, performance.now() - startedAt - Math.min(waitedMs, firstByteMs));
    if (type === 'v') for (const each of this.throughput) each.add(tookMs / 1_000, (8_000 * body.length) / tookMs);
    return body;
  }

  private data(type: string, bitrate = 0, seconds = 0): string {
    const waits = this.emptyAt === undefined;
    const bufferMs = Math.round(Math.max(0, (this.emptyAt ?? 0) - Date.now()) / 100) * 100;
    const kilobits = Math.min(...this.throughput.map(each => each.value)) / 1_000;
    const ofVideo = [
      `bl=${bufferMs}`,
      `br=${Math.round(bitrate / 1_000)}`,
      ...(this.hasStalled ? ['bs'] : []),
      `d=${Math.round(seconds * 1_000)}`,
      ...(Number.isFinite(kilobits) ? [`mtp=${Math.round(kilobits / 100) * 100}`] : []),
    ];
    if (type === 'v') this.hasStalled = false;
    const common = [`ot=${type}`, 'sf=h', `sid="${this.sessionID}"`, 'st=l', ...(waits ? ['su'] : [])];
    return [...(type === 'v' ? ofVideo : []), ...common].join(',');
  }
}

/** Weighted by time, as `EWMA` of hls.js. */
class MovingAverage {
  private sum = 0;
  private weight = 0;

  constructor(private readonly halfLife: number) {}

  get value(): number {
    return this.weight === 0 ? Infinity : this.sum / (1 - 0.5 ** (this.weight / this.halfLife));
  }

  add(seconds: number, value: number): void {
    const kept = 0.5 ** (seconds / this.halfLife);
    this.sum = value * (1 - kept) + kept * this.sum;
    this.weight += seconds;
  }
}

function lowestRendition(playlist: string, base: string): { url: string; bitrate: number } {
  const found = [...playlist.matchAll(/^#EXT-X-STREAM-INF:(?:.*,)?BANDWIDTH=(\d+).*\n(.+)$/gm)]
    .map(([, bitrate, uri = '']) => ({ url: new URL(uri, base).href, bitrate: Number(bitrate) }))
    .sort((one, other) => one.bitrate - other.bitrate);
  const [lowest] = found;
  if (!lowest) throw new Error('the multivariant playlist has no rendition');
  return lowest;
}

function parsePlaylist(playlist: string, base: string): Segment[] {
  let number = Number(/#EXT-X-MEDIA-SEQUENCE:(\d+)/.exec(playlist)?.[1] ?? 0);
  let initUrl = '';
  let seconds = 0;
  return playlist.split('\n').flatMap(line => {
    const map = /^#EXT-X-MAP:.*URI="([^"]+)"/.exec(line)?.[1];
    if (map !== undefined) initUrl = new URL(map, base).href;
    const duration = /^#EXTINF:([\d.]+)/.exec(line)?.[1];
    if (duration !== undefined) seconds = Number(duration);
    if (line === '' || line.startsWith('#')) return [];
    return [{ number: number++, url: new URL(line, base).href, initUrl, seconds }];
  });
}
