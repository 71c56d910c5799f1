import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { NatsBus, type Bus, type Closeable } from '@rtms/bus';
import { systemClock, type Clock } from '@rtms/clock';
import { roomMediaEventSubject, type RoomMediaEvent } from '@rtms/contracts';
import {
  DrainState,
  FactOutbox,
  HealthModule,
  LeaseKeeper,
  LeaseThread,
  logLeaseOutage,
  type HealthOptions,
  type KeepLease,
} from '@rtms/health';
import type { Logger } from '@rtms/logging';
import { TokenVerifier } from '@rtms/tokens';
import { CommandResponder } from './commands/command-responder.js';
import { Drain } from './commands/drain.js';
import { NodeState } from './commands/node-state.js';
import { MemberCommands } from './commands/member-commands.js';
import { RoomCommands } from './commands/room-commands.js';
import { Diagnosis } from './diagnosis/diagnosis.service.js';
import { SignallingHttp } from './http/signalling-http.js';
import type { MediaEngine } from './media/media-engine.js';
import { MediasoupEngine } from './media/mediasoup/mediasoup-engine.js';
import { SfuMetrics } from './metrics/sfu-metrics.service.js';
import { NodeLifecycle } from './node-lifecycle.js';
import { NodeRelaying } from './relay/node-relaying.js';
import { relayAddressFault } from './relay/relay-address.js';
import { Audiences } from './rooms/audiences.js';
import { RoomRegistry } from './rooms/room-registry.js';
import type { SfuConfig } from './sfu.config.js';
import { BUS, CLOCK, EPOCH, KEEP_LEASE, LOGGER, MEDIA_ENGINE, SFU_CONFIG, TRACING } from './sfu.tokens.js';
import { SignallingService } from './signalling/signalling.service.js';
import { WhepController } from './whep/whep.controller.js';
import { WhepEndpoint } from './whep/whep.endpoint.js';
import { WhipController } from './whip/whip.controller.js';
import { WhipEndpoint } from './whip/whip.endpoint.js';

/** The parts that a node is made of. A test passes its own. */
export interface SfuParts {
  config: SfuConfig;
  logger: Logger;
  bus: Bus;
  engine: MediaEngine;
  clock: Clock;
  /** Default: on the event loop. */
  keepLease?: KeepLease;
  /** Closed after everything else. */
  tracing?: Closeable;
}

/** NATS, mediasoup and the system's clock, as configured. */
export async function connectParts(config: SfuConfig, logger: Logger): Promise<SfuParts> {
  const bus = await NatsBus.connect({
    ...config.bus,
    name: config.nodeID,
    service: 'sfu',
    provision: 'await',
    onProblem: err => logger.warn({ err }, 'the bus reports a problem'),
    onWaiting: stream => logger.info({ stream }, 'waiting for a gateway to make a stream'),
  });
  try {
    const engine = await MediasoupEngine.start({ ...definedOf(config.media), logger, clock: systemClock });
    const thread = { nodeID: config.nodeID, service: 'sfu' as const, clock: systemClock, logger };
    const keepLease: KeepLease = currentLease => new LeaseThread({ ...thread, currentLease });
    return { config, logger, bus, engine, clock: systemClock, keepLease };
  } catch (error) {
    await bus.close();
    throw error;
  }
}

/** A setting that is left out takes the engine's default. */
function definedOf<Settings extends object>(
  settings: Settings,
): { [Name in keyof Settings]: NonNullable<Settings[Name]> } {
  const defined = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as { [Name in keyof Settings]: NonNullable<Settings[Name]> };
}

const untraced: Closeable = { close: () => Promise.resolve() };

@Module({})
export class SfuModule {
  static forRoot(parts: SfuParts): DynamicModule {
    const epoch = parts.clock.now();
    const drain = new DrainState();
    return {
      module: SfuModule,
      imports: [HealthModule.forRoot(healthOf(parts))],
      controllers: [WhipController, WhepController],
      providers: [
        ...partProviders(parts, epoch, drain),
        WhipEndpoint,
        WhepEndpoint,
        SignallingService,
        SignallingHttp,
        NodeState,
        RoomCommands,
        MemberCommands,
        Diagnosis,
        Drain,
        CommandResponder,
        NodeLifecycle,
        SfuMetrics,
      ],
    };
  }
}

function healthOf({ config, bus, engine }: SfuParts): HealthOptions {
  return {
    checks: { bus: () => bus.isConnected(), workers: () => engine.workerPids().length > 0 },
    hidesMetrics: config.managementPort !== undefined,
    mounts: ['/whip', '/whep'],
  };
}

function partProviders(parts: SfuParts, epoch: number, drain: DrainState): Provider[] {
  const { config, logger, bus, engine, clock, tracing } = parts;
  const keepLease: KeepLease =
    parts.keepLease ??
    (currentLease => new LeaseKeeper(bus, currentLease, clock, { report: outage => logLeaseOutage(logger, outage) }));
  const { nodeID } = config;
  const facts = new FactOutbox(bus, { nodeID, epoch }, logger, clock);
  const announce = (event: RoomMediaEvent): void => bus.announce(`${roomMediaEventSubject}.${event.meetingID}`, event);
  const addressFault = relayAddressFault(definedOf(config.media));
  const audiences = new Audiences(clock, () => engine.load().capacity);
  const relaying = new NodeRelaying({ nodeID, engine, bus, logger, clock, addressFault, drain, audiences });
  const context = {
    engine: relaying.engine,
    audiences,
    facts,
    announce,
    logger,
    clock,
    noteEnd: () => drain.noteEnd(),
  };
  return [
    { provide: SFU_CONFIG, useValue: config },
    { provide: LOGGER, useValue: logger },
    { provide: BUS, useValue: bus },
    { provide: CLOCK, useValue: clock },
    { provide: MEDIA_ENGINE, useValue: engine },
    { provide: TRACING, useValue: tracing ?? untraced },
    { provide: EPOCH, useValue: epoch },
    { provide: KEEP_LEASE, useValue: keepLease },
    { provide: DrainState, useValue: drain },
    { provide: FactOutbox, useValue: facts },
    { provide: TokenVerifier, useValue: new TokenVerifier(clock) },
    { provide: NodeRelaying, useValue: relaying },
    { provide: Audiences, useValue: audiences },
    { provide: RoomRegistry, useFactory: () => new RoomRegistry(context) },
  ];
}
