import type { Bus, Closeable } from '@rtms/bus';
import type { Clock, Timer } from '@rtms/clock';
import { leaseRenewSeconds, leaseTtlSeconds, nodeLoadSubject, type NodeLoad } from '@rtms/contracts';

interface HeardLoad {
  load: NodeLoad;
  /** ms since 1970. */
  at: number;
}

/** Tells the other SFU nodes how full this one is, and hears how full they are. */
export class NodeLoads implements Closeable {
  private readonly heard = new Map<string, HeardLoad>();
  private readonly timer: Timer;
  private listening: Closeable | undefined;
  /** Until when (ms since 1970) a node gets no viewers of this one's rooms. */
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

  /** At once: it is drained, or no longer. */
  tell(): void {
    if (!this.listening) return;
    const own = this.own();
    this.bus.announce(nodeLoadSubject(own.nodeID), own);
  }

  /** Those that were heard of lately, without this one and those that are not to be asked. */
  others(): NodeLoad[] {
    const now = this.clock.now();
    const since = now - leaseTtlSeconds * 1000;
    for (const [nodeID, { at }] of this.heard) if (at < since) this.heard.delete(nodeID);
    for (const [nodeID, until] of this.avoided) if (until <= now) this.avoided.delete(nodeID);
    return [...this.heard.values()].map(({ load }) => load).filter(({ nodeID }) => !this.avoided.has(nodeID));
  }

  /** That node has no place, whatever it last said: it is not asked before its next news. */
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
