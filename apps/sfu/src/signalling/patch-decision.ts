import type { SdpFragment } from './sdp/sdpfrag.js';

/** A parsed `If-Match` header. `any` stands for `*`, which some clients put into quotes. */
type IfMatch = 'absent' | 'any' | { tags: string[] };

/** Tags without quotes match nothing. */
export function parseIfMatch(header = ''): IfMatch {
  if (header === '') return 'absent';
  if (header === '*' || header === '"*"') return 'any';
  return { tags: header.match(/(?:W\/)?"[^"]*"/g) ?? [] };
}

type PatchDecision = 'trickle' | 'restart' | 'precondition_required' | 'precondition_failed';

/** The current ICE session. */
interface CurrentIce {
  etag: string;
  remoteUsernameFragment: string;
}

/**
 * Decides what a PATCH asks for (RFC 9725 section 4.3). A restart needs `If-Match: *` and a new ufrag. Some players trickle
 * without `If-Match`. Such a request is accepted if its ufrag is that of the current ICE session.
 */
export function decidePatch(ifMatch: IfMatch, fragment: SdpFragment, current: CurrentIce): PatchDecision {
  const { usernameFragment } = fragment;
  const isCurrent = usernameFragment === current.remoteUsernameFragment;
  if (ifMatch === 'absent') return isCurrent ? 'trickle' : 'precondition_required';
  if (ifMatch === 'any') return usernameFragment === undefined || isCurrent ? 'trickle' : 'restart';
  if (!ifMatch.tags.includes(current.etag)) return 'precondition_failed';
  return usernameFragment === undefined || isCurrent ? 'trickle' : 'precondition_failed';
}
