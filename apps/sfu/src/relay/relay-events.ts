import type { Bus, Closeable } from '@rtms/bus';
import { relayEventSubject, type RelayEvent } from '@rtms/contracts';

/** What relays on other nodes tell this one about its rooms. */
export class RelayEvents implements Closeable {
  private readonly listeners = new Map<string, (event: RelayEvent) => void>();
  private listening: Closeable | undefined;

  constructor(
    private readonly bus: Pick<Bus, 'listen'>,
    private readonly ownerID: string,
  ) {}

  async start(): Promise<void> {
    this.listening = await this.bus.listen<RelayEvent>(relayEventSubject(this.ownerID), ({ payload }) =>
      this.listeners.get(payload.relayID)?.(payload),
    );
  }

  /** Answers what ends it. */
  follow(relayID: string, listener: (event: RelayEvent) => void): () => void {
    this.listeners.set(relayID, listener);
    return () => this.listeners.delete(relayID);
  }

  async close(): Promise<void> {
    await this.listening?.close();
  }
}
