import { Inject, Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { broadcastTransitions, isFinal, ServiceError } from '@rtms/contracts';
import { Repository } from 'typeorm';
import type { SettingsScope } from '../../platform/auth/auth.decorators.js';
import { RecordingSettingsService } from '../../settings/recording-settings/recording-settings.service.js';
import { compositionOf, type Layout } from '../resources/composition-of.js';
import { EntitlementsService } from '../../accounts/entitlements/entitlements.service.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { FeaturesService } from '../../accounts/features/features.service.js';
import type { Listed, Page } from '../../platform/rows/list-rows.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { live } from '../../platform/rows/live-states.js';
import type { OfSourceDto } from '../resources/end-media.dto.js';
import { findOwned, listOwned, type Owner } from '../resources/owned-rows.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { type Room, RoomsService } from '../../rooms/room/rooms.service.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { MediaTokensService } from '../../accounts/signing-keys/media-tokens.service.js';
import { BroadcastLifecycleService, makeBroadcast } from './broadcast-lifecycle.service.js';
import { Broadcast } from '../resources/broadcast.entity.js';
import {
  type CreateBroadcastDto,
  noSource,
  requireOneSource,
  slateImageOf,
  presentBroadcast,
  type PresentedBroadcast,
} from './broadcast.dto.js';

type Sources = Omit<CreateBroadcastDto, 'layout' | 'dvrSeconds' | 'latency' | 'slate'>;
type BroadcastOrigin = Omit<Parameters<typeof makeBroadcast>[1], 'dvrSeconds' | 'latency' | 'slateImageUrl'>;

function ofOne(dto: Sources): BroadcastOrigin {
  return { ...requireOneSource(dto), composition: null };
}

/** Creates, finds, lists and ends broadcasts. */
@Injectable()
export class BroadcastsService {
  private readonly logger = new Logger(BroadcastsService.name);

  constructor(
    @InjectRepository(Broadcast) private readonly broadcasts: Repository<Broadcast>,
    private readonly rooms: RoomsService,
    private readonly features: FeaturesService,
    private readonly entitlements: EntitlementsService,
    private readonly nodes: NodeRegistry,
    private readonly lifecycle: BroadcastLifecycleService,
    private readonly commands: WorkerCommandsService,
    private readonly tokens: MediaTokensService,
    private readonly recordingSettings: RecordingSettingsService,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async create(
    owner: Owner,
    dto: CreateBroadcastDto,
    scope: SettingsScope,
    requestID: string,
  ): Promise<PresentedBroadcast> {
    const { layout } = dto;
    const slateImageUrl = slateImageOf(dto, this.config.privateRestreamTargets === true);
    const source = layout === 'grid' || layout === 'speaker' ? await this.wholeRoom(dto, layout, scope) : ofOne(dto);
    await this.features.requireEnabled(owner.accountID, 'hls');
    await this.entitlements.require(owner.accountID, 'hls');
    const room = await this.rooms.requireUsable(owner, owner.meetingID);
    const kept = { dvrSeconds: dto.dvrSeconds ?? 0, latency: dto.latency ?? 'normal', slateImageUrl };
    const row = makeBroadcast(owner, { ...source, ...kept }, new Date(this.clock.now()));
    await this.lifecycle.open(row, room, requestID);
    return this.present(row, room);
  }

  /** The form comes from the recording settings in force. */
  private async wholeRoom(dto: Sources, layout: Layout, scope: SettingsScope): Promise<BroadcastOrigin> {
    if (dto.sourceSessionID || dto.sourceParticipantID)
      throw new ServiceError('invalid_request', 'layout is for the whole room. Leave out the source.');
    return { ...noSource, composition: compositionOf(await this.recordingSettings.inForce(scope), layout) };
  }

  /** `withEntry`: the caller may play the broadcast. */
  async get(owner: Owner, broadcastID: string, withEntry: boolean): Promise<PresentedBroadcast> {
    const row = await findOwned(this.broadcasts, owner, broadcastID, 'broadcast');
    if (!withEntry) return presentBroadcast(row, undefined);
    return this.present(row, await this.rooms.find(owner, owner.meetingID));
  }

  async list(owner: Owner, filter: OfSourceDto, page: Page, withEntry: boolean): Promise<Listed<PresentedBroadcast>> {
    const room = await this.rooms.find(owner, owner.meetingID);
    const { items, total } = await listOwned(this.broadcasts, room, page, filter);
    if (!withEntry) return { items: items.map(row => presentBroadcast(row, undefined)), total };
    return { items: await Promise.all(items.map(row => this.present(row, room))), total };
  }

  /** Idempotent: an ended broadcast stays as it is. */
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

  /** Every read of a live broadcast issues a new playback token. */
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
