import { createHash } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import * as mediasoup from 'mediasoup';
import type { types } from 'mediasoup';
import { SeededRandom, waitFor } from '@rtms/testing';
import { RtpSource } from '../../testing/rtp-source.js';

const codec = { mimeType: 'audio/opus', payloadType: 111, clockRate: 48_000, channels: 2 };
const receivers = 3;

/** A received packet without what differs between runs. */
interface Arrival {
  consumer: number;
  sequence: number;
  timestamp: number;
  payload: string;
}

/** A producer with two consumers for each of three addresses. The consumers of an address share its transport. */
class Fanout {
  private readonly arrivals = Array.from({ length: receivers }, (): Buffer[] => []);
  private readonly source = new RtpSource({ payloadType: 111, ssrc: 1, clockRate: 48_000, packetsPerSecond: 50 });
  private readonly ssrcs: number[] = [];
  readonly transports: types.PlainTransport[] = [];
  private sent = 0;

  private constructor(
    readonly worker: types.Worker,
    private readonly sockets: Socket[],
    private readonly producer: types.Producer,
  ) {}

  static async open(): Promise<Fanout> {
    const worker = await mediasoup.createWorker({ logLevel: 'debug', logTags: ['info'] });
    const router = await worker.createRouter({
      mediaCodecs: [{ ...codec, kind: 'audio', preferredPayloadType: codec.payloadType }],
    });
    const direct = await router.createDirectTransport();
    const rtpParameters = { codecs: [codec], encodings: [{ ssrc: 1 }] };
    const producer = await direct.produce({ kind: 'audio', rtpParameters });
    const sockets = Array.from({ length: receivers }, () => createSocket('udp4'));
    const fanout = new Fanout(worker, sockets, producer);
    for (const [index, socket] of sockets.entries()) {
      socket.on('message', packet => isRtp(packet) && fanout.arrivals[index]?.push(packet));
      socket.bind(0, '127.0.0.1');
      await once(socket, 'listening');
      const transport = await router.createPlainTransport({ listenInfo: { protocol: 'udp', ip: '127.0.0.1' } });
      await transport.connect({ ip: '127.0.0.1', port: socket.address().port });
      fanout.transports.push(transport);
      for (let count = 0; count < 2; count++) {
        const { rtpCapabilities } = router;
        const consumer = await transport.consume({ producerId: producer.id, rtpCapabilities });
        fanout.ssrcs.push(consumer.rtpParameters.encodings?.[0]?.ssrc ?? 0);
      }
    }
    return fanout;
  }

  /** The worker reads all these packets in one iteration of its event loop. */
  send(payloads: readonly Buffer[]): void {
    for (const payload of payloads) this.producer.send(this.source.next(payload));
    this.sent += payloads.length;
  }

  async allArrived(): Promise<void> {
    await waitFor(() => this.arrivals.every(({ length }) => length >= 2 * this.sent), { what: 'all packets' });
  }

  /**
   * For each address its packets in the order of arrival. The worker sends a packet to both consumers of an address before
   * the next packet, but to either of them first.
   */
  received(): Arrival[][] {
    return this.arrivals.map(packets => {
      const firsts = new Map<number, Buffer>();
      const arrivals = packets.map((packet): Arrival => {
        const ssrc = packet.readUInt32BE(8);
        const first = firsts.get(ssrc) ?? packet;
        firsts.set(ssrc, first);
        return {
          consumer: this.ssrcs.indexOf(ssrc),
          sequence: (packet.readUInt16BE(2) - first.readUInt16BE(2)) & 0xffff,
          timestamp: (packet.readUInt32BE(4) - first.readUInt32BE(4)) >>> 0,
          payload: createHash('sha1').update(packet.subarray(12)).digest('hex'),
        };
      });
      const pairs = Array.from({ length: arrivals.length / 2 }, (_, at) => arrivals.slice(2 * at, 2 * at + 2));
      return pairs.flatMap(pair => pair.toSorted((one, other) => one.consumer - other.consumer));
    });
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.close();
    if (this.worker.closed) return;
    const ended = once(this.worker, 'subprocessclose');
    this.worker.close();
    await ended;
  }
}

/** RTCP has payload types 192 to 223 (RFC 5761 section 4). */
function isRtp(packet: Buffer): boolean {
  const type = packet.readUInt8(1);
  return type < 192 || type > 223;
}

/** Runs of one size, shorter and longer packets: all that decides which packets leave together. */
function burst(random: SeededRandom): Buffer[] {
  const sizes = Array.from({ length: 4 }, () => {
    const size = random.between(1, 1_200);
    return [...Array.from({ length: random.between(1, 5) }, () => size), random.between(1, 1_200)];
  }).flat();
  return sizes.map((size, index) => Buffer.alloc(size, index + random.between(1, 100)));
}

// A worker of mediasoup's authors, or of the user, has no patch.
const isPatched = readFileSync(mediasoup.workerBin).includes('MEDIASOUP_UDP_SEND_BATCH');
if (!isPatched) process.stderr.write(`The UDP send batch is not tried: ${mediasoup.workerBin} is built without it.\n`);

(isPatched ? describe : describe.skip)('the UDP send batch of the media worker', () => {
  const logs: string[] = [];
  let fanout: Fanout;

  async function open(setting: string): Promise<void> {
    logs.length = 0;
    // mediasoup passes the environment to its worker.
    process.env['MEDIASOUP_UDP_SEND_BATCH'] = setting;
    try {
      fanout = await Fanout.open();
    } finally {
      delete process.env['MEDIASOUP_UDP_SEND_BATCH'];
    }
  }

  beforeAll(() => mediasoup.setLogEventListeners({ ondebug: (_space, message) => logs.push(message) }));
  afterAll(() => mediasoup.setLogEventListeners(undefined));
  afterEach(() => fanout.close());

  async function arrivalsWith(setting: string): Promise<Arrival[][]> {
    await open(setting);
    const random = new SeededRandom(7);
    for (let round = 0; round < 20; round++) {
      fanout.send(burst(random));
      await fanout.allArrived();
    }
    return fanout.received();
  }

  it('delivers the same packets in the same order as single sends', async () => {
    const single = await arrivalsWith('off');
    expect(logs.join('\n')).toContain('UDP send batch: off by MEDIASOUP_UDP_SEND_BATCH');
    await fanout.close();

    const batched = await arrivalsWith('on');
    // Kernels before 4.18 cannot send batches.
    expect(logs.join('\n')).toMatch(/UDP send batch: (on|the kernel does not support)/);
    expect(batched).toEqual(single);
  });

  it.each(['off', 'on'])('sends what a transport got before it closes, with the batch %s', async setting => {
    await open(setting);
    fanout.send(burst(new SeededRandom(3)));
    for (const transport of fanout.transports) transport.close();

    await fanout.allArrived();
    await expect(fanout.worker.dump()).resolves.toMatchObject({ pid: fanout.worker.pid });
  });
});
