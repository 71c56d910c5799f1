import { randomInt } from 'node:crypto';
import type { types } from 'mediasoup';
import type { RepairInput } from '@rtms/contracts';
import { Ending } from '../listeners.js';
import type { InletSource, MediaInlet } from '../media-engine.js';
import type { MediaWorker } from './media-worker.js';
import { MediasoupTrack } from './tracks/mediasoup-track.js';

interface InletLeg {
  track: MediasoupTrack;
  input: RepairInput;
  transport: types.PlainTransport;
}

/** Tracks that a transcoder sends: one plain transport for each, which accepts packets of one address and one SSRC. */
export class MediasoupInlet implements MediaInlet {
  private readonly ending = new Ending();

  private constructor(private readonly legs: readonly InletLeg[]) {}

  static async open(router: types.Router, worker: MediaWorker, sources: InletSource[]): Promise<MediasoupInlet> {
    const opened = await Promise.allSettled(sources.map(source => openLeg(router, worker, source)));
    const inlet = new MediasoupInlet(opened.flatMap(leg => (leg.status === 'fulfilled' ? [leg.value] : [])));
    const failure = opened.find(leg => leg.status === 'rejected');
    if (!failure) return inlet;
    inlet.closeNow();
    throw failure.reason;
  }

  get tracks(): MediasoupTrack[] {
    return this.legs.map(({ track }) => track);
  }

  get inputs(): RepairInput[] {
    return this.legs.map(({ input }) => input);
  }

  onClosed(listener: () => void): void {
    this.ending.add(listener);
  }

  /** Reads the tracks' counters. */
  async sweep(): Promise<void> {
    try {
      await Promise.all(this.legs.map(({ track }) => track.sweep()));
    } catch (error) {
      if (!this.ending.isOver) throw error;
    }
  }

  async close(): Promise<void> {
    this.closeNow();
  }

  closeNow(): void {
    this.ending.run(() => {
      for (const { track, transport } of this.legs) {
        track.closeNow();
        transport.close();
      }
    });
  }
}

/** One port for RTP and RTCP. Disables comedia, which would accept the first sender, whoever it is. */
async function openLeg(
  router: types.Router,
  worker: MediaWorker,
  { kind, codec, ip, port }: InletSource,
): Promise<InletLeg> {
  const listenInfo = worker.plainListenInfo();
  const transport = await router.createPlainTransport({ listenInfo, rtcpMux: true, comedia: false });
  try {
    await transport.connect({ ip, port });
    const ssrc = randomInt(1, 2 ** 32);
    const offer = { codecs: [codec], headerExtensions: [], encodings: [{ ssrc }], rtcp: {} };
    const from = { transport, router, clock: worker.clock, isObserved: false };
    const track = await MediasoupTrack.publish({ ...from, kind, offer, candidates: [codec] });
    const { payloadType } = codec;
    const to = { ip: worker.relayAddress, port: transport.tuple.localPort };
    return { track, transport, input: { kind, ...to, payloadType, ssrc } };
  } catch (error) {
    transport.close();
    throw error;
  }
}
