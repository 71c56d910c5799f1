// A page with a WHEP player that reports how its media arrives, beside the publishers and players of media-page.ts.
import type { Source } from '../system/harness/browser.js';
import { connected, newestConnection, open, view } from './media-page.js';

/** Of the newest connection's video, and of the path that its packets take. */
export interface WhepReport {
  framesDecoded: number;
  packetsReceived: number;
  packetsLost: number;
  codec: string;
  payloadType: number;
  localCandidateType: string;
  /** Of the way to the TURN server. */
  relayProtocol: string;
  remoteAddress: string;
}

/** A connection over TURN takes 2 s on a quiet machine. The media node closes one that takes longer than 5 s, and Firefox may not notice. */
const connectsWithinMs = 30_000;

/** Tries once to watch, in place of the newest connection. Uses the ICE servers of the answer. Resolves once connected. */
async function watch(source: Source): Promise<void> {
  newestConnection()?.close();
  const pc = new RTCPeerConnection();
  open.push({ pc, ...(await view(pc, source)) });
  await connected(pc, AbortSignal.timeout(connectsWithinMs));
}

async function report(): Promise<WhepReport> {
  const pc = newestConnection();
  if (!pc) throw new Error('nothing is watched');
  const reports = new Map<string, Record<string, unknown>>();
  (await pc.getStats()).forEach((each: RTCStats) => reports.set(each.id, each as unknown as Record<string, unknown>));
  const find = (matches: (each: Record<string, unknown>) => boolean) => [...reports.values()].find(matches) ?? {};
  const inbound = find(({ type, kind }) => type === 'inbound-rtp' && kind === 'video');
  const codec = reports.get(String(inbound['codecId'])) ?? {};
  // Firefox marks the pair in use with `selected`, Chromium names it in its transport.
  const { selectedCandidatePairId } = find(({ type }) => type === 'transport');
  const pair = reports.get(String(selectedCandidatePairId)) ?? find(({ selected }) => selected === true);
  const candidate = (name: string) => reports.get(String(pair[name])) ?? {};
  return {
    framesDecoded: Number(inbound['framesDecoded'] ?? 0),
    packetsReceived: Number(inbound['packetsReceived'] ?? 0),
    packetsLost: Number(inbound['packetsLost'] ?? 0),
    codec: String(codec['mimeType']),
    payloadType: Number(codec['payloadType']),
    localCandidateType: String(candidate('localCandidateId')['candidateType']),
    relayProtocol: String(candidate('localCandidateId')['relayProtocol']),
    remoteAddress: String(candidate('remoteCandidateId')['address']),
  };
}

Object.assign(globalThis, { whep: { watch, report } });
