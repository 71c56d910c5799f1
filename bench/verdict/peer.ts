import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@rtms/testing';
import type { Host } from '../../test/cluster/switched-network.js';
import type { NodeNetwork } from '../node-network.js';
import { encodeClip } from './clip.js';
import type { SeenSecond } from './reporting-viewer.js';

const program = fileURLToPath(new URL('peer-process.ts', import.meta.url));
/** With its headers the video of a publisher has 0.9 Mbit/s, so that a slow host of many viewers serves them. */
const clipKilobits = 800;
/** A browser starts in some seconds, or much later on a busy machine. */
const joinWithinMs = 120_000;

export type PeerOrder =
  /** Repeats the payloads of a clip, as Base64. */
  | { role: 'publisher'; url: string; token: string; clip: string[][] }
  /** By WHEP. */
  | { role: 'viewer'; url: string; token: string; isBrowser: boolean }
  /** By HLS with CMCD. */
  | { role: 'player'; url: string; sessionID: string; isBrowser: boolean };

export interface PeerMessage {
  place?: string;
  failure?: string;
  seen?: SeenSecond;
}

/** A process on a host of its own. */
export interface Peer {
  child: ChildProcess;
  answer: string;
  /** By the own count of a viewer. */
  seen: SeenSecond[];
}

/** Resolves once the publisher sends, the viewer sees or the player plays. */
export async function startPeer(nodes: NodeNetwork, host: Host, order: PeerOrder): Promise<Peer> {
  const command = [...host.around, process.execPath, ...process.execArgv, program];
  // Browsers look for the address that has a default route.
  if (order.role !== 'publisher' && order.isBrowser) addDefaultRoute(host, nodes.network.address);
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...command], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  nodes.onClose(() => child.kill('SIGKILL'));
  const peer: Peer = { child, answer: '', seen: [] };
  let told: PeerMessage | undefined;
  child.on('message', (message: PeerMessage) => {
    if (message.seen) peer.seen.push(message.seen);
    else told = message;
  });
  child.send(order);
  const hasJoined = (): boolean => told !== undefined || child.exitCode !== null;
  await waitFor(hasJoined, { timeoutMs: joinWithinMs, what: `a ${order.role} to join` });
  if (told?.place === undefined) throw new Error(told?.failure ?? `A ${order.role} has ended.`);
  return Object.assign(peer, { answer: told.place });
}

export async function startPublisher(nodes: NodeNetwork, host: Host, url: string, token: string): Promise<Peer> {
  const clip = encodeClip(clipKilobits).map(frame => frame.map(payload => payload.toString('base64')));
  return startPeer(nodes, host, { role: 'publisher', url, token, clip });
}

function addDefaultRoute({ around: [enter = 'ip', ...args] }: Host, gateway: string): void {
  execFileSync(enter, [...args, 'ip', 'route', 'add', 'default', 'via', gateway]);
}
