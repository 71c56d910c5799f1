import type { MediaKind } from './transport.js';

export interface WhepEndpoint {
  /** `playback.endpoint` of the API. */
  url: string;
  /** `playback.token` of the API. */
  token: string;
  /** The kinds of the playback. Default: both. */
  tracks?: readonly MediaKind[];
}

/** The addresses of one stream. */
export interface PlayerSource {
  whep?: WhepEndpoint | undefined;
  /** `broadcast.playbackUrl` of the API, with its token. */
  hls?: string | undefined;
}

/** Drops addresses that are not http: or https:, such as `javascript:`. */
export function usableSource({ whep, hls }: PlayerSource): PlayerSource {
  return {
    ...(whep && isHttp(whep.url) && { whep }),
    ...(hls !== undefined && isHttp(hls) && { hls }),
  };
}

/** An address that a server answered, if the token may go there: it must be as safe as `base`. */
export function safeAddress(address: string, base: string): string | undefined {
  if (!isHttp(address, base)) return undefined;
  const { href, protocol } = new URL(address, base);
  return protocol === 'http:' && base.startsWith('https:') ? undefined : href;
}

export function authorization({ token }: Pick<WhepEndpoint, 'token'>): Record<string, string> {
  return token === '' ? {} : { Authorization: `Bearer ${token}` };
}

export function isHttp(url: string, base?: string): boolean {
  return URL.canParse(url, base) && /^https?:$/.test(new URL(url, base).protocol);
}
