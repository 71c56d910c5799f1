import type { Bus } from '@rtms/bus';
import { transcoderCommands, type RecordingInventory, type Rendition, type TranscoderInventory } from '@rtms/contracts';
import { FakeNode } from './fake-node.js';

type Job = TranscoderInventory['broadcasts'][number];

export const rendition: Rendition = {
  name: '720p',
  width: 1280,
  height: 720,
  frameRate: 30,
  videoBitrate: 2_800_000,
  audioBitrate: 128_000,
  codecs: 'avc1.64001f,mp4a.40.2',
};

/** A transcoder that holds what it was told to hold and encodes nothing. */
export class FakeTranscoder extends FakeNode {
  readonly jobs = new Map<string, Job>();
  readonly recordings = new Map<string, RecordingInventory>();

  constructor(bus: Bus, nodeID: string) {
    super(bus, nodeID, 'transcoder');
  }

  /** The first segments can be fetched. */
  async activate(broadcastID: string): Promise<void> {
    this.set(broadcastID, 'active');
    await this.report(broadcastID, { type: 'broadcast.active', renditions: [rendition] });
  }

  override forgetAll(): void {
    this.jobs.clear();
  }

  protected override async answerAll(): Promise<void> {
    await this.answer(transcoderCommands.drain, ({ draining }) => {
      this.draining = draining;
      return {};
    });
    await this.answer(transcoderCommands.startBroadcast, ({ broadcastID }) => {
      this.jobs.set(broadcastID, { broadcastID, state: 'starting' });
      return {};
    });
    await this.answer(transcoderCommands.interruptBroadcast, ({ broadcastID }) => this.set(broadcastID, 'interrupted'));
    await this.answer(transcoderCommands.resumeBroadcast, ({ broadcastID }) => this.set(broadcastID, 'starting'));
    await this.answer(transcoderCommands.stopBroadcast, ({ broadcastID }) => {
      this.jobs.delete(broadcastID);
      return {};
    });
    await this.answer(transcoderCommands.inventory, () => ({
      epoch: this.epoch,
      broadcasts: [...this.jobs.values()],
      recordings: [...this.recordings.values()],
    }));
  }

  private set(broadcastID: string, state: Job['state']): Record<string, never> {
    const job = this.jobs.get(broadcastID);
    if (job) job.state = state;
    return {};
  }
}
