import { createHash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect as connectTcp, isIPv4, isIPv6, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Clock, Timer } from '@rtms/clock';
import type { IceServer, TurnTrial } from '@rtms/contracts';
import { bareHost } from '@rtms/http';
import { messageOf } from '@rtms/logging';
import { readStun, type StunMessage, stunAttributes, stunHeaderBytes, writeStun, xorAddress } from '@rtms/node';

const withinMs = 4_000;
const repeatMs = 500;
/** The length field has 16 bits. */
const longestMessage = stunHeaderBytes + 0xffff;

/** Methods of TURN, as request types (RFC 8656 section 17). The success response has 0x0100 in addition. */
const methods = { allocate: 0x0003, refresh: 0x0004, createPermission: 0x0008 } as const;
const udp = Buffer.from([17, 0, 0, 0]);

export interface TurnAttempt extends Omit<IceServer, 'urls'> {
  url: string;
  /** Address to which the server must relay. Only IPv4 addresses are tried. */
  peer: string | undefined;
}

/**
 * Allocates a relay at a TURN server as a peer does, asks for permission to send to `peer`, and gives the relay back. Never
 * rejects; fails after 4 s.
 */
export async function tryTurn({ url, username, credential, peer }: TurnAttempt, clock: Clock): Promise<TurnTrial> {
  const begun = clock.now();
  const wire = openWire(parseTurnUrl(url), clock);
  let timer: Timer | undefined;
  try {
    const tooLate = new Promise<never>((_resolve, reject) => {
      timer = clock.after(withinMs, () => reject(new Error(`no answer within ${withinMs} ms`)));
    });
    await Promise.race([tooLate, wire.failed, relay(wire, { username, credential, peer })]);
    return { url, ok: true, detail: `${clock.now() - begun} ms` };
  } catch (error) {
    return { url, ok: false, detail: messageOf(error) };
  } finally {
    timer?.cancel();
    wire.close();
  }
}

async function relay(wire: Wire, { username, credential, peer }: Omit<TurnAttempt, 'url'>): Promise<void> {
  const requestedTransport = [stunAttributes.requestedTransport, udp] as const;
  // The first answer is 401 with the realm and a nonce (RFC 8489 section 9.2).
  const challenge = await wire.ask(methods.allocate, [requestedTransport]);
  const [realm, nonce] = [
    challenge.attributes.get(stunAttributes.realm),
    challenge.attributes.get(stunAttributes.nonce),
  ];
  if (!realm || !nonce) throw new Error(`no challenge but ${errorOf(challenge) ?? 'a relay without credentials'}`);
  const key = createHash('md5').update(`${username}:${realm.toString()}:${credential}`).digest();
  const proof = [
    [stunAttributes.username, Buffer.from(username)],
    [stunAttributes.realm, realm],
    [stunAttributes.nonce, nonce],
  ] as const;
  const must = async (what: string, method: number, attributes: Attributes): Promise<void> => {
    const refusal = errorOf(await wire.ask(method, [...attributes, ...proof], key));
    if (refusal !== undefined) throw new Error(`${what}: ${refusal}`);
  };
  await must('the credentials are refused', methods.allocate, [requestedTransport]);
  try {
    if (peer !== undefined && isIPv4(peer))
      await must(`relaying to ${peer} is refused`, methods.createPermission, [
        [stunAttributes.xorPeerAddress, xorAddress(peer, 0)],
      ]);
  } finally {
    await wire.ask(methods.refresh, [[stunAttributes.lifetime, Buffer.alloc(4)], ...proof], key);
  }
}

/** Code and phrase of an error response, e.g. `401 Unauthorized`; undefined for a success. */
function errorOf({ type, attributes }: StunMessage): string | undefined {
  if ((type & 0x0110) === 0x0100) return undefined;
  const error = attributes.get(stunAttributes.errorCode);
  if (!error || error.length < 4) return `an answer of type ${type}`;
  return `${error.readUInt8(2) * 100 + error.readUInt8(3)} ${error.subarray(4).toString()}`.trim();
}

interface TurnAddress {
  host: string;
  port: number;
  transport: 'udp' | 'tcp' | 'tls';
}

/** Ports and transports by default: RFC 7065 section 3.2. */
export function parseTurnUrl(url: string): TurnAddress {
  const [, scheme, host = '', port, transport] =
    /^(turns?):(\[[^\]]+\]|[^:?]+)(?::(\d+))?(?:\?transport=(\w+))?$/.exec(url) ?? [];
  const isTls = scheme === 'turns';
  return {
    host: bareHost(host),
    port: Number(port ?? (isTls ? 5349 : 3478)),
    transport: isTls ? 'tls' : transport === 'tcp' ? 'tcp' : 'udp',
  };
}

type Attributes = readonly (readonly [number, Buffer])[];

/** A connection to a TURN server, with one request at a time. */
interface Wire {
  ask(method: number, attributes: Attributes, key?: Buffer): Promise<StunMessage>;
  /** Rejects when the connection fails. */
  failed: Promise<never>;
  close(): void;
}

function openWire(address: TurnAddress, clock: Clock): Wire {
  return address.transport === 'udp' ? openDatagrams(address, clock) : openStream(address);
}

function openDatagrams({ host, port }: TurnAddress, clock: Clock): Wire {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  const failed = new Promise<never>((_resolve, reject) => socket.on('error', reject));
  const ask: Wire['ask'] = async (type, attributes, key) => {
    const { bytes, transactionID } = writeStun({ type, attributes, key });
    const send = (): void => socket.send(bytes, port, host);
    const repeat = clock.every(repeatMs, send);
    socket.once('close', () => repeat.cancel());
    send();
    return new Promise(resolve => {
      socket.on('message', function take(received) {
        const message = readStun(received);
        if (!message?.transactionID.equals(transactionID)) return;
        socket.off('message', take);
        repeat.cancel();
        resolve(message);
      });
    });
  };
  return { ask, failed, close: () => socket.close() };
}

function openStream({ host, port, transport }: TurnAddress): Wire {
  const servername = isIPv4(host) || isIPv6(host) ? {} : { servername: host };
  const socket: Socket = transport === 'tls' ? connectTls({ host, port, ...servername }) : connectTcp({ host, port });
  const failed = new Promise<never>((_resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the connection was closed')));
  });
  let received = Buffer.alloc(0);
  const ask: Wire['ask'] = (type, attributes, key) => {
    const { bytes, transactionID } = writeStun({ type, attributes, key });
    socket.write(bytes);
    return new Promise(resolve => {
      socket.on('data', function take(data: Buffer) {
        received = Buffer.concat([received, data]);
        const message = readStun(received);
        if (!message && received.length > longestMessage) socket.destroy(new Error('the answer is not TURN'));
        if (!message) return;
        received = received.subarray(stunHeaderBytes + received.readUInt16BE(2));
        if (!message.transactionID.equals(transactionID)) return;
        socket.off('data', take);
        resolve(message);
      });
    });
  };
  return { ask, failed, close: () => socket.destroy() };
}
