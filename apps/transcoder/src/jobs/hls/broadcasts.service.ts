import { requesterFor, type Bus, type Closeable } from '@rtms/bus';
import type { Clock, Timer } from '@rtms/clock';
import {
  broadcastOrigin,
  ServiceError,
  transcoderCommands,
  type BroadcastFact,
  type BroadcastOrigin,
  type FactBody,
  type StartBroadcastRequest,
  type TranscoderInventory,
} from '@rtms/contracts';
import { OnCommand, type DrainState, type RequestOf } from '@rtms/node';
import type { Logger } from '@rtms/logging';
import type { PresentationRegistry } from '../../delivery/presentation-registry.js';
import type { SegmentStore } from '../../delivery/stores/segment-store.js';
import { refuseFullDisk } from '../../disk.js';
import { requireCapacity } from '../job-limits.js';
import type { LoadSlate } from './slate/slate-image.js';
import { BroadcastJob, type BroadcastJobParts } from './broadcast-job.js';
import { ComposedBroadcastJob } from './composed-broadcast-job.js';
import type { Encoder } from '../../encoder/encoder.js';
import { DvrBudget, type DvrLimits } from '../../delivery/presentation/dvr-budget.js';
import { Presentation } from '../../delivery/presentation/presentation.js';
import type { PresentationOptions } from '../../delivery/presentation/presentation-options.js';
import type { OpenFeed } from '../../rtp/source-feed.js';

/** Outbox for facts about broadcasts. */
interface BroadcastReports {
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
  /** Returns the free bytes of a directory's disk. */
  freeBytes: (directory: string) => Promise<number>;
  openFeed: OpenFeed;
  loadSlate: LoadSlate;
  clock: Clock;
  logger: Logger;
}

export interface BroadcastsOptions {
  /** How other nodes fetch files of this node. */
  origin: BroadcastOrigin;
  /** Directory of encoder output and segments. */
  mediaDirectory: string;
  maxBroadcasts: number;
  presentation: Pick<PresentationOptions, 'segmentSeconds' | 'windowSegments'>;
  dvr: DvrLimits;
}

interface NamedBroadcast {
  broadcastID: string;
}

interface Entry {
  job: BroadcastJob | ComposedBroadcastJob;
  presentation: Presentation;
  origin: Promise<Closeable>;
  starting: Promise<void>;
  ending: Promise<void> | undefined;
}

/** The broadcasts of this node. All commands are idempotent by broadcast ID. */
export class BroadcastsService implements Closeable {
  private readonly entries = new Map<string, Entry>();
  /** Responders of ended broadcasts that are still fetchable. */
  private readonly lingering = new Map<Promise<Closeable>, Timer>();
  /** Those of them that ended less than a window ago. */
  private readonly justEnded = new Map<Promise<Closeable>, Timer>();
  private readonly dvr: DvrBudget;

  constructor(
    private readonly parts: BroadcastsParts,
    private readonly options: BroadcastsOptions,
  ) {
    const { clock, logger } = parts;
    const freeBytes = (): Promise<number> => parts.freeBytes(options.mediaDirectory);
    this.dvr = new DvrBudget({ freeBytes, clock, logger }, options.dvr);
  }

  get load(): number {
    return this.entries.size;
  }

  /** No broadcast runs or ended less than a window ago. A node that drains does not wait for viewers who seek back further. */
  get isIdle(): boolean {
    return this.entries.size + this.justEnded.size === 0;
  }

  /** Bytes of segments that only viewers need who seek back. */
  get dvrBytes(): number {
    return this.dvr.usedBytes;
  }

  /** Resolves when the SFU node sends the source's media. */
  @OnCommand(transcoderCommands.startBroadcast)
  start(request: StartBroadcastRequest, { requestID }: { requestID?: string } = {}): Promise<void> {
    const existing = this.entries.get(request.broadcastID);
    if (!existing) return this.open(request, requestID);
    return existing.starting.then(() => existing.job.startAgain(request));
  }

  @OnCommand(transcoderCommands.interruptBroadcast)
  async interrupt({ broadcastID, isMoved }: RequestOf<typeof transcoderCommands.interruptBroadcast>): Promise<void> {
    await this.entries.get(broadcastID)?.job.interrupt(isMoved);
  }

  /** The feed stays open, because media workers of a frozen node still send. */
  @OnCommand(transcoderCommands.noteLostNode)
  noteLostNode({ broadcastID }: NamedBroadcast): Promise<void> {
    this.entries.get(broadcastID)?.presentation.pace.loseNode();
    return Promise.resolve();
  }

  @OnCommand(transcoderCommands.resumeBroadcast)
  async resume({ broadcastID, ...source }: RequestOf<typeof transcoderCommands.resumeBroadcast>): Promise<void> {
    const entry = this.entries.get(broadcastID);
    if (!entry) throw new ServiceError('not_found', 'This node has no such broadcast.');
    await entry.job.resume(source);
  }

  /** The layout follows within about two seconds. */
  @OnCommand(transcoderCommands.composeBroadcast)
  async compose({ broadcastID, ...room }: RequestOf<typeof transcoderCommands.composeBroadcast>): Promise<void> {
    const job = this.entries.get(broadcastID)?.job;
    if (!(job instanceof ComposedBroadcastJob))
      throw new ServiceError('not_found', 'This node has no such composed broadcast.');
    await job.compose(room);
  }

  /** Ends the broadcast. Its segments remain fetchable for one window. */
  @OnCommand(transcoderCommands.stopBroadcast)
  async stop({ broadcastID }: NamedBroadcast): Promise<void> {
    const entry = this.entries.get(broadcastID);
    if (entry) await (entry.ending ??= this.end(broadcastID, entry));
  }

  /** Stops because another transcoder continues. After the reply, lookups no longer return this node. */
  @OnCommand(transcoderCommands.handOverBroadcast)
  async handOver({ broadcastID }: NamedBroadcast): Promise<void> {
    const entry = this.entries.get(broadcastID);
    if (!entry) return;
    await letGo(entry);
    await this.stop({ broadcastID });
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

  /** Lets all broadcasts go before the node stops, and reports them interrupted. */
  async leaveAll(): Promise<void> {
    await Promise.all([...this.entries].map(([broadcastID, entry]) => this.leave(broadcastID, entry)));
  }

  /** Like `leaveAll`, and closes the responders of ended broadcasts. */
  async close(): Promise<void> {
    this.parts.drain.isDraining = true;
    await this.leaveAll();
    for (const timer of [...this.lingering.values(), ...this.justEnded.values()]) timer.cancel();
    await Promise.all([...this.lingering.keys()].map(async origin => (await origin).close()));
    this.lingering.clear();
    this.justEnded.clear();
    await this.dvr.close();
  }

  private open(request: StartBroadcastRequest, requestID?: string): Promise<void> {
    requireCapacity(this.parts.drain, this.load, this.options.maxBroadcasts);
    const { broadcastID } = request;
    const { bus, encoder, store, registry, openFeed, loadSlate, clock, logger } = this.parts;
    const { dvrSeconds = 0, accountID = broadcastID, latency } = request;
    const presentationOptions = { ...this.options.presentation, dvrSeconds, accountID, isLow: latency === 'low' };
    const presentation = new Presentation(broadcastID, presentationOptions, store, clock, request.continues);
    if (dvrSeconds > 0) this.dvr.add(presentation, accountID);
    const parts: BroadcastJobParts = {
      bus: requesterFor(bus, requestID),
      encoder,
      presentation,
      ...{ openFeed, loadSlate },
      clock,
      logger: logger.child({ broadcastID, requestID }),
      report: fact => this.report(broadcastID, fact, requestID),
      onMedia: () => presentation.pace.notePicture(),
      onTick: () => presentation.pace.tick(),
      onVideoPacket: lostBefore => presentation.pace.notePacket(lostBefore),
      onFailed: () => void this.stop({ broadcastID }),
    };
    const { composition } = request;
    const job = composition
      ? new ComposedBroadcastJob({ ...request, composition }, parts)
      : new BroadcastJob(request, parts);
    registry.put(presentation);
    const answer = () => Promise.resolve(this.options.origin);
    const origin = bus.respond(broadcastOrigin.forResource(broadcastID), answer);
    const entry: Entry = { job, presentation, origin, starting: Promise.resolve(), ending: undefined };
    this.entries.set(broadcastID, entry);
    return (entry.starting = this.startJob(broadcastID, entry));
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
    this.linger(entry);
  }

  private linger({ origin, presentation }: Entry): void {
    const { segmentSeconds, windowSegments } = this.options.presentation;
    const endWindow = () => {
      this.justEnded.delete(origin);
      this.parts.drain.noteEnd();
    };
    const end = () => {
      this.lingering.delete(origin);
      void origin.then(responder => responder.close());
    };
    this.justEnded.set(origin, this.parts.clock.after(segmentSeconds * windowSegments * 1000, endWindow));
    this.lingering.set(origin, this.parts.clock.after(presentation.retentionMs, end));
  }

  /** Leaves the playlists open. The gateway waits for a transcoder that continues. */
  private async leave(broadcastID: string, entry: Entry): Promise<void> {
    await letGo(entry);
    const isHere = this.entries.get(broadcastID) === entry && !entry.ending;
    if (isHere) this.report(broadcastID, { type: 'broadcast.interrupted', reason: 'node_draining' });
    await this.stop({ broadcastID });
  }

  private report(broadcastID: string, fact: BroadcastFact, requestID?: string): void {
    this.parts.reports.report(broadcastID, fact, requestID);
    this.parts.logger.info(
      { broadcastID, requestID, fact: fact.type, ...('reason' in fact && { reason: fact.reason }) },
      'broadcast',
    );
  }
}

/** Stops the job for another transcoder. Publishes its last segments. After that, lookups no longer return this node. */
async function letGo({ job, origin, starting }: Entry): Promise<void> {
  await starting.catch(() => undefined);
  await job.handOver();
  await (await origin).close();
}
