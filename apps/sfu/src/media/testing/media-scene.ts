import { waitFor } from '@rtms/testing';
import type { MediaEngine, MediaRoom, PublisherTransport, ViewerTransport } from '../media-engine.js';
import type { PeerDriver, PublishingPeer, PublishOptions, ViewingPeer } from './media-peer.js';

export interface EngineUnderTest {
  start(options: { workers: number; consumersPerWorker?: number }): Promise<MediaEngine>;
  driver(engine: MediaEngine): PeerDriver;
  killWorker(engine: MediaEngine, pid: number): Promise<void>;
}

/** A room on an engine under test, with publishers and viewers. */
export class MediaScene {
  private constructor(
    readonly engine: MediaEngine,
    readonly driver: PeerDriver,
    public room: MediaRoom,
  ) {}

  static async open(
    underTest: EngineUnderTest,
    options: Parameters<EngineUnderTest['start']>[0] = { workers: 1 },
  ): Promise<MediaScene> {
    const engine = await underTest.start(options);
    return new MediaScene(engine, underTest.driver(engine), await engine.openRoom('room_1'));
  }

  async publish(
    options?: PublishOptions,
    into = this.room,
  ): Promise<{ peer: PublishingPeer; transport: PublisherTransport }> {
    const transport = await into.openPublisher();
    const peer = await this.driver.publish(transport, options);
    peer.sendMedia();
    await waitFor(() => peer.tracks.every(track => track.lastReceivedAt()), { what: 'RTP of every track' });
    return { peer, transport };
  }

  async view({ tracks }: PublishingPeer, from = this.room): Promise<{ transport: ViewerTransport; peer: ViewingPeer }> {
    const transport = await from.openViewer();
    return { transport, peer: await this.driver.view(transport, tracks) };
  }

  async close(): Promise<void> {
    await this.driver.close();
    await this.engine.close();
  }
}

/** Until both kinds arrive anew. */
export async function arrives(peer: ViewingPeer): Promise<void> {
  const before = { audio: peer.received('audio'), video: peer.received('video') };
  await waitFor(() => peer.received('audio') > before.audio && peer.received('video') > before.video, {
    what: 'the viewer to receive audio and video',
  });
}

/** Until the publisher's RTP has gone on for `ms`. */
export async function mediaGoOn({ tracks }: PublishingPeer, ms: number): Promise<void> {
  const end = Date.now() + ms;
  await waitFor(() => tracks.every(track => (track.lastReceivedAt() ?? 0) > end), { what: 'RTP to go on' });
}
