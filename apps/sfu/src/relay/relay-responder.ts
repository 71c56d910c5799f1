import type { Bus, Closeable } from '@rtms/bus';
import { relayCommands, type NodeCommand } from '@rtms/contracts';
import { loggedCommand, type Logger } from '@rtms/logging';
import type { HostedViewer } from './hosted-viewer.js';
import type { RelayHost } from './relay-host.js';
import { relayTimings } from './relay-timings.js';

/** Answers what owners of rooms have this node do for their viewers. */
export class RelayResponder implements Closeable {
  private readonly responders: Closeable[] = [];

  constructor(
    private readonly nodeID: string,
    private readonly bus: Pick<Bus, 'respond'>,
    private readonly logger: Logger,
    private readonly host: RelayHost,
  ) {}

  async start(): Promise<void> {
    const { host } = this;
    await this.on(relayCommands.open, async request => ({ pipe: (await host.openRelay(request)).end }));
    await this.on(relayCommands.keep, async ({ relayID, ...wanted }) => {
      const relay = host.relay(relayID);
      await relay.keep(wanted, relayTimings.lapseAfterMs);
      return { viewers: relay.states(), silent: await relay.silent() };
    });
    await this.on(relayCommands.close, ({ relayID }) => done(host.closeRelay(relayID)));
    await this.on(relayCommands.openTrack, ({ relayID, track, pipeID }) =>
      done(host.relay(relayID).openTrack(track, pipeID)),
    );
    await this.on(relayCommands.closeTrack, ({ relayID, trackID, pipeID }) =>
      done(host.relay(relayID).closeTrack(trackID, pipeID)),
    );
    await this.answerViewers();
    await this.answerSending();
  }

  async close(): Promise<void> {
    for (const responder of this.responders.splice(0)) await responder.close();
  }

  private async answerViewers(): Promise<void> {
    const { host } = this;
    await this.on(relayCommands.openViewer, async ({ relayID, viewerID, numbers }) => {
      host.assertTaking();
      const { ice, fingerprints } = (await host.relay(relayID).openViewer(viewerID, numbers)).transport;
      return { ice, fingerprints };
    });
    await this.on(relayCommands.connectViewer, ({ role, fingerprints, ...named }) =>
      done(this.viewer(named).transport.connect({ role, fingerprints })),
    );
    await this.on(relayCommands.restartIce, async named => ({ ice: await this.viewer(named).transport.restartIce() }));
    await this.on(relayCommands.startViewer, named => done(this.viewer(named).transport.start()));
    await this.on(relayCommands.closeViewer, ({ relayID, viewerID }) =>
      done(host.relay(relayID).closeViewer(viewerID)),
    );
  }

  private async answerSending(): Promise<void> {
    await this.on(relayCommands.send, async ({ sentID, trackID, capabilities, ...named }) => {
      const track = await this.host.relay(named.relayID).track(trackID);
      const sent = await this.viewer(named).send(sentID, track, capabilities);
      return sent ? { sent } : {};
    });
    await this.on(relayCommands.prefer, ({ sentID, layers, ...named }) =>
      done(this.viewer(named).sentTrack(sentID)?.prefer(layers)),
    );
    await this.on(relayCommands.stopSending, ({ sentID, ...named }) => done(this.viewer(named).stopSending(sentID)));
  }

  private viewer({ relayID, viewerID }: { relayID: string; viewerID: string }): HostedViewer {
    return this.host.relay(relayID).viewer(viewerID);
  }

  private async on<Request, Reply>(
    command: NodeCommand<Request, Reply>,
    handler: (request: Request) => Promise<Reply>,
  ): Promise<void> {
    const logged = loggedCommand(this.logger, command.name, async (request: Request) => handler(request));
    this.responders.push(await this.bus.respond(command.forNode(this.nodeID), logged));
  }
}

async function done(work: Promise<void> | undefined): Promise<Record<string, never>> {
  await work;
  return {};
}
