import {
  leaseRenewSeconds,
  leaseTtlSeconds,
  type NodeCommand,
  type RelayEvent,
  relayEventSubject,
} from '@rtms/contracts';
import type { Bus, Closeable } from '@rtms/bus';
import { toServiceError } from '@rtms/http';
import type { Logger } from '@rtms/logging';
import type { Clock, Timer } from '@rtms/clock';

/** Milliseconds. */
export const relayTimings = {
  /** Period of `keep`. */
  keepEveryMs: leaseRenewSeconds * 1000,
  /** A relay closes if it receives no `keep` for this long. An owner gives up a relay that does not answer for this long. */
  lapseAfterMs: leaseTtlSeconds * 1000,
  /** The owner gives up a relay that receives nothing of a sent track for this long. */
  silentAfterMs: 5_000,
} as const;

/** A viewer waits for several requests, so each has a short deadline. */
const deadlineMs = 2_000;

/** Sends an owner's commands to one of its relays. */
export class RelayLink {
  constructor(
    private readonly bus: Pick<Bus, 'request'>,
    private readonly logger: Logger,
    readonly nodeID: string,
    readonly relayID: string,
  ) {}

  async ask<Request extends { relayID: string }, Reply>(
    command: NodeCommand<Request, Reply>,
    request: Omit<Request, 'relayID'>,
  ): Promise<Reply> {
    const whole = { ...request, relayID: this.relayID } as Request;
    try {
      return await this.bus.request(command.forNode(this.nodeID), whole, { deadlineMs });
    } catch (error) {
      throw toServiceError(error);
    }
  }

  /** Sends a command without waiting. The next `keep` repairs a lost command. */
  tell<Request extends { relayID: string }>(
    command: NodeCommand<Request, unknown>,
    request: Omit<Request, 'relayID'>,
  ): void {
    this.ask(command, request).catch((error: unknown) => {
      const { nodeID, relayID } = this;
      this.logger.debug({ err: error, nodeID, relayID, command: command.name }, 'cannot send a command to a relay');
    });
  }
}

/** The owner's end of a relay. */
export interface KeptRelay {
  hear(event: RelayEvent): void;
  /** Sends `keep` to the relay. Must not reject. */
  keep(): Promise<void>;
}

/** Dispatches the events of relays to this node's rooms, and sends `keep` to each relay regularly. */
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
    // One timer for all relays, so that no timer runs in the trace of a request.
    this.timer = this.clock.every(relayTimings.keepEveryMs, () => this.keepAll());
  }

  /** Returns a function that ends it. */
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
