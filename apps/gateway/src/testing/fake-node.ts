import type { Bus, Closeable } from '@rtms/bus';
import { systemClock, type Clock, type Timer } from '@rtms/clock';
import {
  factMessageID,
  factStream,
  factSubject,
  leaseBucket,
  leaseKey,
  leaseTtlSeconds,
  type CommandAddress,
  type Fact,
  type FactBody,
  type NodeCommand,
  type NodeLease,
  type NodeRole,
} from '@rtms/contracts';
import { EventLog } from '@rtms/testing';

/** The interval of real nodes. */
export const leaseRenewalMs = 1_000;

interface ReceivedCommand {
  name: string;
  request: Record<string, unknown>;
  requestID: string;
}

/** The clock and the gateways of the test bed. */
export interface FakeNodeOptions {
  /** Default: the system clock. */
  clock?: Clock;
  /** Resolves after a gateway of the bed has applied the fact. Every report awaits it. */
  taken: (fact: Fact) => Promise<void>;
}

/** The common part of both fake nodes: a lease, a log of commands, refusals and facts. */
export abstract class FakeNode {
  readonly log = new EventLog<ReceivedCommand>();
  readonly refusals = new Map<string, Error>();
  /** The promise that the reply to a command awaits, by the name of the command. */
  readonly delays = new Map<string, Promise<unknown>>();
  epoch: number;
  load = 0;
  capacity = 100;
  draining = false;
  /** As in the lease. */
  composes: string[] | undefined;
  /** The time of the last lease; undefined while the node is dead. */
  announcedAt: number | undefined;
  private readonly sequences = new Map<string, number>();
  private readonly opened: Closeable[] = [];
  private timer: Timer | undefined;
  protected readonly clock: Clock;

  constructor(
    protected readonly bus: Bus,
    readonly nodeID: string,
    readonly role: NodeRole,
    private readonly options: FakeNodeOptions,
  ) {
    this.clock = options.clock ?? systemClock;
    this.epoch = this.clock.now();
  }

  /** In the order of arrival. */
  get commands(): ReceivedCommand[] {
    return this.log.all;
  }

  get publicUrl(): string {
    return `http://${this.nodeID}.test`;
  }

  async start(): Promise<this> {
    await this.bus.ensureStream(factStream);
    await this.answerAll();
    await this.announce();
    this.timer = this.clock.every(leaseRenewalMs, () => void this.announce().catch(() => undefined));
    return this;
  }

  /** The node stops answering and renewing its lease. */
  async die(): Promise<void> {
    this.timer?.cancel();
    this.announcedAt = undefined;
    await Promise.all(this.opened.splice(0).map(each => each.close()));
  }

  /** Starts the node again with a new epoch and without resources. */
  async restart(): Promise<void> {
    await this.die();
    this.epoch += 1;
    this.sequences.clear();
    this.forgetAll();
    await this.start();
  }

  /**
   * Publishes a fact without waiting for the gateway, e.g. for a fact that cannot be stored now. `changes` make the fact
   * late, foreign or old.
   */
  async publish(resourceID: string, body: FactBody, changes: Partial<Fact> = {}): Promise<Fact> {
    const sequence = changes.sequence ?? (this.sequences.get(resourceID) ?? 0) + 1;
    this.sequences.set(resourceID, sequence);
    const at = new Date(this.clock.now()).toISOString();
    const fact: Fact = { resourceID, nodeID: this.nodeID, epoch: this.epoch, at, body, ...changes, sequence };
    await this.bus.publish(factSubject(fact), fact, factMessageID(fact));
    return fact;
  }

  /** As `publish`. Resolves after a gateway of the bed has applied the fact. */
  async report(resourceID: string, body: FactBody, changes: Partial<Fact> = {}): Promise<void> {
    const fact = await this.publish(resourceID, body, changes);
    await this.options.taken(fact);
  }

  /** The first matching command, past or future. */
  async command(
    name: string,
    fits: (request: Record<string, unknown>) => boolean = () => true,
  ): Promise<Record<string, unknown>> {
    return (await this.log.find(command => command.name === name && fits(command.request))).request;
  }

  received(name: string): Record<string, unknown>[] {
    return this.commands.filter(command => command.name === name).map(command => command.request);
  }

  abstract forgetAll(): void;
  protected abstract answerAll(): Promise<void>;

  protected async answer<Request extends object, Reply>(
    command: NodeCommand<Request, Reply>,
    reply: (request: Request) => Reply,
  ): Promise<void> {
    const address: CommandAddress<Request, Reply> = command.forNode(this.nodeID);
    const responder = await this.bus.respond(address, async (request: Request, { requestID }) => {
      this.log.add({ name: command.name, request: request as Record<string, unknown>, requestID });
      const answer = { refusal: this.refusals.get(command.name), reply };
      await this.delays.get(command.name);
      if (answer.refusal) throw answer.refusal;
      return answer.reply(request);
    });
    this.opened.push(responder);
  }

  async announce(): Promise<void> {
    const { nodeID, role, epoch, publicUrl, load, capacity, draining } = this;
    const own = { nodeID, role, epoch, publicUrl, internalUrl: publicUrl };
    const lease: NodeLease = { ...own, load, capacity, draining, ...(this.composes && { composes: this.composes }) };
    this.announcedAt = this.clock.now();
    const leases = await this.bus.keyValue<NodeLease>(leaseBucket, { ttlSeconds: leaseTtlSeconds });
    await leases.put(leaseKey(lease), lease);
  }
}
