import { isLoopback, isUnspecified, type ListenSettings } from '../media/mediasoup/listen-address.js';

/** Why other nodes cannot send media to this one by the address that it gives them; undefined where they can. */
export function relayAddressFault(media: ListenSettings & { relayAddress?: string | undefined }): string | undefined {
  const listening = media.listenIp ?? (media.announcedAddress ? '0.0.0.0' : '127.0.0.1');
  const address = media.relayAddress ?? listening;
  if (isUnspecified(address)) return `${address} is not an address to send to`;
  if (isOfThisMachine(address) && !isOfThisMachine(media.announcedAddress ?? listening))
    return `${address} is this machine alone, but media is announced elsewhere`;
  return undefined;
}

function isOfThisMachine(address: string): boolean {
  return address === 'localhost' || isLoopback(address);
}
