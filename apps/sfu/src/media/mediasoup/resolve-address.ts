import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** The IP address of a host, of the family that `listenIp` can send to. */
export async function resolveAddress(host: string, listenIp: string, withinMs = 2_000): Promise<string> {
  if (isIP(host) !== 0) return host;
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The address of ${host} was not found in time.`)), withinMs);
  });
  try {
    return (await Promise.race([lookup(host, { family: isIP(listenIp) }), tooLate])).address;
  } finally {
    clearTimeout(timer);
  }
}
