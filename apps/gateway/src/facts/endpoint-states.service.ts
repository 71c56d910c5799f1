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
import { openWhenPossible } from '../background/open-when-possible.js';
import { Broadcast } from '../broadcasts/broadcast.entity.js';
import { ExternalSession } from '../external-sessions/external-session.entity.js';
import { Playback } from '../playbacks/playback.entity.js';
import { BUS, CLOCK } from '../runtime.module.js';

/** Tells media nodes whether a session, playback or broadcast that no node holds has ended: its clients must then give up. */
@Injectable()
export class EndpointStates implements OnApplicationBootstrap, OnApplicationShutdown {
  private responder: Closeable | undefined;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.responder = openWhenPossible(this.clock, EndpointStates.name, () =>
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
