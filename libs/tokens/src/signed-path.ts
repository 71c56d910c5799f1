import type { SignedPath } from '@rtms/contracts';

/** Writes the path segments after the broadcast: `<window>/<expiresAt>/<kid>/<signature>`. */
export function formatSignedPath(path: Omit<SignedPath, 'broadcastID'>): string {
  return [path.window, path.expiresAt, path.kid, path.signature].join('/');
}

/** The bytes to sign. */
export function signedPathInput(path: Pick<SignedPath, 'broadcastID' | 'window' | 'expiresAt'>): Uint8Array {
  return Buffer.from(`${path.broadcastID}/${path.window}/${path.expiresAt}`);
}

const base64url = /^[A-Za-z0-9_-]{1,128}$/;

/** Reads the four segments after the broadcast; undefined if they have another form. */
export function parseSignedPath(broadcastID: string, segments: readonly string[]): SignedPath | undefined {
  const [window, expiresAt, kid, signature] = segments;
  const start = parseSeconds(window);
  const end = parseSeconds(expiresAt);
  if (start === undefined || end === undefined) return undefined;
  if (!kid || !base64url.test(kid) || !signature || !base64url.test(signature)) return undefined;
  return { broadcastID, window: start, expiresAt: end, kid, signature };
}

/** Accepts one spelling of a number, so that a CDN never caches a file under two addresses. */
function parseSeconds(text: string | undefined): number | undefined {
  return text !== undefined && /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : undefined;
}
