// A page with a WHEP player that reports how its media arrives, beside the publishers and players of media-page.ts.
import { WHEPClient } from 'whip-whep/whep.js';
import { newestConnection } from './media-page.js';

interface WatchOptions {
  url: string;
  token: string;
}

/** Of the video of the newest connection, of this page's player or else of those of media-page.ts, and of the path that its packets take. */
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

let newest: RTCPeerConnection | undefined;

/** A connection over TURN takes 2 s on a quiet machine. The media node closes one that takes longer than 5 s, and Firefox may not notice. */
const connectsWithinMs = 30_000;

/** Tries once to watch with `whip-whep`, which uses the ICE servers of the answer. Resolves once connected. */
async function watch({ url, token }: WatchOptions): Promise<void> {
  newest?.close();
  const pc = new RTCPeerConnection();
  const video = document.body.appendChild(document.createElement('video'));
  Object.assign(video, { muted: true, autoplay: true });
  const stream = new MediaStream();
  video.srcObject = stream;
  pc.ontrack = ({ track }) => stream.addTrack(track);
  for (const kind of ['audio', 'video']) pc.addTransceiver(kind, { direction: 'recvonly' });
  newest = pc;
  await new WHEPClient().view(pc, url, token);
  await new Promise<void>((resolve, reject) => {
    const fail = (): void => reject(new Error('the peer connection failed'));
    AbortSignal.timeout(connectsWithinMs).addEventListener('abort', fail);
    const look = (): void => {
      if (pc.connectionState === 'connected') resolve();
      if (pc.connectionState === 'failed') fail();
    };
    pc.addEventListener('connectionstatechange', look);
    look();
  });
}

async function report(): Promise<WhepReport> {
  const pc = newest ?? newestConnection();
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
