import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Clock, Timer } from '@rtms/clock';

const withinMs = 2_000;

/** The IP address of a host, of the family that `listenIp` can send to. */
export async function resolveAddress(host: string, listenIp: string, clock: Clock): Promise<string> {
  if (isIP(host) !== 0) return host;
  let timer: Timer | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = clock.after(withinMs, () => reject(new Error(`The address of ${host} was not found in time.`)));
  });
  try {
    return (await Promise.race([lookup(host, { family: isIP(listenIp) }), tooLate])).address;
  } finally {
    timer?.cancel();
  }
}
