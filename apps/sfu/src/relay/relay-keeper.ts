import type { Bus, Closeable } from '@rtms/bus';
import type { Clock, Timer } from '@rtms/clock';
import { relayEventSubject, type RelayEvent } from '@rtms/contracts';
import { relayTimings } from './relay-timings.js';

/** The owner's end of a relay. */
export interface KeptRelay {
  hear(event: RelayEvent): void;
  /** Tells the relay that it is still wanted. May not reject. */
  keep(): Promise<void>;
}

/** Passes on what relays tell this node about its rooms, and has each kept again and again. */
export class RelayKeeper implements Closeable {
  private readonly relays = new Map<string, KeptRelay>();
  private listening: Closeable | undefined;
  private timer: Timer | undefined;

  constructor(
    private readonly bus: Pick<Bus, 'listen'>,
    private readonly ownerID: string,
    private readonly clock: Clock,
  ) {}

  async start(): Promise<void> {
    this.listening = await this.bus.listen<RelayEvent>(relayEventSubject(this.ownerID), ({ payload }) =>
      this.relays.get(payload.relayID)?.hear(payload),
    );
    // One for all, so that none runs in the trace of the request that opened a relay.
    this.timer = this.clock.every(relayTimings.keepEveryMs, () => this.keepAll());
  }

  /** Answers what ends it. */
  follow(relayID: string, relay: KeptRelay): () => void {
    this.relays.set(relayID, relay);
    return () => this.relays.delete(relayID);
  }

  async close(): Promise<void> {
    this.timer?.cancel();
    await this.listening?.close();
    this.listening = undefined;
  }

  private keepAll(): void {
    for (const relay of this.relays.values()) void relay.keep();
  }
}
