/** @weight 0.6 for 5 s */
import { ManualClock } from '@rtms/testing';
import type { types } from 'mediasoup';
import type { MediaRoom } from '../../media-engine.js';
import { settleMediasoup, startMediasoup } from '../../testing/mediasoup-under-test.js';
import { RtpSource } from '../../testing/rtp-source.js';
import type { MediaWorker } from '../media-worker.js';
import type { MediasoupEngine } from '../mediasoup-engine.js';

const workerCpuLimit = 0.02;

describe('the load of media workers', () => {
  let clock: ManualClock;
  let engine: MediasoupEngine;
  let room: MediaRoom;
  let own: MediaWorker;

  async function start(workers = 1): Promise<void> {
    clock = new ManualClock();
    engine = await startMediasoup({ workers, workerCpuLimit, clock });
    room = await engine.openRoom('room_1');
    own = engine.workers.find(({ rooms }) => rooms.size === 1)!;
    await sample();
  }
  afterEach(() => engine.close());

  /** The workers measure every two seconds: first the processor time, then the producers' counters. */
  async function sample(): Promise<void> {
    await clock.advance(2_000);
    await settleMediasoup(engine);
    await settleMediasoup(engine);
  }

  async function produce(worker: MediaWorker): Promise<{ producer: types.Producer; router: types.Router }> {
    const router = await worker.createRouter();
    const transport = await router.createDirectTransport();
    const codecs = [{ mimeType: 'audio/opus', payloadType: 111, clockRate: 48_000, channels: 2 }];
    const producer = await transport.produce({ kind: 'audio', rtpParameters: { codecs, encodings: [{ ssrc: 1 }] } });
    return { producer, router };
  }

  /** Sends RTP, twice as much in each round, until `isEnough`. The first measurement of a producer has no rate yet. */
  async function send({ producer }: { producer: types.Producer }, isEnough = () => true): Promise<void> {
    const source = new RtpSource({ payloadType: 111, ssrc: 1, clockRate: 48_000, packetsPerSecond: 50 });
    const payload = Buffer.alloc(160);
    for (let round = 0, count = 500; round < 3 || !isEnough(); round++, count *= 2) {
      for (let packet = 0; packet < count; packet++) producer.send(source.next(payload));
      await producer.getStats();
      await sample();
    }
  }

  /**
   * Lets the worker use much processor time for the two seconds of the clock. It sends each packet to many consumers, because a packet
   * costs this process more than the worker.
   */
  async function occupy(worker: MediaWorker): Promise<void> {
    const { producer, router } = await produce(worker);
    const transport = await router.createPlainTransport({ listenInfo: { protocol: 'udp', ip: '127.0.0.1' } });
    await transport.connect({ ip: '127.0.0.1', port: transport.tuple.localPort });
    const options = { producerId: producer.id, rtpCapabilities: router.rtpCapabilities };
    await Promise.all(Array.from({ length: 32 }, () => transport.consume(options)));
    await send({ producer }, () => worker.load.utilization >= workerCpuLimit * 2);
  }

  it('sends viewers of a busy worker to another one', async () => {
    await start(2);
    await occupy(own);
    await room.openViewer();
    const expected = engine.workers.map(({ budget }) => budget.limit - budget.roomLeft);
    expect([own.budget.limit - own.budget.roomLeft, ...expected.toSorted()]).toEqual([0, 0, 2]);
  });

  it('counts viewers that come at once while their way to another worker opens', async () => {
    await start(2);
    await occupy(own);
    // The other worker has CPU for one usual viewer.
    const opened = await Promise.allSettled([room.openViewer(), room.openViewer(), room.openViewer()]);
    expect(opened.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    await room.close();
    expect(engine.workers.map(({ budget }) => budget.limit - budget.roomLeft)).toEqual([0, 0]);
  });

  it('refuses viewers when all workers are busy, and tells placement', async () => {
    await start();
    expect(room.hasPlaceForViewer).toBe(true);
    await occupy(own);
    expect(room.hasPlaceForViewer).toBe(false);
    await expect(room.openViewer()).rejects.toMatchObject({ reason: 'capacity_reached' });
    const load = engine.load();
    expect(load).toMatchObject({ consumers: 0, utilization: 1, used: load.capacity });
    expect(engine.status().workers[0]?.utilization).toBeGreaterThan(workerCpuLimit);
  });

  it('counts the packets of a producer once for itself and once for each consumer that plays', async () => {
    await start();
    const { producer, router } = await produce(own);
    await send({ producer });
    const received = own.traffic.packetsPerSecond;
    expect(received).toBeGreaterThan(0);
    expect(own.traffic.rateOfViewer(router)).toBeGreaterThanOrEqual(received);
    const transport = await router.createDirectTransport();
    const { rtpCapabilities } = router;
    const consumer = await transport.consume({ producerId: producer.id, rtpCapabilities, paused: true });
    expect(own.traffic.packetsPerSecond).toBe(received);
    await consumer.resume();
    expect(own.traffic.packetsPerSecond).toBeCloseTo(received * 2);
    consumer.close();
    expect(own.traffic.packetsPerSecond).toBe(received);
  });

  it('forgets nothing of a source that pauses when it reckons with the next viewer', async () => {
    await start();
    const { producer, router } = await produce(own);
    await send({ producer });
    const rate = own.traffic.rateOfViewer(router);
    // The packets of the last round may be counted in the first of these.
    await sample();
    await sample();
    expect(own.traffic.packetsPerSecond).toBe(0);
    expect(own.traffic.rateOfViewer(router)).toBeGreaterThan(rate / 2);
  });

  it('reckons with a usual viewer while a room has no media', async () => {
    await start();
    const router = await own.createRouter();
    expect(own.traffic.rateOfViewer(router)).toBe(350);
  });
});
