import { requesterFor, type Bus, type Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import {
  ServiceError,
  transcoderCommands,
  type FactBody,
  type RestreamFact,
  type RestreamInventory,
  type RestreamProblem,
  type StartRestreamRequest,
} from '@rtms/contracts';
import type { Logger } from '@rtms/logging';
import { OnCommand, type DrainState, type RequestOf } from '@rtms/node';
import type { OpenFeed } from '../../rtp/source-feed.js';
import type { Sender } from '../../sending/sender.js';
import { requireCapacity } from '../job-limits.js';
import { RestreamJob } from './restream-job.js';

/** Outbox for facts about restreams. */
interface RestreamReports {
  report(restreamID: string, body: FactBody, requestID?: string): unknown;
  forget(restreamID: string): void;
}

export interface RestreamsParts {
  bus: Bus;
  sender: Sender;
  reports: RestreamReports;
  drain: DrainState;
  openFeed: OpenFeed;
  /** Opens the encoded media of a broadcast of this node. */
  openBroadcast: OpenFeed;
  clock: Clock;
  logger: Logger;
}

interface NamedRestream {
  restreamID: string;
}

interface Entry {
  job: RestreamJob;
  starting: Promise<void>;
  ending: Promise<void> | undefined;
}

/** The restreams of this node. All commands are idempotent by restream ID. */
export class RestreamsService implements Closeable {
  private readonly entries = new Map<string, Entry>();
  /** Failed attempts since the start of the node, by problem. */
  readonly failures = new Map<RestreamProblem, number>();

  constructor(
    private readonly parts: RestreamsParts,
    private readonly maxRestreams: number,
  ) {}

  get load(): number {
    return this.entries.size;
  }

  /** Resolves when the source's media arrives. The target is reached later. */
  @OnCommand(transcoderCommands.startRestream)
  start(request: StartRestreamRequest, { requestID }: { requestID?: string } = {}): Promise<void> {
    const existing = this.entries.get(request.restreamID);
    if (existing) return existing.starting.then(() => existing.job.startAgain(request.sfuNodeID));
    requireCapacity(this.parts.drain, this.load, this.maxRestreams);
    if (!this.parts.sender.speaks(request.target.protocol))
      throw new ServiceError('controller_unavailable', `This transcoder cannot send by ${request.target.protocol}.`);
    return this.open(request, requestID);
  }

  @OnCommand(transcoderCommands.interruptRestream)
  async interrupt({ restreamID }: NamedRestream): Promise<void> {
    await this.entries.get(restreamID)?.job.interrupt();
  }

  @OnCommand(transcoderCommands.resumeRestream)
  async resume({ restreamID, ...source }: RequestOf<typeof transcoderCommands.resumeRestream>): Promise<void> {
    const entry = this.entries.get(restreamID);
    if (!entry) throw new ServiceError('not_found', 'This node has no such restream.');
    await entry.job.resume(source);
  }

  /** After the reply the connection to the target is closed. */
  @OnCommand(transcoderCommands.stopRestream)
  async stop({ restreamID }: NamedRestream): Promise<void> {
    const entry = this.entries.get(restreamID);
    if (entry) await (entry.ending ??= this.end(restreamID, entry));
  }

  inventory(): RestreamInventory[] {
    return [...this.entries].flatMap(([restreamID, { job }]) => {
      const { state } = job;
      return state === 'ended' ? [] : [{ restreamID, state }];
    });
  }

  /** Process IDs of the senders, by restream. */
  senderPids(): Map<string, number | undefined> {
    return new Map([...this.entries].map(([restreamID, { job }]) => [restreamID, job.senderPid]));
  }

  /** Lets all restreams go before the node stops. Another transcoder continues. */
  async leaveAll(): Promise<void> {
    await Promise.all([...this.entries].map(([restreamID, entry]) => this.leave(restreamID, entry)));
  }

  async close(): Promise<void> {
    this.parts.drain.isDraining = true;
    await this.leaveAll();
  }

  private open(request: StartRestreamRequest, requestID?: string): Promise<void> {
    const { restreamID } = request;
    const { bus, sender, clock, logger } = this.parts;
    const openFeed = request.from === 'broadcast' ? this.parts.openBroadcast : this.parts.openFeed;
    const job = new RestreamJob(request, {
      ...{ bus: requesterFor(bus, requestID), sender, openFeed, clock },
      logger: logger.child({ restreamID, requestID }),
      report: fact => this.report(restreamID, fact, requestID),
      onFailed: () => void this.stop({ restreamID }),
    });
    const entry: Entry = { job, starting: Promise.resolve(), ending: undefined };
    this.entries.set(restreamID, entry);
    return (entry.starting = this.startJob(restreamID, entry));
  }

  private async startJob(restreamID: string, { job }: Entry): Promise<void> {
    try {
      await job.start();
    } catch (error) {
      this.entries.delete(restreamID);
      this.parts.drain.noteEnd();
      await job.stop();
      throw error;
    }
  }

  private async end(restreamID: string, entry: Entry): Promise<void> {
    await entry.starting.catch(() => undefined);
    await entry.job.stop();
    if (!this.entries.delete(restreamID)) return;
    this.parts.reports.forget(restreamID);
    this.parts.drain.noteEnd();
  }

  /** Closes the connection before the report: a target takes one publisher at a time. */
  private async leave(restreamID: string, entry: Entry): Promise<void> {
    await entry.starting.catch(() => undefined);
    await entry.job.stop('moves');
    const isHere = this.entries.get(restreamID) === entry && !entry.ending;
    if (isHere) this.report(restreamID, { type: 'restream.retrying', problem: 'node_draining', retries: 0 });
    await this.stop({ restreamID });
  }

  private report(restreamID: string, fact: RestreamFact, requestID?: string): void {
    if ('problem' in fact) this.failures.set(fact.problem, (this.failures.get(fact.problem) ?? 0) + 1);
    this.parts.reports.report(restreamID, fact, requestID);
    const { type: _, ...details } = fact;
    this.parts.logger.info({ restreamID, requestID, fact: fact.type, ...details }, 'restream');
  }
}
