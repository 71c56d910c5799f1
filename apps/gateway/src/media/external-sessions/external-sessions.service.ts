import { Inject, Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { externalSessionTransitions, isFinal, ServiceError, type EncoderProtocol } from '@rtms/contracts';
import { Repository } from 'typeorm';
import { EntitlementsService } from '../../accounts/entitlements/entitlements.service.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { FeaturesService } from '../../accounts/features/features.service.js';
import { live } from '../../platform/rows/live-states.js';
import type { Listed, Page } from '../../platform/rows/list-rows.js';
import type { WorkerCommand } from '../../platform/workers/worker-command.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { lockRow } from '../resources/locked-rows.js';
import { findOwned, listOwned, type Owner } from '../resources/owned-rows.js';
import { IngestKeysService, type EncoderCall } from '../ingest/ingest-keys.service.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { JoinTicketsService } from '../../rooms/room/join-tickets.service.js';
import { RoomsService } from '../../rooms/room/rooms.service.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { MediaTokensService } from '../../accounts/signing-keys/media-tokens.service.js';
import {
  callIn,
  type CreateExternalSessionDto,
  ingestFault,
  isEncoderProtocol,
  presentExternalSession,
  presentLiveSession,
  type IngestAccess,
  type PresentedExternalSession,
  type PresentedLiveSession,
} from './external-session.dto.js';
import { ExternalSession } from '../resources/external-session.entity.js';
import { SessionLifecycleService } from './session-lifecycle.service.js';
import { SessionOpeningService, makeExternalSession } from './session-opening.service.js';
import { ThumbnailsService } from './thumbnails.service.js';

type Issued = Omit<IngestAccess, 'publicUrl'>;

/** Creates, finds, lists, renews and ends external sessions. */
@Injectable()
export class ExternalSessionsService {
  private readonly logger = new Logger(ExternalSessionsService.name);

  constructor(
    @InjectRepository(ExternalSession) private readonly sessions: Repository<ExternalSession>,
    private readonly rooms: RoomsService,
    private readonly features: FeaturesService,
    private readonly entitlements: EntitlementsService,
    private readonly nodes: NodeRegistry,
    private readonly opening: SessionOpeningService,
    private readonly lifecycle: SessionLifecycleService,
    private readonly commands: WorkerCommandsService,
    private readonly tokens: MediaTokensService,
    private readonly joinTickets: JoinTicketsService,
    private readonly thumbnails: ThumbnailsService,
    private readonly ingestKeys: IngestKeysService,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async create(owner: Owner, dto: CreateExternalSessionDto, requestID: string): Promise<PresentedExternalSession> {
    const fault = ingestFault(dto);
    if (fault !== undefined) throw new ServiceError('invalid_request', fault);
    const call = callIn(dto, this.config.privateRestreamTargets === true);
    const checks = [
      ...this.checkProtocol(owner.accountID, dto.ingest.protocol),
      this.rooms.requireUsable(owner, owner.meetingID),
    ];
    await Promise.allSettled(checks);
    // The first check that failed, in this order, becomes the answer.
    for (const check of checks) await check;
    const row = makeExternalSession(owner, dto, new Date(this.clock.now()));
    const issued = isForEncoders(row) ? {} : await this.issue(row);
    await this.opening.open(row, requestID);
    return this.present(row, isForEncoders(row) ? await this.issueOrDiscard(row, call, requestID) : issued);
  }

  async get(owner: Owner, sessionID: string): Promise<PresentedExternalSession> {
    const row = await this.find(owner, sessionID);
    const [thumbnailUrl, encoders] = await Promise.all([this.thumbnails.address(row), this.encodersOf([row])]);
    return this.present(row, { thumbnailUrl, ...encoders.get(sessionID) });
  }

  async list(owner: Owner, page: Page): Promise<Listed<PresentedExternalSession>> {
    const room = await this.rooms.find(owner, owner.meetingID);
    const { items, total } = await listOwned(this.sessions, room, page);
    const encoders = await this.encodersOf(items);
    return { items: items.map(row => this.present(row, encoders.get(row.id))), total };
  }

  /** Live sessions of any account, or of one account, newest first. */
  async listLive(accountID: string | undefined, { startIndex, pageSize }: Page): Promise<Listed<PresentedLiveSession>> {
    const where = { ...live, ...(accountID !== undefined && { accountID }) };
    const order = { createdAt: 'DESC', id: 'DESC' } as const;
    const [items, total] = await this.sessions.findAndCount({ where, order, skip: startIndex, take: pageSize });
    return { items: items.map(presentLiveSession), total };
  }

  async renewToken(owner: Owner, sessionID: string, requestID: string): Promise<PresentedExternalSession> {
    const row = await this.find(owner, sessionID);
    if (hasEnded(row)) throw new ServiceError('session_ended');
    if (row.protocol !== 'service-webrtc') await this.features.requireEnabled(owner.accountID, row.protocol);
    const { callUrl } = (await this.encodersOf([row])).get(sessionID) ?? {};
    if (callUrl) throw new ServiceError('invalid_request', callsEncoder);
    return this.present(row, isForEncoders(row) ? await this.issueKey(row, requestID) : await this.issue(row));
  }

  /** Idempotent: an ended session stays as it is. */
  async end(owner: Owner, sessionID: string, note: string | undefined, requestID: string) {
    await this.find(owner, sessionID);
    const commands = await this.endUnlessNeeded(sessionID, note);
    this.logger.log({ requestID, sessionID, note }, 'an external session was ended on request');
    await this.commands.tell(commands, requestID);
    return this.get(owner, sessionID);
  }

  private endUnlessNeeded(sessionID: string, note: string | undefined): Promise<WorkerCommand[]> {
    return this.sessions.manager.transaction(async manager => {
      const row = await lockRow(manager, ExternalSession, sessionID);
      if (!row || hasEnded(row)) return [];
      if (await this.lifecycle.hasDependents(manager, sessionID)) throw hasDependents();
      if (note !== undefined) await manager.update(ExternalSession, sessionID, { reason: note });
      return this.lifecycle.endAll(manager, { id: sessionID }, 'requested');
    });
  }

  private checkProtocol(accountID: string, protocol: ExternalSession['protocol']): Promise<unknown>[] {
    return [
      ...(protocol === 'service-webrtc' ? [] : [this.features.requireEnabled(accountID, protocol)]),
      ...(protocol === 'whip' ? [this.entitlements.require(accountID, 'whip')] : []),
    ];
  }

  private async issueOrDiscard(row: EncoderSession, call: EncoderCall | undefined, requestID: string): Promise<Issued> {
    try {
      if (call === undefined) return await this.issueKey(row, requestID);
      await this.ingestKeys.call(row.id, call, requestID);
      return { callUrl: call.url, problem: null };
    } catch (error) {
      await this.opening.discard(row, requestID);
      throw error;
    }
  }

  private async issueKey(row: EncoderSession, requestID: string): Promise<Issued> {
    const encoder = await this.ingestKeys.issue(row, await this.ingestKeys.prepare(row, requestID));
    return { encoder, problem: null };
  }

  /** The addresses that are called, and why encoders were refused, by session. Sessions of other protocols are absent. */
  private async encodersOf(rows: readonly ExternalSession[]): Promise<Map<string, Issued>> {
    const keys = await this.ingestKeys.ofSessions(rows.filter(isForEncoders).map(({ id }) => id));
    return new Map([...keys].map(([id, { callUrl, problem }]) => [id, { callUrl, problem }]));
  }

  /** With `service-webrtc` the publisher connects to the room socket instead of a media node. */
  private async issue(row: ExternalSession): Promise<Issued> {
    const { id, meetingID } = row;
    if (row.protocol === 'whip') return { issued: await this.tokens.issue('ingest', row) };
    return { join: await this.joinTickets.issue({ id: meetingID }, { id, role: 'participant' }) };
  }

  private find(owner: Owner, sessionID: string): Promise<ExternalSession> {
    return findOwned(this.sessions, owner, sessionID, 'external session');
  }

  private present(row: ExternalSession, issued: Issued = {}): PresentedExternalSession {
    const node = row.nodeID === null || hasEnded(row) ? undefined : this.nodes.find('sfu', row.nodeID);
    return presentExternalSession(row, { publicUrl: node?.publicUrl, ...issued });
  }
}

const callsEncoder =
  'This session has no token to renew: the service calls its encoder. Create another session to call another address.';

type EncoderSession = ExternalSession & { protocol: EncoderProtocol };

function isForEncoders(row: ExternalSession): row is EncoderSession {
  return isEncoderProtocol(row.protocol);
}

function hasEnded(row: ExternalSession): boolean {
  return isFinal(externalSessionTransitions, row.state);
}

function hasDependents(): ServiceError {
  return new ServiceError(
    'has_dependents',
    'Playbacks, broadcasts or restreams still use this session. Delete them first, then the session.',
  );
}
