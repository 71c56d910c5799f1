import type { Bus, Closeable } from '@rtms/bus';
import { lateTicks, type Clock, type Timer } from '@rtms/clock';
import { relayEventSubject, ServiceError, type PipeEnd, type RelayEvent } from '@rtms/contracts';
import type { DrainState } from '@rtms/node';
import type { Logger } from '@rtms/logging';
import type { MediaEngine } from '../media/media-engine.js';
import { HostedRelay } from './hosted-relay.js';
import { relayTimings } from './relay-link.js';

export interface HostContext {
  engine: MediaEngine;
  bus: Pick<Bus, 'announce' | 'isConnected'>;
  logger: Logger;
  clock: Clock;
  drain: DrainState;
}

export interface RelayRequest {
  relayID: string;
  ownerID: string;
  meetingID: string;
  pipe: PipeEnd;
}

/** The relays on this node, which serve viewers of other nodes' rooms. */
export class RelayHost implements Closeable {
  private readonly relays = new Map<string, Promise<HostedRelay>>();
  private readonly open = new Map<string, HostedRelay>();
  private readonly timer: Timer;
  private readonly wasBlocked: () => boolean;
  private isClosed = false;

  constructor(private readonly context: HostContext) {
    this.wasBlocked = lateTicks(context.clock, relayTimings.keepEveryMs);
    this.timer = context.clock.every(relayTimings.keepEveryMs, () => void this.sweep());
  }

  get isIdle(): boolean {
    return this.relays.size === 0;
  }

  get viewerCount(): number {
    return [...this.open.values()].reduce((sum, relay) => sum + relay.viewerCount, 0);
  }

  /** Throws `controller_unavailable` while the node drains or stops, `capacity_reached` if all media workers are full. */
  openRelay(request: RelayRequest): Promise<HostedRelay> {
    const known = this.relays.get(request.relayID);
    if (known) return known;
    this.assertTaking();
    const opening = this.openNew(request);
    this.relays.set(request.relayID, opening);
    opening.catch(() => this.forget(request.relayID));
    return opening;
  }

  assertTaking(): void {
    if (this.isClosed || this.context.drain.isDraining)
      throw new ServiceError(
        'controller_unavailable',
        'The media node is draining. Retry: another node takes the request.',
      );
  }

  relay(relayID: string): HostedRelay {
    const relay = this.open.get(relayID);
    if (!relay) throw new ServiceError('not_found', 'This node has no relay with this relayID.');
    return relay;
  }

  async closeRelay(relayID: string): Promise<void> {
    await (await this.relays.get(relayID)?.catch(() => undefined))?.close();
  }

  /** Asks the owners to move their viewers to other nodes. */
  dismiss(): void {
    for (const [relayID, { ownerID }] of this.open) this.tell(ownerID, { type: 'dismissed', relayID });
  }

  async closeAll(): Promise<void> {
    for (const relayID of [...this.relays.keys()]) await this.closeRelay(relayID);
  }

  async close(): Promise<void> {
    this.timer.cancel();
    this.isClosed = true;
    await this.closeAll();
  }

  private async openNew(request: RelayRequest): Promise<HostedRelay> {
    const { relayID, ownerID, meetingID } = request;
    const { engine, clock } = this.context;
    const relay = await HostedRelay.open(engine, request, clock, (viewerID, news) =>
      this.tell(ownerID, { ...news, relayID, viewerID }),
    );
    this.open.set(relayID, relay);
    this.context.logger.info({ relayID, ownerID, meetingID }, 'relaying a room of another node');
    relay.onClosed(() => {
      this.open.delete(relayID);
      this.forget(relayID);
      this.tell(ownerID, { type: 'ended', relayID });
    });
    return relay;
  }

  /** Closes relays whose owner no longer sends `keep`. Waits if this node was blocked or has no bus. */
  private async sweep(): Promise<void> {
    const now = this.context.clock.now();
    const heardNothing = this.wasBlocked() || !this.context.bus.isConnected();
    for (const [relayID, relay] of [...this.open]) {
      if (heardNothing) relay.keptAt = now;
      if (now - relay.keptAt <= relayTimings.lapseAfterMs) continue;
      const { ownerID, viewerCount: viewers } = relay;
      this.context.logger.warn({ relayID, ownerID, viewers }, 'closing a relay: its owner no longer sends keep');
      await relay.close();
    }
  }

  private forget(relayID: string): void {
    this.relays.delete(relayID);
    this.context.drain.noteEnd();
  }

  private tell(ownerID: string, event: RelayEvent): void {
    this.context.bus.announce(relayEventSubject(ownerID), event);
  }
}
