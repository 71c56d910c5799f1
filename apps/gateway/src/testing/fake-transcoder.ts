import type { Bus } from '@rtms/bus';
import {
  ServiceError,
  transcoderCommands,
  type RecordingStorage,
  type RecordedFile,
  type RecordedSpan,
  type RecordingInventory,
  type RenderRecordingRequest,
  type HlsViewerMinute,
  type HlsViewerSamplesQuery,
  type Rendition,
  type RestreamInventory,
  type StartRestreamRequest,
  type StartRepairRequest,
  type ThumbnailRequest,
  type TranscoderInventory,
} from '@rtms/contracts';
import { FakeNode, type FakeNodeOptions } from './fake-node.js';

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

export const recordedFile: RecordedFile = {
  format: 'mp4',
  durationSeconds: 12.5,
  sizeBytes: 5_000_000_000,
  width: 1280,
  height: 720,
  checksumSha256: 'ab'.repeat(32),
  storage: 'node',
};

/** A transcoder that keeps the jobs of its commands and encodes nothing. */
export class FakeTranscoder extends FakeNode {
  readonly jobs = new Map<string, Job>();
  readonly recordings = new Map<string, RecordingInventory>();

  readonly restreams = new Map<string, RestreamInventory>();
  /** All started restreams, with their secrets. */
  readonly restreamed: StartRestreamRequest[] = [];

  readonly pictured: ThumbnailRequest[] = [];
  readonly repairs: StartRepairRequest[] = [];
  readonly rendered: RenderRecordingRequest[] = [];

  override composes: string[] | undefined = ['recordings', 'broadcasts', 'files'];

  /** The minutes of HLS viewers that the node has sampled, oldest first. */
  sampledViewers: HlsViewerMinute[] = [];

  /** Whether a shared storage has the pieces of recordings. */
  hasPieces = false;

  constructor(bus: Bus, nodeID: string, options: FakeNodeOptions) {
    super(bus, nodeID, 'transcoder', options);
  }

  /** The first segments are available. */
  async activate(broadcastID: string): Promise<void> {
    this.set(broadcastID, 'active');
    await this.report(broadcastID, { type: 'broadcast.active', renditions: [rendition] });
  }

  /** The time of the drain is over. */
  async letGo(broadcastID: string): Promise<void> {
    this.jobs.delete(broadcastID);
    await this.report(broadcastID, { type: 'broadcast.interrupted', reason: 'node_draining' });
  }

  /** The recorder writes media. */
  async record(recordingID: string, since = new Date(this.clock.now())): Promise<void> {
    this.setRecording(recordingID, 'recording');
    await this.report(recordingID, { type: 'recording.active', since: since.toISOString() });
  }

  /** The file is complete. */
  async finishRecording(
    recordingID: string,
    storage: RecordingStorage = 'node',
    hasHLS = false,
    spans?: RecordedSpan[],
  ): Promise<void> {
    this.recordings.delete(recordingID);
    const file = { ...recordedFile, storage, ...(hasHLS && { hasHLS }), ...(spans && { spans }) };
    await this.report(recordingID, { type: 'recording.ready', ...file });
  }

  /** The target takes media. */
  async reachTarget(restreamID: string): Promise<void> {
    this.restreams.set(restreamID, { restreamID, state: 'active' });
    await this.report(restreamID, { type: 'restream.active' });
  }

  override forgetAll(): void {
    this.jobs.clear();
    this.restreams.clear();
    this.recordings.clear();
    this.repairs.length = 0;
  }

  protected override async answerAll(): Promise<void> {
    await this.answer(transcoderCommands.drain, ({ draining }) => {
      this.draining = draining;
      return {};
    });
    await this.answer(transcoderCommands.takeThumbnail, request => {
      this.pictured.push(request);
      return { jpeg: Buffer.from(`picture of ${request.sourceID}`).toString('base64') };
    });
    await this.answer(transcoderCommands.startRepair, request => {
      this.repairs.push(request);
      return {};
    });
    await this.answer(transcoderCommands.startBroadcast, ({ broadcastID }) => {
      this.jobs.set(broadcastID, { broadcastID, state: 'starting' });
      return {};
    });
    await this.answer(transcoderCommands.interruptBroadcast, ({ broadcastID }) => this.set(broadcastID, 'interrupted'));
    await this.answer(transcoderCommands.resumeBroadcast, ({ broadcastID }) => this.set(broadcastID, 'starting'));
    await this.answer(transcoderCommands.composeBroadcast, () => ({}));
    await this.answer(transcoderCommands.noteLostNode, () => ({}));
    for (const command of [transcoderCommands.handOverBroadcast, transcoderCommands.stopBroadcast]) {
      await this.answer(command, ({ broadcastID }) => {
        this.jobs.delete(broadcastID);
        return {};
      });
    }
    await this.answer(transcoderCommands.readViewerSamples, query => this.viewerSamplesOf(query));
    await this.answerRecordings();
    await this.answerRestreams();
    await this.answer(transcoderCommands.inventory, () => ({
      epoch: this.epoch,
      broadcasts: [...this.jobs.values()],
      recordings: [...this.recordings.values()],
      restreams: [...this.restreams.values()],
      repairs: this.repairs,
    }));
  }

  private async answerRecordings(): Promise<void> {
    const { startRecording, interruptRecording, resumeRecording, stopRecording, deleteRecording, completeRecording } =
      transcoderCommands;
    await this.answer(startRecording, ({ recordingID }) => this.setRecording(recordingID, 'starting'));
    await this.answer(interruptRecording, ({ recordingID }) => this.setRecording(recordingID, 'interrupted'));
    await this.answer(resumeRecording, ({ recordingID }) => this.setRecording(recordingID, 'recording'));
    await this.answer(transcoderCommands.composeRecording, () => ({}));
    await this.answer(transcoderCommands.renderRecording, request => {
      this.rendered.push(request);
      return this.setRecording(request.recordingID, 'processing');
    });
    await this.answer(stopRecording, ({ recordingID }) => this.setRecording(recordingID, 'processing'));
    await this.answer(completeRecording, ({ recordingID }) => {
      if (!this.hasPieces) throw new ServiceError('not_found', 'There are no pieces.');
      return this.setRecording(recordingID, 'processing');
    });
    await this.answer(deleteRecording, ({ recordingID }) => {
      this.recordings.delete(recordingID);
      return {};
    });
  }

  private async answerRestreams(): Promise<void> {
    const { startRestream, interruptRestream, resumeRestream, stopRestream } = transcoderCommands;
    await this.answer(startRestream, request => {
      this.restreamed.push(request);
      return this.setRestream(request.restreamID, 'connecting');
    });
    await this.answer(interruptRestream, ({ restreamID }) => this.setRestream(restreamID, 'interrupted'));
    await this.answer(resumeRestream, ({ restreamID }) => this.setRestream(restreamID, 'retrying'));
    await this.answer(stopRestream, ({ restreamID }) => {
      this.restreams.delete(restreamID);
      return {};
    });
  }

  /** All minutes on one page. */
  private viewerSamplesOf({ broadcastID, afterViewer = '', after = '' }: HlsViewerSamplesQuery) {
    const placeOf = (each: HlsViewerMinute) => `${each.minute} ${each.broadcastID} ${each.viewerID}`;
    const own = this.sampledViewers.filter(each => each.broadcastID === broadcastID && each.viewerID > afterViewer);
    if (broadcastID !== undefined) return { minutes: own, isLast: true };
    const minutes = this.sampledViewers.filter(each => placeOf(each) > after);
    return { minutes, next: minutes.map(placeOf).at(-1) ?? after, isLast: true };
  }

  private setRestream(restreamID: string, state: RestreamInventory['state']): Record<string, never> {
    this.restreams.set(restreamID, { restreamID, state });
    return {};
  }

  private setRecording(recordingID: string, state: RecordingInventory['state']): Record<string, never> {
    this.recordings.set(recordingID, { recordingID, state });
    return {};
  }

  private set(broadcastID: string, state: Job['state']): Record<string, never> {
    const job = this.jobs.get(broadcastID);
    if (job) job.state = state;
    return {};
  }
}
