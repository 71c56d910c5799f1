import type { Bus, Closeable } from '@rtms/bus';
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

const renewMs = 100;

/** What the fakes of both roles share: a lease, a log of commands, refusals and facts. */
export abstract class FakeNode {
  readonly commands: { name: string; request: Record<string, unknown>; requestID: string }[] = [];
  readonly refusals = new Map<string, Error>();
  epoch = Date.now();
  load = 0;
  capacity = 100;
  draining = false;
  private readonly sequences = new Map<string, number>();
  private readonly opened: Closeable[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    protected readonly bus: Bus,
    readonly nodeID: string,
    private readonly role: NodeRole,
  ) {}

  get publicUrl(): string {
    return `http://${this.nodeID}.test`;
  }

  async start(): Promise<this> {
    await this.bus.ensureStream(factStream);
    await this.answerAll();
    await this.announce();
    this.timer = setInterval(() => void this.announce().catch(() => undefined), renewMs);
    return this;
  }

  /** Dies: nobody answers and the lease is no longer renewed. */
  async die(): Promise<void> {
    clearInterval(this.timer);
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

  /** Reports as the node would; `changes` make the fact late, foreign or old. */
  async report(resourceID: string, body: FactBody, changes: Partial<Fact> = {}): Promise<Fact> {
    const sequence = changes.sequence ?? (this.sequences.get(resourceID) ?? 0) + 1;
    this.sequences.set(resourceID, sequence);
    const at = new Date().toISOString();
    const fact: Fact = { resourceID, nodeID: this.nodeID, epoch: this.epoch, at, body, ...changes, sequence };
    await this.bus.publish(factSubject(fact), fact, factMessageID(fact));
    return fact;
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
    const responder = await this.bus.respond(address, (request: Request, { requestID }) => {
      this.commands.push({ name: command.name, request: request as Record<string, unknown>, requestID });
      const refusal = this.refusals.get(command.name);
      return refusal ? Promise.reject(refusal) : Promise.resolve(reply(request));
    });
    this.opened.push(responder);
  }

  private async announce(): Promise<void> {
    const { nodeID, role, epoch, publicUrl, load, capacity, draining } = this;
    const lease: NodeLease = { nodeID, role, epoch, publicUrl, internalUrl: publicUrl, load, capacity, draining };
    const leases = await this.bus.keyValue<NodeLease>(leaseBucket, { ttlSeconds: leaseTtlSeconds });
    await leases.put(leaseKey(lease), lease);
  }
}
