import type { Bus, Closeable } from '@rtms/bus';
import { lateTicks, type Clock, type Timer } from '@rtms/clock';
import { relayCommands, relayEventSubject, type RelayEvent, ServiceError } from '@rtms/contracts';
import { type DrainState, OnCommand, type ReplyOf, type RequestOf } from '@rtms/node';
import type { Logger } from '@rtms/logging';
import { drainingError, type MediaEngine } from '../media/media-engine.js';
import type { NodeMeter } from '../media/health/node-meter.js';
import { HostedRelay, type HostedViewer } from './hosted-relay.js';
import { relayTimings } from './relay-link.js';

interface HostContext {
  engine: MediaEngine;
  bus: Pick<Bus, 'announce' | 'isConnected'>;
  logger: Logger;
  clock: Clock;
  drain: DrainState;
  nodeMeter: NodeMeter;
}

type Commands = typeof relayCommands;

/** The relays on this node, which serve viewers of other nodes' rooms. Answers the commands of the owner nodes. */
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
  @OnCommand(relayCommands.open)
  async openRelay(request: RequestOf<Commands['open']>): Promise<ReplyOf<Commands['open']>> {
    const { relayID } = request;
    const known = this.relays.get(relayID);
    if (known) return { pipe: (await known).end };
    this.assertTaking();
    const opening = this.openNew(request);
    this.relays.set(relayID, opening);
    opening.catch(() => this.forget(relayID));
    return { pipe: (await opening).end };
  }

  @OnCommand(relayCommands.keep)
  async keep({ relayID, ...wanted }: RequestOf<Commands['keep']>): Promise<ReplyOf<Commands['keep']>> {
    const relay = this.relay(relayID);
    await relay.keep(wanted, relayTimings.lapseAfterMs);
    return { viewers: relay.states(), silent: await relay.silent() };
  }

  @OnCommand(relayCommands.measure)
  async measure({ relayID }: RequestOf<Commands['measure']>): Promise<ReplyOf<Commands['measure']>> {
    const measured = await this.relay(relayID).measure();
    return { node: this.context.nodeMeter.current(), ...measured };
  }

  @OnCommand(relayCommands.close)
  async closeRelay({ relayID }: RequestOf<Commands['close']>): Promise<void> {
    await (await this.relays.get(relayID)?.catch(() => undefined))?.close();
  }

  @OnCommand(relayCommands.openTrack)
  async openTrack({ relayID, track, pipeID }: RequestOf<Commands['openTrack']>): Promise<void> {
    await this.relay(relayID).openTrack(track, pipeID);
  }

  @OnCommand(relayCommands.closeTrack)
  async closeTrack({ relayID, trackID, pipeID }: RequestOf<Commands['closeTrack']>): Promise<void> {
    await this.relay(relayID).closeTrack(trackID, pipeID);
  }

  @OnCommand(relayCommands.openViewer)
  async openViewer(request: RequestOf<Commands['openViewer']>): Promise<ReplyOf<Commands['openViewer']>> {
    const { relayID, viewerID, numbers } = request;
    this.assertTaking();
    const { ice, fingerprints } = (await this.relay(relayID).openViewer(viewerID, numbers)).transport;
    return { ice, fingerprints };
  }

  @OnCommand(relayCommands.connectViewer)
  async connectViewer({ role, fingerprints, ...named }: RequestOf<Commands['connectViewer']>): Promise<void> {
    await this.viewer(named).transport.connect({ role, fingerprints });
  }

  @OnCommand(relayCommands.restartIce)
  async restartIce(named: RequestOf<Commands['restartIce']>): Promise<ReplyOf<Commands['restartIce']>> {
    return { ice: await this.viewer(named).transport.restartIce() };
  }

  @OnCommand(relayCommands.startViewer)
  async startViewer(named: RequestOf<Commands['startViewer']>): Promise<void> {
    await this.viewer(named).transport.start();
  }

  @OnCommand(relayCommands.closeViewer)
  async closeViewer({ relayID, viewerID }: RequestOf<Commands['closeViewer']>): Promise<void> {
    await this.relay(relayID).closeViewer(viewerID);
  }

  @OnCommand(relayCommands.send)
  async send({
    sentID,
    trackID,
    capabilities,
    ...named
  }: RequestOf<Commands['send']>): Promise<ReplyOf<Commands['send']>> {
    const track = await this.relay(named.relayID).track(trackID);
    const sent = await this.viewer(named).send(sentID, track, capabilities);
    return sent ? { sent } : {};
  }

  @OnCommand(relayCommands.prefer)
  async prefer({ sentID, layers, ...named }: RequestOf<Commands['prefer']>): Promise<void> {
    await this.viewer(named).sentTrack(sentID)?.prefer(layers);
  }

  @OnCommand(relayCommands.stopSending)
  async stopSending({ sentID, ...named }: RequestOf<Commands['stopSending']>): Promise<void> {
    await this.viewer(named).stopSending(sentID);
  }

  /** Asks the owners to move their viewers to other nodes. */
  dismiss(): void {
    for (const [relayID, { ownerID }] of this.open) this.tell(ownerID, { type: 'dismissed', relayID });
  }

  async closeAll(): Promise<void> {
    for (const relayID of [...this.relays.keys()]) await this.closeRelay({ relayID });
  }

  async close(): Promise<void> {
    this.timer.cancel();
    this.isClosed = true;
    await this.closeAll();
  }

  private assertTaking(): void {
    if (this.isClosed || this.context.drain.isDraining) throw drainingError();
  }

  private relay(relayID: string): HostedRelay {
    const relay = this.open.get(relayID);
    if (!relay) throw new ServiceError('not_found', 'This node has no relay with this relayID.');
    return relay;
  }

  private viewer({ relayID, viewerID }: { relayID: string; viewerID: string }): HostedViewer {
    return this.relay(relayID).viewer(viewerID);
  }

  private async openNew(request: RequestOf<Commands['open']>): Promise<HostedRelay> {
    const { relayID, ownerID, meetingID } = request;
    const { engine, clock } = this.context;
    const relay = await HostedRelay.open(engine, request, clock, (viewerID, event) =>
      this.tell(ownerID, { ...event, relayID, viewerID }),
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
