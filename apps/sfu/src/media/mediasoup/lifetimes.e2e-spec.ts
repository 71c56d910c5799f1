/** @weight 0.2 */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import ndc from 'node-datachannel';
import type { HealthCode } from '@rtms/contracts';
import { EventLog, ManualClock, waitFor } from '@rtms/testing';
import { DatachannelDriver } from '../testing/datachannel-driver.js';
import type { MediasoupEngine } from './mediasoup-engine.js';
import { awaitWorker, settleMediasoup, startMediasoup } from '../testing/mediasoup-under-test.js';

afterAll(() => ndc.cleanup());

const workerFds = async (pid: number): Promise<number> => (await readdir(`/proc/${pid}/fd`)).length;

describe('the objects of a media worker', () => {
  let engine: MediasoupEngine;
  let driver: DatachannelDriver;
  let clock: ManualClock;

  beforeEach(async () => {
    clock = new ManualClock();
    engine = await startMediasoup({ workers: 1, clock });
    driver = new DatachannelDriver();
  });

  afterEach(async () => {
    await driver.close();
    await engine.close();
  });

  async function held([worker] = engine.workers): Promise<unknown> {
    if (!worker) throw new Error('no worker');
    const { routerIds, channelMessageHandlers } = await worker.dump();
    const { channelRequestHandlers: requests, channelNotificationHandlers: notifications } = channelMessageHandlers;
    return {
      routerIds,
      handlers: { requests: requests.sort(), notifications: notifications.sort() },
      fds: await workerFds(worker.pid),
    };
  }

  it('survives signals to the service until it is closed', async () => {
    const listeners = () => ['SIGINT', 'SIGTERM'].map(signal => process.listenerCount(signal));
    const before = listeners();
    const another = await startMediasoup({ workers: 2, clock });
    expect(listeners()).toEqual(before);
    await another.close();
  });

  it('is unchanged after a hundred publishers, viewers and feeds in wrong orders', async () => {
    const before = await held();
    const offer = {
      mid: '1',
      codecs: [{ mimeType: 'video/VP8', payloadType: 96, clockRate: 90_000, parameters: {}, rtcpFeedback: [] }],
      headerExtensions: [],
      encodings: [{ ssrc: 77 }],
      rtcp: {},
    };
    const destinations = [{ kind: 'video' as const, ip: '127.0.0.1', rtpPort: 9, rtcpPort: 10 }];
    for (let round = 0; round < 100; round++) {
      const room = await engine.openRoom(`room_${round}`);
      const publisher = await room.openPublisher();
      const track = await publisher.publish('video', offer);
      const viewer = await room.openViewer();
      const capabilities = { kind: 'video' as const, mid: '1', codecs: offer.codecs, headerExtensions: [] };
      const sent = await viewer.send(track, capabilities);
      const feed = await room.openFeed([track], destinations);
      void track.requestKeyframe().catch(() => undefined);
      const payloadType = 120 + (round % 3);
      const numbers = [{ codec: track.codec, payloadType }];
      const numbered = await room.openViewer(numbers);
      const codecs = [{ ...track.codec, payloadType }];
      void numbered.send(track, { ...capabilities, codecs }).catch(() => undefined);
      const opened = [publisher, track, viewer, numbered, feed, sent, room].flatMap(one => one ?? []);
      // Each round begins with another action. Every second round closes everything without waiting for pending requests.
      const order = [...opened.slice(round % opened.length), ...opened.slice(0, round % opened.length)];
      const late = round % 2 ? [room.openViewer(), room.openViewer(numbers), room.openFeed([track], destinations)] : [];
      for (const one of round % 3 ? order : order.reverse()) await one.close();
      await Promise.allSettled(late);
      await room.close();
    }
    await settleMediasoup(engine);
    expect(await held()).toEqual(before);
    expect(engine.load()).toMatchObject({ consumers: 0, publishers: 0 });
  });

  it('is one router and one copy of a track for all viewers with the same payload types', async () => {
    const room = await engine.openRoom('room');
    const [track] = (await driver.publish(await room.openPublisher())).tracks.filter(({ kind }) => kind === 'video');
    if (!track) throw new Error('no video');
    const before = await held();
    const codec = { ...track.codec, parameters: {}, rtcpFeedback: [] };
    const open = async (payloadType: number) => {
      const viewer = await room.openViewer([{ codec, payloadType }]);
      const codecs = [{ ...codec, payloadType }];
      await viewer.send(track, { kind: 'video', mid: '1', codecs, headerExtensions: [] });
      return viewer;
    };
    const viewers = await Promise.all([open(120), open(120), open(121)]);
    const dump = await engine.workers[0]?.dump();
    expect(dump?.routerIds).toHaveLength(3);
    const pipes = await held();
    await (await open(120)).close();
    expect(await held()).toEqual(pipes);
    for (const viewer of viewers) await viewer.close();
    await settleMediasoup(engine);
    expect(await held()).toEqual(before);
  });

  it('is nothing on another worker once its viewers have left', async () => {
    await engine.close();
    engine = await startMediasoup({ workers: 2, consumersPerWorker: 2, clock });
    const [, other] = engine.workers;
    const room = await engine.openRoom('room');
    const { tracks } = await driver.publish(await room.openPublisher());
    const before = await held([other!]);
    const here = await room.openViewer();
    await driver.view(here, tracks);
    const there = await room.openViewer();
    await driver.view(there, tracks);
    expect((await other!.dump()).routerIds).toHaveLength(1);
    await there.close();
    await settleMediasoup(engine);
    expect(await held([other!])).toEqual(before);
    expect(other!.budget.roomLeft).toBe(2);
  });

  it('moves to a new worker when the worker has been frozen for exactly 1.5 s', async () => {
    const room = await engine.openRoom('room');
    const [hung = 0] = engine.workerPids();
    let isLost = false;
    const lost = new Promise<void>(resolve => room.onLost(resolve)).then(() => (isLost = true));
    process.kill(hung, 'SIGSTOP');
    const isStopped = () => readFileSync(`/proc/${hung}/stat`, 'utf8').includes(') T ');
    await waitFor(isStopped, { what: 'the kernel to stop the worker' });
    // The first ping comes after 0.5 s, and the watch sees at the next one that the worker sleeps.
    await clock.advance(2_499);
    expect([isLost, engine.workerPids()]).toEqual([false, [hung]]);
    const replaced = awaitWorker(engine);
    await clock.advance(1);
    await lost;
    await replaced;
    expect(engine.workerPids()).not.toContain(hung);
    await (await engine.openRoom('room')).openPublisher();
  });

  it('ends with the engine', async () => {
    const pids = engine.workerPids();
    await engine.close();
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(engine.workerPids()).toEqual([]);
  });

  async function boundSocket(): Promise<{ socket: Socket; port: number; packets: () => number }> {
    const socket = createSocket('udp4');
    let packets = 0;
    socket.on('message', () => packets++);
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return { socket, port: socket.address().port, packets: () => packets };
  }

  it('feeds plain RTP and sender reports to the given ports', async () => {
    const room = await engine.openRoom('room');
    const peer = await driver.publish(await room.openPublisher());
    const [rtp, rtcp] = [await boundSocket(), await boundSocket()];
    const [video] = peer.tracks.filter(track => track.kind === 'video');
    if (!video) throw new Error('no video');
    const feed = await room.openFeed(
      [video],
      [{ kind: 'video', ip: '127.0.0.1', rtpPort: rtp.port, rtcpPort: rtcp.port }],
    );
    const first = once(rtp.socket, 'message') as Promise<[Buffer]>;
    peer.sendMedia();
    const [packet] = await first;
    expect(packet.readUInt32BE(8)).toBe(feed.tracks[0]?.ssrc);
    expect(packet.readUInt8(1) & 0x7f).toBe(feed.tracks[0]?.payloadType);
    await feed.close();
    for (const { socket } of [rtp, rtcp]) socket.close();
  });

  it('reports a publisher without keyframe requests', async () => {
    const room = await engine.openRoom('room');
    const peer = await driver.publish(await room.openPublisher(), { feedback: false });
    const health = new EventLog<HealthCode[]>();
    for (const track of peer.tracks) track.onHealthChange(codes => health.add(codes));
    peer.sendMedia();
    expect(await health.atLeast(1)).toEqual([['no_keyframe_requests']]);
  });

  it('finds which offered codec the publisher sends', async () => {
    const room = await engine.openRoom('room');
    const otherCodecs = [{ payloadType: 98, codec: 'VP9' as const }];
    const peer = await driver.publish(await room.openPublisher(), { otherCodecs });
    const [video] = peer.tracks.filter(track => track.kind === 'video');
    expect(video?.codec.payloadType).toBe(98);
    peer.sendMedia();
    // The next codec is tried when more bytes than STUN needs arrive for no track between two sweeps.
    for (let looks = 0; video?.lastReceivedAt() === undefined && looks < 10; looks++) {
      for (let packets = 0; packets < 25; packets++) await peer.sends();
      await clock.advance(500);
      await settleMediasoup(engine);
    }
    expect(video?.codec.payloadType).toBe(96);
  });
});
