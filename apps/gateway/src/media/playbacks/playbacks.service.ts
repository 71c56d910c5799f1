import { Inject, Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { Repository } from 'typeorm';
import { EntitlementsService } from '../../accounts/entitlements/entitlements.service.js';
import { FeaturesService } from '../../accounts/features/features.service.js';
import type { Listed, Page } from '../../platform/rows/list-rows.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { live } from '../../platform/rows/live-states.js';
import type { OfSourceDto } from '../resources/end-media.dto.js';
import { findOwned, listOwned, type Owner } from '../resources/owned-rows.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { RoomsService } from '../../rooms/room/rooms.service.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { MediaTokensService, type IssuedToken } from '../../accounts/signing-keys/media-tokens.service.js';
import { type CreatePlaybackDto, presentPlayback, type PresentedPlayback } from './playback.dto.js';
import { PlaybackLifecycleService, makePlayback } from './playback-lifecycle.service.js';
import { Playback } from '../resources/playback.entity.js';

/** Creates, finds, lists and ends playbacks. */
@Injectable()
export class PlaybacksService {
  private readonly logger = new Logger(PlaybacksService.name);

  constructor(
    @InjectRepository(Playback) private readonly playbacks: Repository<Playback>,
    private readonly rooms: RoomsService,
    private readonly features: FeaturesService,
    private readonly entitlements: EntitlementsService,
    private readonly nodes: NodeRegistry,
    private readonly lifecycle: PlaybackLifecycleService,
    private readonly commands: WorkerCommandsService,
    private readonly tokens: MediaTokensService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async create(owner: Owner, dto: CreatePlaybackDto, requestID: string): Promise<PresentedPlayback> {
    await this.features.requireEnabled(owner.accountID, 'whep');
    await this.entitlements.require(owner.accountID, 'whep');
    await this.rooms.requireUsable(owner, owner.meetingID);
    const row = makePlayback(owner, dto, new Date(this.clock.now()));
    const issued = await this.tokens.issue('playback', row);
    await this.lifecycle.open(row, requestID);
    return this.present(row, issued);
  }

  async get(owner: Owner, playbackID: string): Promise<PresentedPlayback> {
    return this.present(await findOwned(this.playbacks, owner, playbackID, 'playback'));
  }

  async list(owner: Owner, filter: OfSourceDto, page: Page): Promise<Listed<PresentedPlayback>> {
    const room = await this.rooms.find(owner, owner.meetingID);
    const { items, total } = await listOwned(this.playbacks, room, page, filter);
    return { items: items.map(row => this.present(row)), total };
  }

  /** Idempotent: an ended playback stays as it is. */
  async end(owner: Owner, playbackID: string, note: string | undefined, requestID: string) {
    await findOwned(this.playbacks, owner, playbackID, 'playback');
    const commands = await this.playbacks.manager.transaction(async manager => {
      if (note !== undefined) await manager.update(Playback, { id: playbackID, ...live }, { reason: note });
      return this.lifecycle.endAll(manager, { id: playbackID }, 'requested');
    });
    this.logger.log({ requestID, playbackID, note }, 'a playback was ended on request');
    await this.commands.tell(commands, requestID);
    return this.get(owner, playbackID);
  }

  private present(row: Playback, issued?: IssuedToken): PresentedPlayback {
    const node = row.nodeID === null || row.state === 'ended' ? undefined : this.nodes.find('sfu', row.nodeID);
    return presentPlayback(row, { publicUrl: node?.publicUrl, ...(issued && { issued }) });
  }
}
