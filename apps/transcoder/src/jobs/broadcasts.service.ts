import { requesterFor, type Bus, type Closeable } from '@rtms/bus';
import type { Clock, Timer } from '@rtms/clock';
import {
  broadcastOrigin,
  ServiceError,
  type BroadcastFact,
  type FactBody,
  type ResumedSource,
  type StartBroadcastRequest,
  type TranscoderInventory,
} from '@rtms/contracts';
import type { DrainState } from '@rtms/health';
import type { Logger } from '@rtms/logging';
import type { PresentationRegistry } from '../delivery/presentation-registry.js';
import type { SegmentStore } from '../delivery/segment-store.js';
import { refuseFullDisk } from '../disk.js';
import { BroadcastJob } from './broadcast-job.js';
import type { Encoder } from './encoder/encoder.js';
import { Presentation, type PresentationOptions } from './hls/presentation.js';
import type { OpenFeed } from './source-feed.js';

/** Takes facts about broadcasts and keeps them until the bus has them. */
export interface BroadcastReports {
  report(broadcastID: string, body: FactBody, requestID?: string): unknown;
  forget(broadcastID: string): void;
}

export interface BroadcastsParts {
  bus: Bus;
  encoder: Encoder;
  store: SegmentStore;
  registry: PresentationRegistry;
  reports: BroadcastReports;
  drain: DrainState;
  /** Of the disk of a directory. */
  freeBytes: (directory: string) => Promise<number>;
  openFeed: OpenFeed;
  clock: Clock;
  logger: Logger;
}

export interface BroadcastsOptions {
  /** Where other nodes fetch what this one has published. */
  internalUrl: string;
  /** Where segments are encoded and kept. */
  mediaDirectory: string;
  maxBroadcasts: number;
  presentation: PresentationOptions;
}

interface Entry {
  job: BroadcastJob;
  presentation: Presentation;
  origin: Promise<Closeable>;
  starting: Promise<void>;
  ending: Promise<void> | undefined;
}

/** The broadcasts of this node. Every method is idempotent by broadcast. */
export class BroadcastsService implements Closeable {
  private readonly entries = new Map<string, Entry>();
  /** Answer for what has ended and can still be fetched. */
  private readonly lingering = new Map<Promise<Closeable>, Timer>();

  constructor(
    private readonly parts: BroadcastsParts,
    private readonly options: BroadcastsOptions,
  ) {}

  get load(): number {
    return this.entries.size;
  }

  /** Nothing runs here, and nothing that has ended can still be fetched. */
  get isIdle(): boolean {
    return this.entries.size + this.lingering.size === 0;
  }

  /** Resolves when the source's media is on its way here. */
  start(request: StartBroadcastRequest, requestID?: string): Promise<void> {
    const existing = this.entries.get(request.broadcastID);
    if (!existing) return this.open(request, requestID);
    return existing.starting.then(() => existing.job.startAgain(request.sfuNodeID));
  }

  async interrupt(broadcastID: string): Promise<void> {
    await this.entries.get(broadcastID)?.job.interrupt();
  }

  async resume(broadcastID: string, source: ResumedSource): Promise<void> {
    const entry = this.entries.get(broadcastID);
    if (!entry) throw new ServiceError('not_found', 'This node has no such broadcast.');
    await entry.job.resume(source);
  }

  /** What was published can be fetched for one more window. */
  async stop(broadcastID: string): Promise<void> {
    const entry = this.entries.get(broadcastID);
    if (entry) await (entry.ending ??= this.end(broadcastID, entry));
  }

  /** Another transcoder goes on with it. From the reply on nobody is sent here for it any more. */
  async handOver(broadcastID: string): Promise<void> {
    const entry = this.entries.get(broadcastID);
    if (!entry) return;
    await entry.starting.catch(() => undefined);
    await entry.job.handOver();
    await (await entry.origin).close();
    await this.stop(broadcastID);
  }

  inventory(): TranscoderInventory['broadcasts'] {
    return [...this.entries].flatMap(
      ([
        broadcastID,
        {
          job: { state },
        },
      ]) => (state === 'ended' ? [] : [{ broadcastID, state }]),
    );
  }

  /** Process ids of the encoders, by broadcast. */
  encoderPids(): Map<string, number | undefined> {
    return new Map([...this.entries].map(([broadcastID, { job }]) => [broadcastID, job.encoderPid]));
  }

  /** The node goes: its broadcasts end, and the gateway hears of it. */
  async leaveAll(): Promise<void> {
    await Promise.all([...this.entries.keys()].map(broadcastID => this.leave(broadcastID)));
  }

  /** As `leaveAll`, and what has ended can no longer be fetched. */
  async close(): Promise<void> {
    this.parts.drain.isDraining = true;
    await this.leaveAll();
    for (const timer of this.lingering.values()) timer.cancel();
    await Promise.all([...this.lingering.keys()].map(async origin => (await origin).close()));
    this.lingering.clear();
  }

  private open(request: StartBroadcastRequest, requestID?: string): Promise<void> {
    this.requireRoom();
    const { broadcastID } = request;
    const { bus, encoder, store, registry, openFeed, clock, logger } = this.parts;
    const presentation = new Presentation(broadcastID, this.options.presentation, store, clock, request.continues);
    const job = new BroadcastJob(request, {
      bus: requesterFor(bus, requestID),
      encoder,
      presentation,
      openFeed,
      clock,
      logger: logger.child({ broadcastID, requestID }),
      report: fact => this.report(broadcastID, fact, requestID),
      onFailed: () => void this.stop(broadcastID),
    });
    registry.put(presentation);
    const { internalUrl } = this.options;
    const origin = bus.respond(broadcastOrigin.forResource(broadcastID), () => Promise.resolve({ internalUrl }));
    const entry: Entry = { job, presentation, origin, starting: Promise.resolve(), ending: undefined };
    this.entries.set(broadcastID, entry);
    return (entry.starting = this.startJob(broadcastID, entry));
  }

  private requireRoom(): void {
    if (this.parts.drain.isDraining)
      throw new ServiceError('controller_unavailable', 'This transcoder takes no new broadcasts.');
    if (this.entries.size < this.options.maxBroadcasts) return;
    throw new ServiceError('capacity_reached', 'All transcoders are busy. Try again in a moment.');
  }

  private async startJob(broadcastID: string, entry: Entry): Promise<void> {
    try {
      await entry.origin;
      refuseFullDisk(await this.parts.freeBytes(this.options.mediaDirectory));
      await entry.job.start();
    } catch (error) {
      this.entries.delete(broadcastID);
      this.parts.drain.noteEnd();
      await entry.job.stop();
      await this.parts.registry.remove(entry.presentation);
      await (await entry.origin).close();
      throw error;
    }
  }

  private async end(broadcastID: string, entry: Entry): Promise<void> {
    await entry.starting.catch(() => undefined);
    await entry.job.stop();
    if (!this.entries.delete(broadcastID)) return;
    this.parts.registry.retire(entry.presentation);
    this.parts.reports.forget(broadcastID);
    this.linger(entry.origin);
  }

  private linger(origin: Promise<Closeable>): void {
    const { segmentSeconds, windowSegments } = this.options.presentation;
    const end = () => {
      this.lingering.delete(origin);
      this.parts.drain.noteEnd();
      void origin.then(responder => responder.close());
    };
    this.lingering.set(origin, this.parts.clock.after(segmentSeconds * windowSegments * 1000, end));
  }

  private async leave(broadcastID: string): Promise<void> {
    if (this.entries.has(broadcastID)) this.report(broadcastID, { type: 'broadcast.ended', reason: 'node_drained' });
    await this.stop(broadcastID);
  }

  private report(broadcastID: string, fact: BroadcastFact, requestID?: string): void {
    this.parts.reports.report(broadcastID, fact, requestID);
    this.parts.logger.info(
      { broadcastID, requestID, fact: fact.type, ...('reason' in fact && { reason: fact.reason }) },
      'broadcast',
    );
  }
}
