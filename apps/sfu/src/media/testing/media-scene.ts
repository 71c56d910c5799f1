import { setImmediate as turnOfTheEventLoop } from 'node:timers/promises';
import type { Clock } from '@rtms/clock';
import { EventLog, ManualClock } from '@rtms/testing';
import type {
  MediaEngine,
  MediaRoom,
  PeerTransport,
  PublishedTrack,
  PublisherTransport,
  TransportState,
  ViewerTransport,
} from '../media-engine.js';
import type { PeerDriver, PublishingPeer, PublishOptions, ViewingPeer } from './media-peer.js';

export interface EngineOptions {
  workers: number;
  consumersPerWorker?: number;
}

export interface EngineUnderTest {
  start(options: EngineOptions & { clock: Clock }): Promise<MediaEngine>;
  driver(engine: MediaEngine, clock: ManualClock): PeerDriver;
  /** Ends a media worker as the operating system would. Resolves once another one runs in its place. */
  killWorker(engine: MediaEngine, pid: number): Promise<void>;
  /** Resolves once the media workers have done all earlier requests and this process has their notifications. */
  settle(engine: MediaEngine): Promise<void>;
}

/** The period in which media workers read the counters of their tracks. */
const sweepMs = 500;

/** A room on an engine under test, with publishers and viewers. Its clock stands still unless a test moves it. */
export class MediaScene {
  private constructor(
    private readonly underTest: EngineUnderTest,
    readonly engine: MediaEngine,
    readonly clock: ManualClock,
    readonly driver: PeerDriver,
    public room: MediaRoom,
  ) {}

  static async open(
    underTest: EngineUnderTest,
    { engine, clock }: StartedEngine,
    meetingID: string,
  ): Promise<MediaScene> {
    const driver = underTest.driver(engine, clock);
    return new MediaScene(underTest, engine, clock, driver, await engine.openRoom(meetingID));
  }

  async publish(
    options?: PublishOptions,
    into = this.room,
  ): Promise<{ peer: PublishingPeer; transport: PublisherTransport }> {
    const transport = await into.openPublisher();
    const peer = await this.driver.publish(transport, options);
    const received = peer.tracks.map(receives);
    peer.sendMedia();
    await this.pass(20);
    await Promise.all(received);
    return { peer, transport };
  }

  async view({ tracks }: PublishingPeer, from = this.room): Promise<{ transport: ViewerTransport; peer: ViewingPeer }> {
    const transport = await from.openViewer();
    return { transport, peer: await this.driver.view(transport, tracks) };
  }

  /** Moves the clock, half a second at a time; media workers read the counters of their tracks meanwhile. */
  async pass(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= sweepMs) {
      await this.clock.advance(Math.min(left, sweepMs));
      await this.settle();
    }
  }

  /** Moves the clock until the condition holds. Fails when it does not hold within that time. */
  async passUntil(condition: () => boolean, milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0 && !condition(); left -= sweepMs) await this.pass(sweepMs);
    if (!condition()) throw new Error(`after ${milliseconds} ms it was still false that ${condition.toString()}`);
  }

  async settle(): Promise<void> {
    await this.underTest.settle(this.engine);
    await turnOfTheEventLoop();
  }

  async close(): Promise<void> {
    await this.driver.close();
    await this.room.close();
  }
}

interface StartedEngine {
  engine: MediaEngine;
  clock: ManualClock;
}

/** Opens a scene for each test. Tests that name no options share one engine, on which each has a room of its own. */
export class MediaScenes {
  private readonly opened: MediaScene[] = [];
  private readonly own: MediaEngine[] = [];
  private shared: Promise<StartedEngine> | undefined;
  private rooms = 0;

  constructor(private readonly underTest: EngineUnderTest) {}

  async open(options?: EngineOptions): Promise<MediaScene> {
    const started = options ? await this.start(options) : await (this.shared ??= this.start({ workers: 1 }));
    if (options) this.own.push(started.engine);
    const scene = await MediaScene.open(this.underTest, started, `room_${++this.rooms}`);
    this.opened.push(scene);
    return scene;
  }

  /** After each test. */
  async closeScenes(): Promise<void> {
    for (const scene of this.opened.splice(0)) await scene.close();
    for (const engine of this.own.splice(0)) await engine.close();
  }

  /** After the last test. */
  async close(): Promise<void> {
    await (await this.shared)?.engine.close();
  }

  private async start(options: EngineOptions): Promise<StartedEngine> {
    const clock = new ManualClock();
    return { engine: await this.underTest.start({ ...options, clock }), clock };
  }
}

/** Resolves once the transport is in that state, now or later. */
export async function becomes(transport: PeerTransport, state: TransportState): Promise<void> {
  const states = new EventLog<TransportState>();
  transport.onStateChange(states.add);
  states.add(transport.state);
  await states.find(each => each === state);
}

/** Resolves when the track has received its first packet. */
export async function receives(track: PublishedTrack): Promise<void> {
  const packets = new EventLog<'first packet'>();
  track.onReceiving(() => packets.add('first packet'));
  await packets.atLeast(1);
}

/** Resolves once both kinds arrive again. */
export async function arrives(peer: ViewingPeer): Promise<void> {
  await peer.arrives('audio');
  await peer.arrives('video');
}
