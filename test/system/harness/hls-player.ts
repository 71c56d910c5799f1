/** What a player sees of a broadcast: it fetches the multivariant playlist once and then its first rendition. */
export class HlsPlayer {
  private constructor(private readonly renditionUrl: string) {}

  static async open(playbackUrl: string): Promise<HlsPlayer> {
    const [rendition] = uris(await fetchText(playbackUrl));
    if (!rendition) throw new Error('the multivariant playlist has no rendition');
    return new HlsPlayer(new URL(rendition, playbackUrl).href);
  }

  async playlist(): Promise<string> {
    return fetchText(this.renditionUrl);
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
}

function uris(playlist: string): string[] {
  return playlist.split('\n').filter(line => line !== '' && !line.startsWith('#'));
}

async function fetchText(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} for a playlist`);
  return response.text();
}
