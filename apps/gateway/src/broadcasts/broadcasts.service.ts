import { Inject, Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { broadcastTransitions, isFinal } from '@rtms/contracts';
import { Repository } from 'typeorm';
import { BalancesService } from '../balance/balances.service.js';
import { EntitlementsService } from '../entitlements/entitlements.service.js';
import { FeaturesService } from '../features/features.service.js';
import type { Page } from '../http/page.decorator.js';
import type { Listed } from '../http/present.js';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { live } from '../media/live-states.js';
import { findOwned, listOwned, type Owner } from '../media/owned-rows.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import type { Room } from '../rooms/room.entity.js';
import { RoomsService } from '../rooms/rooms.service.js';
import { CLOCK } from '../runtime.module.js';
import { MediaTokens } from '../signing-keys/media-tokens.service.js';
import { BroadcastLifecycle } from './broadcast-lifecycle.service.js';
import { BroadcastOpening, makeBroadcast } from './broadcast-opening.service.js';
import { Broadcast } from './broadcast.entity.js';
import { requireOneSource, type CreateBroadcastDto } from './dto/create-broadcast.dto.js';
import { presentBroadcast, type PresentedBroadcast } from './present-broadcast.js';

/** What callers ask of broadcasts. */
@Injectable()
export class BroadcastsService {
  private readonly logger = new Logger(BroadcastsService.name);

  constructor(
    @InjectRepository(Broadcast) private readonly broadcasts: Repository<Broadcast>,
    private readonly rooms: RoomsService,
    private readonly features: FeaturesService,
    private readonly entitlements: EntitlementsService,
    private readonly balances: BalancesService,
    private readonly nodes: NodeRegistry,
    private readonly opening: BroadcastOpening,
    private readonly lifecycle: BroadcastLifecycle,
    private readonly commands: WorkerCommands,
    private readonly tokens: MediaTokens,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async create(owner: Owner, dto: CreateBroadcastDto, requestID: string): Promise<PresentedBroadcast> {
    const source = requireOneSource(dto);
    await this.features.requireEnabled(owner.accountID, 'hls');
    await this.entitlements.require(owner.accountID, 'hls');
    const room = await this.rooms.requireRunning(owner, owner.meetingID);
    await this.balances.requireMeetingTime(owner.accountID, room.keyType);
    const row = makeBroadcast(owner, source, new Date(this.clock.now()));
    await this.opening.open(row, room, requestID);
    return this.present(row, room);
  }

  /** `withEntry`: the caller may play it. */
  async get(owner: Owner, broadcastID: string, withEntry: boolean): Promise<PresentedBroadcast> {
    const row = await findOwned(this.broadcasts, owner, broadcastID, 'broadcast');
    if (!withEntry) return presentBroadcast(row, undefined);
    return this.present(row, await this.rooms.find(owner, owner.meetingID));
  }

  async list(owner: Owner, page: Page, withEntry: boolean): Promise<Listed<PresentedBroadcast>> {
    const room = await this.rooms.find(owner, owner.meetingID);
    const { items, total } = await listOwned(this.broadcasts, room, page);
    if (!withEntry) return { items: items.map(row => presentBroadcast(row, undefined)), total };
    return { items: await Promise.all(items.map(row => this.present(row, room))), total };
  }

  /** Ending an ended broadcast changes nothing. */
  async end(owner: Owner, broadcastID: string, note: string | undefined, requestID: string) {
    await findOwned(this.broadcasts, owner, broadcastID, 'broadcast');
    const commands = await this.broadcasts.manager.transaction(async manager => {
      if (note !== undefined) await manager.update(Broadcast, { id: broadcastID, ...live }, { reason: note });
      return this.lifecycle.endAll(manager, { id: broadcastID }, 'requested');
    });
    this.logger.log({ requestID, broadcastID, note }, 'a broadcast was ended on request');
    await this.commands.tell(commands, requestID);
    return this.get(owner, broadcastID, true);
  }

  /** While it has not ended, whoever reads it gets a fresh entry. */
  private async present(row: Broadcast, room: Room): Promise<PresentedBroadcast> {
    const hasEnded = isFinal(broadcastTransitions, row.state);
    const node = row.nodeID === null || hasEnded ? undefined : this.nodes.find('transcoder', row.nodeID);
    if (!node) return presentBroadcast(row, undefined);
    return presentBroadcast(row, {
      publicUrl: node.publicUrl,
      entry: await this.tokens.issueEntry(row, room.expiresAt),
    });
  }
}
