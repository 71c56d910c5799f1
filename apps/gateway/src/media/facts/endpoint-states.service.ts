import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Bus, Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { endpointState, type EndpointQuestion, type EndpointState } from '@rtms/contracts';
import { DataSource, type EntityTarget } from 'typeorm';
import { openWhenPossible } from '../../platform/jobs/open-when-possible.js';
import { Broadcast } from '../resources/broadcast.entity.js';
import { ExternalSession } from '../resources/external-session.entity.js';
import type { MediaResource } from '../resources/media-resource.entity.js';
import { Playback } from '../resources/playback.entity.js';
import { BUS, CLOCK } from '../../platform/runtime/runtime.module.js';

const entities: Record<EndpointQuestion['protocol'], EntityTarget<MediaResource & { state: string }>> = {
  whip: ExternalSession,
  whep: Playback,
  hls: Broadcast,
};

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
      this.bus.respond(endpointState, async question => ({ state: await this.stateOf(question) }), { balanced: true }),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await this.responder?.close();
  }

  private async stateOf({ protocol, resourceID: id }: EndpointQuestion): Promise<EndpointState> {
    const row = await this.dataSource.manager.findOne(entities[protocol], {
      where: { id },
      select: { id: true, state: true },
    });
    if (!row) return 'unknown';
    return row.state === 'ended' || row.state === 'failed' ? 'ended' : 'live';
  }
}
