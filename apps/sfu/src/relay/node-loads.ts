import type { Bus, Closeable } from '@rtms/bus';
import { leaseRenewSeconds, leaseTtlSeconds, nodeLoadSubject, type NodeLoad } from '@rtms/contracts';

interface HeardLoad {
  load: NodeLoad;
  /** ms since 1970. */
  at: number;
}

/** Tells the other SFU nodes how full this one is, and hears how full they are. */
export class NodeLoads implements Closeable {
  private readonly heard = new Map<string, HeardLoad>();
  private readonly timer: NodeJS.Timeout;
  private listening: Closeable | undefined;

  constructor(
    private readonly bus: Pick<Bus, 'announce' | 'listen'>,
    private readonly own: () => NodeLoad,
  ) {
    this.timer = setInterval(() => this.tell(), leaseRenewSeconds * 1000);
    this.timer.unref();
  }

  async start(): Promise<void> {
    this.listening = await this.bus.listen<NodeLoad>(nodeLoadSubject('*'), ({ payload }) => {
      if (payload.nodeID !== this.own().nodeID) this.heard.set(payload.nodeID, { load: payload, at: Date.now() });
    });
    this.tell();
  }

  /** At once: it is drained, or no longer. */
  tell(): void {
    if (this.listening) this.bus.announce(nodeLoadSubject(this.own().nodeID), this.own());
  }

  /** Those that were heard of lately, without this one. */
  others(): NodeLoad[] {
    const since = Date.now() - leaseTtlSeconds * 1000;
    for (const [nodeID, { at }] of this.heard) if (at < since) this.heard.delete(nodeID);
    return [...this.heard.values()].map(({ load }) => load);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.listening?.close();
    this.listening = undefined;
  }
}
