import type { Bus, Closeable } from '@rtms/bus';
import type { Clock, Timer } from '@rtms/clock';
import { leaseRenewSeconds, leaseTtlSeconds, nodeLoadSubject, type NodeLoad } from '@rtms/contracts';

interface HeardLoad {
  load: NodeLoad;
  /** ms since 1970. */
  at: number;
}

/** Announces this node's load to the other SFU nodes and collects their loads. */
export class NodeLoads implements Closeable {
  private readonly heard = new Map<string, HeardLoad>();
  private readonly timer: Timer;
  private listening: Closeable | undefined;
  /** Nodes that get no viewers of this node's rooms, with the end of that time in ms since 1970. */
  private readonly avoided = new Map<string, number>();

  constructor(
    private readonly bus: Pick<Bus, 'announce' | 'listen'>,
    private readonly own: () => NodeLoad,
    private readonly clock: Clock,
    private readonly onHeard: (load: NodeLoad) => void = () => undefined,
  ) {
    this.timer = clock.every(leaseRenewSeconds * 1000, () => this.tell());
  }

  async start(): Promise<void> {
    const { nodeID: ownID } = this.own();
    this.listening = await this.bus.listen<NodeLoad>(nodeLoadSubject('*'), ({ payload }) => {
      const { nodeID } = payload;
      if (nodeID === ownID) return;
      this.heard.set(nodeID, { load: payload, at: this.clock.now() });
      this.onHeard(payload);
    });
    this.tell();
  }

  /** Announces the load at once, e.g. because the drain state has changed. */
  tell(): void {
    if (!this.listening) return;
    const own = this.own();
    this.bus.announce(nodeLoadSubject(own.nodeID), own);
  }

  /** Recent loads of the other nodes, without avoided ones. */
  others(): NodeLoad[] {
    const now = this.clock.now();
    const since = now - leaseTtlSeconds * 1000;
    for (const [nodeID, { at }] of this.heard) if (at < since) this.heard.delete(nodeID);
    for (const [nodeID, until] of this.avoided) if (until <= now) this.avoided.delete(nodeID);
    return [...this.heard.values()].map(({ load }) => load).filter(({ nodeID }) => !this.avoided.has(nodeID));
  }

  /** The node is full. Ignores it until it announces its load again. */
  noteFull(nodeID: string): void {
    this.heard.delete(nodeID);
  }

  avoid(nodeID: string, forMs: number): void {
    this.avoided.set(nodeID, Math.max(this.clock.now() + forMs, this.avoided.get(nodeID) ?? 0));
  }

  async close(): Promise<void> {
    this.timer.cancel();
    await this.listening?.close();
    this.listening = undefined;
  }
}
