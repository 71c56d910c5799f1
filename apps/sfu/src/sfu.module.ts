import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { systemClock } from '@rtms/clock';
import { placeRepair, type RoomMediaEvent, roomMediaEventSubject } from '@rtms/contracts';
import type { Logger } from '@rtms/logging';
import { connectBus, DrainState, FactOutbox, mediaNodeModule, type NodeParts } from '@rtms/node';
import { MemberCommands } from './commands/member-commands.js';
import { RoomCommands } from './commands/room-commands.js';
import { DiagnosisService } from './diagnosis/diagnosis.service.js';
import { SignallingHttp } from './signalling/signalling-http.js';
import { MEDIA_ENGINE, type MediaEngine, type MediaRoom, type ViewerOpener } from './media/media-engine.js';
import { MediasoupEngine } from './media/mediasoup/mediasoup-engine.js';
import { SfuMetricsService } from './metrics/sfu-metrics.service.js';
import { NodeRelaying } from './relay/node-relaying.js';
import { relayAddressFault } from './media/mediasoup/listen-address.js';
import { Audiences } from './rooms/audiences.js';
import { RoomRegistry } from './rooms/room-registry.js';
import type { AskForRepair } from './rooms/repair/session-repair.js';
import { SessionSamples } from './samples/session-samples.js';
import { ViewerSamples } from './samples/viewer-samples.js';
import { SfuWork } from './sfu-work.js';
import { SFU_CONFIG, type SfuConfig } from './sfu.config.js';
import { ENDPOINTS, type Endpoints } from './signalling/endpoint.js';
import { SignallingService } from './signalling/signalling.service.js';
import { WhepController, WhepEndpoint } from './signalling/whep/whep.js';
import { WhipController, WhipEndpoint } from './signalling/whip/whip.js';
import { IceServers } from './turn/ice-servers.js';

/** The parts of an SFU node. A test passes its own. */
interface SfuParts extends NodeParts {
  config: SfuConfig;
  engine: MediaEngine;
}

/** Connects NATS, mediasoup and the system clock as configured. */
export async function connectParts(config: SfuConfig, logger: Logger): Promise<SfuParts> {
  const [bus, engine] = await Promise.all([
    connectBus(config, 'sfu', logger),
    MediasoupEngine.start({ ...definedOf(config.media), logger, clock: systemClock }),
  ]);
  return { config, logger, bus, engine, clock: systemClock };
}

/** Removes undefined settings, so that the engine uses its defaults. */
function definedOf<Settings extends object>(
  settings: Settings,
): { [Name in keyof Settings]: NonNullable<Settings[Name]> } {
  const defined = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as { [Name in keyof Settings]: NonNullable<Settings[Name]> };
}

@Module({})
export class SfuModule {
  static forRoot(parts: SfuParts): DynamicModule {
    const { engine } = parts;
    return mediaNodeModule(SfuModule, {
      ...{ role: 'sfu', parts, work: SfuWork },
      checks: { workers: () => engine.workerPids().length > 0 },
      mounts: ['/whip', '/whep'],
      controllers: [WhipController, WhepController],
      providers: [
        ...roomProviders(parts),
        WhipEndpoint,
        WhepEndpoint,
        {
          provide: ENDPOINTS,
          inject: [WhipEndpoint, WhepEndpoint],
          useFactory: (whip: WhipEndpoint, whep: WhepEndpoint): Endpoints => ({ whip, whep }),
        },
        IceServers,
        SignallingService,
        SignallingHttp,
        RoomCommands,
        MemberCommands,
        DiagnosisService,
        SfuMetricsService,
      ],
    });
  }
}

/** The gateway tries several transcoders. */
const placing = { deadlineMs: 8_000 };

function askerFor(bus: SfuParts['bus'], sfuNodeID: string): AskForRepair {
  return need => bus.request(placeRepair, { ...need, sfuNodeID }, placing);
}

function roomProviders({ config, logger, bus, engine, clock }: SfuParts): Provider[] {
  const { nodeID } = config;
  const addressFault = relayAddressFault(definedOf(config.media));
  const announce = (event: RoomMediaEvent): void => bus.announce(`${roomMediaEventSubject}.${event.meetingID}`, event);
  const audiences = new Audiences(clock, () => engine.load().capacity);
  return [
    { provide: SFU_CONFIG, useValue: config },
    { provide: MEDIA_ENGINE, useValue: engine },
    { provide: Audiences, useValue: audiences },
    {
      provide: NodeRelaying,
      inject: [DrainState],
      useFactory: (drain: DrainState) =>
        new NodeRelaying({ nodeID, engine, bus, logger, clock, addressFault, drain, audiences }),
    },
    {
      provide: RoomRegistry,
      inject: [FactOutbox, DrainState, NodeRelaying],
      useFactory: (facts: FactOutbox, drain: DrainState, relaying: NodeRelaying) => {
        const noteEnd = (): void => drain.noteEnd();
        const viewersOf = (room: MediaRoom): ViewerOpener => relaying.viewersOf(room);
        const askForRepair = askerFor(bus, nodeID);
        const parts = { engine, viewersOf, audiences, facts, announce, askForRepair, logger, clock, noteEnd };
        return new RoomRegistry(parts);
      },
    },
    {
      provide: SessionSamples,
      inject: [RoomRegistry],
      useFactory: (rooms: RoomRegistry) => new SessionSamples(rooms, clock, logger),
    },
    {
      provide: ViewerSamples,
      inject: [RoomRegistry, NodeRelaying],
      useFactory: (rooms: RoomRegistry, { meter }: NodeRelaying) => new ViewerSamples(rooms, meter, clock, logger),
    },
  ];
}
