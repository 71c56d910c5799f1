import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import type { Clock } from '@rtms/clock';
import { endpointTrialMs, type EndpointTrial, type MediaEndpoint } from '@rtms/contracts';
import { answers, connectivityCheck, type ConnectivityCheck } from './stun-message.js';

/** A check whose packet was lost is sent again. */
const repeatMs = 250;

/** Says whether a media worker's port answers an ICE connectivity check from here. Never fails. */
export async function tryEndpoint(endpoint: MediaEndpoint, clock: Clock): Promise<EndpointTrial> {
  const { protocol, address, port } = endpoint;
  const begun = clock.now();
  const attempt = protocol === 'udp' ? overUdp : overTcp;
  const failure = await attempt(endpoint, clock).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
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

/** RFC 4571: two bytes of length before each packet. */
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
