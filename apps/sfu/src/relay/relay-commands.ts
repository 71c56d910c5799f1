import { relayCommands } from '@rtms/contracts';
import { OnCommand, type ReplyOf, type RequestOf } from '@rtms/node';
import type { HostedViewer } from './hosted-relay.js';
import type { RelayHost } from './relay-host.js';
import { relayTimings } from './relay-link.js';

type Commands = typeof relayCommands;

/** Commands of owner nodes to this relay node. */
export class RelayCommands {
  constructor(private readonly host: RelayHost) {}

  @OnCommand(relayCommands.open)
  async open(request: RequestOf<Commands['open']>): Promise<ReplyOf<Commands['open']>> {
    return { pipe: (await this.host.openRelay(request)).end };
  }

  @OnCommand(relayCommands.keep)
  async keep({ relayID, ...wanted }: RequestOf<Commands['keep']>): Promise<ReplyOf<Commands['keep']>> {
    const relay = this.host.relay(relayID);
    await relay.keep(wanted, relayTimings.lapseAfterMs);
    return { viewers: relay.states(), silent: await relay.silent() };
  }

  @OnCommand(relayCommands.close)
  async close({ relayID }: RequestOf<Commands['close']>): Promise<void> {
    await this.host.closeRelay(relayID);
  }

  @OnCommand(relayCommands.openTrack)
  async openTrack({ relayID, track, pipeID }: RequestOf<Commands['openTrack']>): Promise<void> {
    await this.host.relay(relayID).openTrack(track, pipeID);
  }

  @OnCommand(relayCommands.closeTrack)
  async closeTrack({ relayID, trackID, pipeID }: RequestOf<Commands['closeTrack']>): Promise<void> {
    await this.host.relay(relayID).closeTrack(trackID, pipeID);
  }

  @OnCommand(relayCommands.openViewer)
  async openViewer(request: RequestOf<Commands['openViewer']>): Promise<ReplyOf<Commands['openViewer']>> {
    const { relayID, viewerID, numbers } = request;
    this.host.assertTaking();
    const { ice, fingerprints } = (await this.host.relay(relayID).openViewer(viewerID, numbers)).transport;
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
    await this.host.relay(relayID).closeViewer(viewerID);
  }

  @OnCommand(relayCommands.send)
  async send({
    sentID,
    trackID,
    capabilities,
    ...named
  }: RequestOf<Commands['send']>): Promise<ReplyOf<Commands['send']>> {
    const track = await this.host.relay(named.relayID).track(trackID);
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

  private viewer({ relayID, viewerID }: { relayID: string; viewerID: string }): HostedViewer {
    return this.host.relay(relayID).viewer(viewerID);
  }
}
