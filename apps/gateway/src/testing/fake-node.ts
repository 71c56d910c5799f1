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

/** As real nodes do. */
export const leaseRenewalMs = 1_000;

interface ReceivedCommand {
  name: string;
  request: Record<string, unknown>;
  requestID: string;
}

/** The bed that a node belongs to. */
export interface FakeNodeOptions {
  /** Default: the system's. */
  clock?: Clock;
  /** Resolves once a gateway of the bed has taken the fact. Every report awaits it: a test then sees the fact applied. */
  taken: (fact: Fact) => Promise<void>;
}

/** What the fakes of both roles share: a lease, a log of commands, refusals and facts. */
export abstract class FakeNode {
  readonly log = new EventLog<ReceivedCommand>();
  readonly refusals = new Map<string, Error>();
  /** By the name of a command, what its reply waits for. */
  readonly delays = new Map<string, Promise<unknown>>();
  epoch: number;
  load = 0;
  capacity = 100;
  draining = false;
  /** The time of its last lease; undefined while it is dead. */
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

  /** In their order. */
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

  /** Dies: nobody answers and the lease is no longer renewed. */
  async die(): Promise<void> {
    this.timer?.cancel();
    this.announcedAt = undefined;
    await Promise.all(this.opened.splice(0).map(each => each.close()));
  }

  /** Comes back as another start of the same node, which holds nothing. */
  async restart(): Promise<void> {
    await this.die();
    this.epoch += 1;
    this.sequences.clear();
    this.forgetAll();
    await this.start();
  }

  /**
   * Publishes as the node would, and does not wait for the gateway: for a fact that cannot be stored now. `changes` make the fact late,
   * foreign or old.
   */
  async publish(resourceID: string, body: FactBody, changes: Partial<Fact> = {}): Promise<Fact> {
    const sequence = changes.sequence ?? (this.sequences.get(resourceID) ?? 0) + 1;
    this.sequences.set(resourceID, sequence);
    const at = new Date(this.clock.now()).toISOString();
    const fact: Fact = { resourceID, nodeID: this.nodeID, epoch: this.epoch, at, body, ...changes, sequence };
    await this.bus.publish(factSubject(fact), fact, factMessageID(fact));
    return fact;
  }

  /** As `publish`; resolves once a gateway of the bed has taken the fact. */
  async report(resourceID: string, body: FactBody, changes: Partial<Fact> = {}): Promise<void> {
    const fact = await this.publish(resourceID, body, changes);
    await this.options.taken(fact);
  }

  /** The first command of a name that fits, whether it came already or not. */
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
    const lease: NodeLease = { nodeID, role, epoch, publicUrl, internalUrl: publicUrl, load, capacity, draining };
    this.announcedAt = this.clock.now();
    const leases = await this.bus.keyValue<NodeLease>(leaseBucket, { ttlSeconds: leaseTtlSeconds });
    await leases.put(leaseKey(lease), lease);
  }
}
