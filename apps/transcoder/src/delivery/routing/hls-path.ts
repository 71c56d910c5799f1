import type { SignedPath } from '@rtms/contracts';
import { parseSignedPath } from '@rtms/tokens';

/** A parsed path below `/hls/`. */
export type HlsPath =
  | { kind: 'entry'; broadcastID: string }
  | {
      kind: 'signed';
      broadcastID: string;
      /** undefined: the signature part is malformed. */
      signed: SignedPath | undefined;
      /** `index.m3u8`, `<rendition>/index.m3u8` or `<rendition>/<segment>`. */
      file: string;
    };

const longestPath = 512;
/** Our paths contain no `%`, and no part starts with a dot. */
const partOfPath = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;
/** `<window>/<expiresAt>/<kid>/<signature>` */
const signedParts = 4;

/**
 * Parses the raw path of a request. Returns undefined for a path that cannot exist: `..`, escapes, empty parts, or too
 * long.
 */
export function parseHlsPath(path: string): HlsPath | undefined {
  if (path.length > longestPath) return undefined;
  const [root, hls, broadcastID, ...rest] = path.split('/');
  if (root !== '' || hls !== 'hls' || broadcastID === undefined) return undefined;
  if (![broadcastID, ...rest].every(part => partOfPath.test(part))) return undefined;
  if (rest.length === 1 && rest[0] === 'index.m3u8') return { kind: 'entry', broadcastID };
  const file = rest.slice(signedParts);
  if (file.length < 1 || file.length > 2) return undefined;
  const signed = parseSignedPath(broadcastID, rest.slice(0, signedParts));
  return { kind: 'signed', broadcastID, signed, file: file.join('/') };
}
