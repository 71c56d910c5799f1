import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import { createHmac, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Clock } from '@rtms/clock';
import { type EndpointTrial, endpointTrialMs, type MediaEndpoint } from '@rtms/contracts';
import { messageOf } from '@rtms/logging';

/** Period for repeating a check, because its packet may be lost. */
const repeatMs = 250;

/** Tests whether a media worker's port answers an ICE connectivity check. Never rejects. */
export async function tryEndpoint(endpoint: MediaEndpoint, clock: Clock): Promise<EndpointTrial> {
  const { protocol, address, port } = endpoint;
  const begun = clock.now();
  const attempt = protocol === 'udp' ? overUdp : overTcp;
  const failure = await attempt(endpoint, clock).then(() => undefined, messageOf);
  return { protocol, address, port, ok: failure === undefined, detail: failure ?? `${clock.now() - begun} ms` };
}

async function overUdp({ address, port, ...ice }: MediaEndpoint, clock: Clock): Promise<void> {
  const check = connectivityCheck(ice.usernameFragment, ice.password);
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  const send = (): void => socket.send(check.bytes, port, address);
  const repeat = clock.every(repeatMs, send);
  try {
    await withDeadline(clock, (resolve, reject) => {
      socket.on('error', reject);
      socket.on('message', bytes => answers(check, bytes) && resolve());
      send();
    });
  } finally {
    repeat.cancel();
    socket.close();
  }
}

async function overTcp({ address, port, ...ice }: MediaEndpoint, clock: Clock): Promise<void> {
  const check = connectivityCheck(ice.usernameFragment, ice.password);
  const socket = connect({ host: address, port });
  try {
    await withDeadline(clock, (resolve, reject) => {
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('the connection was closed')));
      socket.on('connect', () => socket.write(framed(check)));
      let received = Buffer.alloc(0);
      socket.on('data', bytes => {
        received = Buffer.concat([received, bytes]);
        if (answers(check, received.subarray(2))) resolve();
      });
    });
  } finally {
    socket.destroy();
  }
}

/** Puts the length (two bytes) before a packet (RFC 4571). */
function framed({ bytes }: ConnectivityCheck): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function withDeadline(
  clock: Clock,
  begin: (resolve: () => void, reject: (error: Error) => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const tooLate = (): void => reject(new Error(`no answer within ${endpointTrialMs} ms`));
    const timer = clock.after(endpointTrialMs, tooLate);
    const end = (settle: () => void): void => {
      timer.cancel();
      settle();
    };
    begin(
      () => end(resolve),
      error => end(() => reject(error)),
    );
  });
}

const magicCookie = 0x2112a442;
const bindingRequest = 0x0001;
const bindingResponse = 0x0101;
/** Length of the header in bytes (RFC 8489 section 5). */
const headerBytes = 20;
const fingerprintMask = 0x5354554e;

const attributes = {
  username: 0x0006,
  messageIntegrity: 0x0008,
  priority: 0x0024,
  fingerprint: 0x8028,
  iceControlling: 0x802a,
} as const;

/** Writes a connectivity check for an ICE-lite server (RFC 8445 section 7.1.1). */
export interface ConnectivityCheck {
  transactionID: Buffer;
  bytes: Buffer;
}

export function connectivityCheck(usernameFragment: string, password: string): ConnectivityCheck {
  const transactionID = randomBytes(12);
  const body = Buffer.concat([
    attribute(attributes.username, Buffer.from(`${usernameFragment}:${randomBytes(4).toString('hex')}`)),
    attribute(attributes.priority, Buffer.from([0x6e, 0, 0, 0xff])),
    attribute(attributes.iceControlling, randomBytes(8)),
  ]);
  const signed = withIntegrity(body, transactionID, password);
  return { transactionID, bytes: withFingerprint(signed, transactionID) };
}

/** Whether the bytes are the success response to a check. */
function answers({ transactionID }: ConnectivityCheck, bytes: Buffer): boolean {
  if (bytes.length < headerBytes) return false;
  return bytes.readUInt16BE(0) === bindingResponse && bytes.subarray(8, headerBytes).equals(transactionID);
}

/** The length in the header includes the attribute that is computed from it (RFC 8489 sections 14.5 and 14.7). */
function withIntegrity(body: Buffer, transactionID: Buffer, password: string): Buffer {
  const message = Buffer.concat([header(body.length + 24, transactionID), body]);
  const digest = createHmac('sha1', password).update(message).digest();
  return Buffer.concat([body, attribute(attributes.messageIntegrity, digest)]);
}

function withFingerprint(body: Buffer, transactionID: Buffer): Buffer {
  const message = Buffer.concat([header(body.length + 8, transactionID), body]);
  const value = Buffer.alloc(4);
  value.writeUInt32BE((crc32(message) ^ fingerprintMask) >>> 0);
  return Buffer.concat([message, attribute(attributes.fingerprint, value)]);
}

function header(length: number, transactionID: Buffer): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16BE(bindingRequest, 0);
  bytes.writeUInt16BE(length, 2);
  bytes.writeUInt32BE(magicCookie, 4);
  return Buffer.concat([bytes, transactionID]);
}

/** Pads a value to a multiple of four bytes. */
function attribute(type: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(value.length, 2);
  return Buffer.concat([head, value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
}
