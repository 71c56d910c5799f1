import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Bus, Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import {
  broadcastTransitions,
  endpointState,
  externalSessionTransitions,
  isFinal,
  playbackTransitions,
  type EndpointQuestion,
  type EndpointState,
} from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { openWhenPossible } from '../../platform/jobs/open-when-possible.js';
import { Broadcast } from '../resources/broadcast.entity.js';
import { ExternalSession } from '../resources/external-session.entity.js';
import { Playback } from '../resources/playback.entity.js';
import { BUS, CLOCK } from '../../platform/runtime/runtime.module.js';

/**
 * Answers media nodes whether a session, playback or broadcast has ended. A node asks about resources that it does not hold,
 * so that it can tell their clients to stop.
 */
@Injectable()
export class EndpointStatesService implements OnApplicationBootstrap, OnApplicationShutdown {
  private responder: Closeable | undefined;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.responder = openWhenPossible(this.clock, EndpointStatesService.name, () =>
      this.bus.respond(endpointState, async question => ({ state: await this.stateOf(question) })),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await this.responder?.close();
  }

  private async stateOf({ protocol, resourceID: id }: EndpointQuestion): Promise<EndpointState> {
    const { manager } = this.dataSource;
    const byID = { where: { id }, select: { id: true, state: true } } as const;
    switch (protocol) {
      case 'whip': {
        const row = await manager.findOne(ExternalSession, byID);
        return row ? endpointStateOf(isFinal(externalSessionTransitions, row.state)) : 'unknown';
      }
      case 'whep': {
        const row = await manager.findOne(Playback, byID);
        return row ? endpointStateOf(isFinal(playbackTransitions, row.state)) : 'unknown';
      }
      case 'hls': {
        const row = await manager.findOne(Broadcast, byID);
        return row ? endpointStateOf(isFinal(broadcastTransitions, row.state)) : 'unknown';
      }
    }
  }
}

function endpointStateOf(hasEnded: boolean): EndpointState {
  return hasEnded ? 'ended' : 'live';
}
