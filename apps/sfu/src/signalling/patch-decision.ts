import type { SdpFragment } from '../sdp/sdpfrag.js';
import type { IfMatch } from './if-match.js';

export type PatchDecision = 'trickle' | 'restart' | 'precondition_required' | 'precondition_failed';

/** The ICE session that stands now. */
export interface CurrentIce {
  etag: string;
  remoteUsernameFragment: string;
}

/**
 * What a PATCH asks for (RFC 9725 section 4.3). A restart needs `If-Match: *` and a new ufrag. Some players trickle
 * without `If-Match`: that is taken where the ufrag names the current ICE session.
 */
export function decidePatch(ifMatch: IfMatch, fragment: SdpFragment, current: CurrentIce): PatchDecision {
  const { usernameFragment } = fragment;
  const isCurrent = usernameFragment === current.remoteUsernameFragment;
  if (ifMatch === 'absent') return isCurrent ? 'trickle' : 'precondition_required';
  if (ifMatch === 'any') return usernameFragment === undefined || isCurrent ? 'trickle' : 'restart';
  if (!ifMatch.tags.includes(current.etag)) return 'precondition_failed';
  return usernameFragment === undefined || isCurrent ? 'trickle' : 'precondition_failed';
}
