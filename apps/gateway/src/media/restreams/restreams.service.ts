import { Inject, Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { live } from '../../platform/rows/live-states.js';
import type { Listed, Page } from '../../platform/rows/list-rows.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { RoomsService } from '../../rooms/room/rooms.service.js';
import type { OfSourceDto } from '../resources/end-media.dto.js';
import { findOwned, listOwned, type Owner } from '../resources/owned-rows.js';
import { Restream } from '../resources/restream.entity.js';
import { requireRestreamSource, requireTargetOf, type CreateRestreamDto } from './restream.dto.js';
import { RestreamLifecycleService } from './restream-lifecycle.service.js';

/** Creates, finds, lists and ends restreams. */
@Injectable()
export class RestreamsService {
  private readonly logger = new Logger(RestreamsService.name);

  constructor(
    @InjectRepository(Restream) private readonly restreams: Repository<Restream>,
    private readonly rooms: RoomsService,
    private readonly lifecycle: RestreamLifecycleService,
    private readonly commands: WorkerCommandsService,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
  ) {}

  async create(owner: Owner, { target, ...dto }: CreateRestreamDto, requestID: string): Promise<Restream> {
    const choice = requireRestreamSource(dto);
    const checked = requireTargetOf(target, this.config.privateRestreamTargets === true);
    await this.rooms.requireUsable(owner, owner.meetingID);
    return this.lifecycle.open(owner, choice, checked, requestID);
  }

  find(owner: Owner, restreamID: string): Promise<Restream> {
    return findOwned(this.restreams, owner, restreamID, 'restream');
  }

  async list(owner: Owner, filter: OfSourceDto, page: Page): Promise<Listed<Restream>> {
    return listOwned(this.restreams, await this.rooms.find(owner, owner.meetingID), page, filter);
  }

  /** Idempotent: an ended restream stays as it is. */
  async end(owner: Owner, restreamID: string, note: string | undefined, requestID: string): Promise<Restream> {
    await this.find(owner, restreamID);
    const commands = await this.restreams.manager.transaction(async manager => {
      if (note !== undefined) await manager.update(Restream, { id: restreamID, ...live }, { reason: note });
      return this.lifecycle.endAll(manager, { id: restreamID }, 'requested');
    });
    this.logger.log({ requestID, restreamID, note }, 'a restream was ended on request');
    await this.commands.tell(commands, requestID);
    return this.find(owner, restreamID);
  }
}
