import { createHash } from 'node:crypto';
import type { LocalIce } from '../media/media-engine.js';
import type { RemoteIce } from './session-offer.js';

/** A strong entity tag that names one ICE session (RFC 9725 section 4.3.1) and reveals nothing of it. */
export function iceEtag(local: Pick<LocalIce, 'usernameFragment'>, remote: RemoteIce): string {
  const names = `${local.usernameFragment}:${remote.usernameFragment}:${remote.password}`;
  return `"${createHash('sha256').update(names).digest('base64url').slice(0, 22)}"`;
}
