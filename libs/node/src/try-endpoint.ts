import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import { randomBytes } from 'node:crypto';
import type { Clock } from '@rtms/clock';
import { type EndpointTrial, endpointTrialMs, type MediaEndpoint } from '@rtms/contracts';
import { messageOf } from '@rtms/logging';
import { readStun, stunAttributes, writeStun, type WrittenStun } from './stun-message.js';

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
function framed({ bytes }: WrittenStun): Buffer {
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

const bindingRequest = 0x0001;
const bindingResponse = 0x0101;

/** Writes a connectivity check for an ICE-lite server (RFC 8445 section 7.1.1). */
export function connectivityCheck(usernameFragment: string, password: string): WrittenStun {
  const { username, priority, iceControlling } = stunAttributes;
  return writeStun({
    type: bindingRequest,
    attributes: [
      [username, Buffer.from(`${usernameFragment}:${randomBytes(4).toString('hex')}`)],
      [priority, Buffer.from([0x6e, 0, 0, 0xff])],
      [iceControlling, randomBytes(8)],
    ],
    key: password,
  });
}

/** Whether the bytes are the success response to a check. */
function answers({ transactionID }: WrittenStun, bytes: Buffer): boolean {
  const message = readStun(bytes);
  return message?.type === bindingResponse && message.transactionID.equals(transactionID);
}
