import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import { endpointTrialMs, type EndpointTrial, type MediaEndpoint } from '@rtms/contracts';
import { answers, connectivityCheck, type ConnectivityCheck } from './stun-message.js';

/** A lost packet is no closed port. */
const repeatMs = 250;

/** Says whether a media worker's port answers an ICE connectivity check from here. Never fails. */
export async function tryEndpoint(endpoint: MediaEndpoint, withinMs = endpointTrialMs): Promise<EndpointTrial> {
  const { protocol, address, port } = endpoint;
  const begun = Date.now();
  const attempt = protocol === 'udp' ? overUdp : overTcp;
  const failure = await attempt(endpoint, withinMs).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  return { protocol, address, port, ok: failure === undefined, detail: failure ?? `${Date.now() - begun} ms` };
}

async function overUdp({ address, port, ...ice }: MediaEndpoint, withinMs: number): Promise<void> {
  const check = connectivityCheck(ice.usernameFragment, ice.password);
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  const send = (): void => socket.send(check.bytes, port, address);
  const repeat = setInterval(send, repeatMs);
  try {
    await withDeadline(withinMs, (resolve, reject) => {
      socket.on('error', reject);
      socket.on('message', bytes => answers(check, bytes) && resolve());
      send();
    });
  } finally {
    clearInterval(repeat);
    socket.close();
  }
}

async function overTcp({ address, port, ...ice }: MediaEndpoint, withinMs: number): Promise<void> {
  const check = connectivityCheck(ice.usernameFragment, ice.password);
  const socket = connect({ host: address, port });
  try {
    await withDeadline(withinMs, (resolve, reject) => {
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

/** RFC 4571: two bytes of length before each packet. */
function framed({ bytes }: ConnectivityCheck): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function withDeadline(
  withinMs: number,
  begin: (resolve: () => void, reject: (error: Error) => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${withinMs} ms`)), withinMs);
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      settle();
    };
    begin(
      () => end(resolve),
      error => end(() => reject(error)),
    );
  });
}
