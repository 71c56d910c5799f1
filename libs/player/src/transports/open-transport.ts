import type { Clock } from '@rtms/clock';
import type { PlayerSource } from './player-source.js';
import { PlayerFailure } from './failure.js';
import { HlsTransport } from './hls.js';
import type { OpenTransport, TransportKind } from './transport.js';
import { WhepTransport } from './whep.js';

interface OpenOptions {
  /** Resolves with the addresses for this connection. Called once. */
  address: () => Promise<PlayerSource>;
  clock: Clock;
  sendsCmcd: boolean;
}

/** Returns a function that opens a transport. */
export type TransportOpener = (kind: TransportKind, options: OpenOptions) => OpenTransport;

export const openTransport: TransportOpener =
  (kind, { address, clock, sendsCmcd }) =>
  (video, listener) => {
    const own = async <Kind extends TransportKind>(wanted: Kind): Promise<NonNullable<PlayerSource[Kind]>> => {
      const found = (await address())[wanted];
      if (found === undefined) throw new PlayerFailure('no_source');
      return found;
    };
    return kind === 'whep'
      ? new WhepTransport({ endpoint: () => own('whep'), video, clock }, listener)
      : new HlsTransport({ url: () => own('hls'), video, clock, sendsCmcd }, listener);
  };
