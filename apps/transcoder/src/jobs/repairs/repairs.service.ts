import { requesterFor, type Bus, type Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { transcoderCommands, type RepairInventory, type StartRepairRequest } from '@rtms/contracts';
import type { Logger } from '@rtms/logging';
import { OnCommand, type DrainState } from '@rtms/node';
import type { FeedAddress, OpenFeed } from '../../rtp/source-feed.js';
import { requireCapacity } from '../job-limits.js';
import type { StartRepairer } from '../../encoder/ffmpeg/ffmpeg-repairer.js';
import { RepairJob } from './repair-job.js';

export interface RepairsParts {
  bus: Bus;
  openFeed: OpenFeed;
  startRepairer: StartRepairer;
  address: FeedAddress;
  drain: DrainState;
  clock: Clock;
  logger: Logger;
}

interface Entry {
  request: StartRepairRequest;
  job: RepairJob;
  starting: Promise<void>;
}

/** The repairs of this node: sessions whose video it sends back to their SFU node without B-frames. They need no row and no fact. */
export class RepairsService implements Closeable {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly parts: RepairsParts,
    private readonly maxRepairs: number,
  ) {}

  get load(): number {
    return this.entries.size;
  }

  get isIdle(): boolean {
    return this.entries.size === 0;
  }

  /** Resolves when the SFU node sends the session's media and has opened its ports. */
  @OnCommand(transcoderCommands.startRepair)
  async start(request: StartRepairRequest, { requestID }: { requestID?: string } = {}): Promise<void> {
    const { repairID, sessionID } = request;
    const existing = this.entries.get(repairID);
    if (existing) return existing.starting;
    const { drain, bus } = this.parts;
    requireCapacity(drain, this.load, this.maxRepairs);
    const job = new RepairJob(request, {
      ...this.parts,
      bus: requesterFor(bus, requestID),
      logger: this.parts.logger.child({ repairID, sessionID, requestID }),
      isLeaving: () => drain.isDraining,
      onOver: () => void this.end(repairID),
    });
    const entry: Entry = { request, job, starting: Promise.resolve() };
    this.entries.set(repairID, entry);
    return (entry.starting = job.start().catch((error: unknown) => {
      this.forget(repairID);
      throw error;
    }));
  }

  inventory(): RepairInventory[] {
    return [...this.entries.values()].map(({ request: { repairID, sessionID, accountID } }) => {
      return { repairID, sessionID, accountID };
    });
  }

  /** Process ids of the encoders, by repair. */
  encoderPids(): Map<string, number | undefined> {
    return new Map([...this.entries].map(([repairID, { job }]) => [repairID, job.pid]));
  }

  /** The SFU nodes notice the silence, and ask for other transcoders. */
  async leaveAll(): Promise<void> {
    await Promise.all([...this.entries.keys()].map(repairID => this.end(repairID)));
  }

  close(): Promise<void> {
    return this.leaveAll();
  }

  private async end(repairID: string): Promise<void> {
    const entry = this.entries.get(repairID);
    if (!entry) return;
    const { delayMs } = entry.job;
    await entry.job.close();
    if (!this.forget(repairID)) return;
    const { sessionID } = entry.request;
    this.parts.logger.info({ repairID, sessionID, delayMs }, 'a repair has ended');
  }

  private forget(repairID: string): boolean {
    const isKnown = this.entries.delete(repairID);
    if (isKnown) this.parts.drain.noteEnd();
    return isKnown;
  }
}
