import type { TrackKind } from '../../api/meetings.js';

/** The addresses that a share link holds. At least one is present. */
export interface WatchTarget {
  whep?: { url: string; token: string; kinds: readonly TrackKind[] };
  /** With its token, as the API answers it. */
  hls?: string;
}

const allKinds: readonly TrackKind[] = ['video', 'audio'];

/** Everything is in the fragment: browsers send it to no server, and write it into no log or `Referer`. */
export function watchLink({ whep, hls }: WatchTarget): string {
  const fields = new URLSearchParams({
    ...(whep && { whep: whep.url, token: whep.token, tracks: whep.kinds.join(' ') }),
    ...(hls !== undefined && { hls }),
  });
  return `${window.location.origin}/dashboard/watch#${fields.toString()}`;
}

export function embedSnippet(target: WatchTarget): string {
  const link = watchLink(target).replaceAll('&', '&amp;');
  return `<iframe src="${link}" width="640" height="400" style="border: 0" allow="autoplay; fullscreen"></iframe>`;
}

/** Reads a fragment. Returns undefined unless it has the address of a player. */
export function readWatchTarget(fragment: string): WatchTarget | undefined {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const [whep, hls] = [addressIn(fields, 'whep'), addressIn(fields, 'hls')];
  const named = (fields.get('tracks') ?? '').split(' ');
  const kinds = allKinds.filter(kind => named.includes(kind));
  if (whep === undefined && hls === undefined) return undefined;
  const token = fields.get('token') ?? '';
  return {
    ...(whep !== undefined && { whep: { url: whep, token, kinds: kinds.length === 0 ? allKinds : kinds } }),
    ...(hls !== undefined && { hls }),
  };
}

/**
 * Exchanges the HLS address of a link for one without a token: the signed path of its playlist is valid until the room expires. The service
 * answers it while the token of the link is valid, for some minutes. undefined: there is no playlist, or no valid token.
 */
export async function lastingHls(address: string): Promise<string | undefined> {
  const answer = await fetch(address).catch(() => undefined);
  const playlist = answer?.ok ? await answer.text().catch(() => '') : '';
  const [variant] = /^[^#\s].*$/m.exec(playlist) ?? [];
  // The playlists of the renditions are in folders beside the signed playlist.
  return variant === undefined || !URL.canParse(variant, address)
    ? undefined
    : new URL('../index.m3u8', new URL(variant, address)).href;
}

function addressIn(fields: URLSearchParams, name: string): string | undefined {
  const value = fields.get(name) ?? '';
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) ? value : undefined;
}
