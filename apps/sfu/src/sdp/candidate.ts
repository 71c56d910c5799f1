import type { LocalCandidate } from '../media/media-engine.js';

/** `candidate:…` as in RFC 8839 section 5.1; passive TCP as in RFC 6544. */
export function formatCandidate(candidate: LocalCandidate): string {
  const { foundation, priority, address, port, protocol, tcpType } = candidate;
  const type = protocol === 'tcp' ? ` tcptype ${tcpType ?? 'passive'}` : '';
  return `candidate:${foundation} 1 ${protocol} ${priority} ${address} ${port} typ host${type}`;
}
