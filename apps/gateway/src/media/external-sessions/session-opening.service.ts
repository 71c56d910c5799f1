import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { encoderPlaces, ServiceError, sfuCommands, type NodeLease, type SourceBounds } from '@rtms/contracts';
import { DataSource, In, type EntityManager } from 'typeorm';
import { sourceBoundsOf } from '../../accounts/limits/account-limits.service.js';
import type { AccountLimitValues } from '../../accounts/limits/account-limits.js';
import {
  AccountQuotasService,
  requireBelow,
  type JointAdditions,
  type QuotaUse,
} from '../../accounts/limits/account-quotas.service.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import { newID } from '../../platform/database/new-id.js';
import { RepeatingTask } from '../../platform/jobs/repeating-task.js';
import { insertRow } from '../../platform/rows/plain-rows.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { closeSession } from '../../platform/workers/worker-command.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { RoomPlacesService, type RoomPlaces } from '../../rooms/records/room-places.service.js';
import { RoomHomesService } from '../nodes/room-homes.service.js';
import { tryNodes } from '../nodes/try-nodes.js';
import { ExternalSession } from '../resources/external-session.entity.js';
import type { Owner } from '../resources/owned-rows.js';
import { makeMediaRow, placedOn } from '../resources/placement.js';
import { isEncoderProtocol, type CreateExternalSessionDto } from './external-session.dto.js';
import { ExternalSessionsRepository } from './external-sessions.repository.js';

/** Of a session whose room is locked. */
const attemptsTogether = 3;

const cleanEveryMs = 1_000;
/** Bounds the memory that a long outage takes. */
const mostStrays = 10_000;

/** The node that a stored session is given to. */
interface Placed {
  node: NodeLease;
  /** The limits of the session's pictures. */
  maxSource: SourceBounds;
}

/** A session that shares a transaction with others of its account. */
interface NewSession {
  row: ExternalSession;
  /** The node that held the room before; undefined: no node. */
  home?: NodeLease | undefined;
  placed?: Placed;
}

/** The state of an account and of the rooms of its new sessions. Each accepted session changes it. */
interface SessionFacts {
  sessions: number;
  /** 0 if no new session takes such a place. */
  encoderPlaces: number;
  rooms: Map<string, RoomPlaces>;
  homes: ReadonlyMap<string, NodeLease>;
  /** Nodes of rooms that had none. */
  chosen: Map<string, NodeLease>;
}

/** Opens external sessions on media nodes. */
@Injectable()
export class SessionOpeningService implements OnApplicationShutdown {
  private readonly newSessions: JointAdditions<NewSession>;
  /** Sessions that a request may have stored before it lost the database. */
  private readonly strays = new Set<string>();
  private readonly cleaning = new RepeatingTask(this.clock, SessionOpeningService.name, cleanEveryMs, () =>
    this.deleteStrays(),
  );

  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: ExternalSessionsRepository,
    private readonly commands: WorkerCommandsService,
    private readonly homes: RoomHomesService,
    private readonly places: RoomPlacesService,
    private readonly quotas: AccountQuotasService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.newSessions = quotas.together<NewSession, SessionFacts>({
      read: (manager, accountID, all) => this.readFacts(manager, accountID, all),
      accept: (session, facts, limits) => this.accept(session, facts, limits),
      insert: (manager, { row }) => insertRow(manager.getRepository(ExternalSession), row),
    });
  }

  /** Stores the row before the command, so that no fact arrives before the row. Deletes the row on failure. */
  async open(row: ExternalSession, requestID: string): Promise<void> {
    const session: NewSession = { row };
    try {
      const isStored = await this.storeTogether(session);
      const home = isStored ? session.home : await this.homes.findStaying(row.meetingID);
      await this.openSomewhere(row, { requestID, home, placed: isStored ? session.placed : undefined });
    } catch (error) {
      // A refused session without a node was not stored.
      if (!(error instanceof ServiceError) || row.nodeID !== null) await this.discard(row, requestID);
      throw error;
    }
  }

  /** Removes a session that could not be opened completely. Tries again each second while the database is unavailable. */
  async discard(row: ExternalSession, requestID: string): Promise<void> {
    await this.delete([row.id]).catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) throw error;
      if (this.strays.size < mostStrays) this.strays.add(row.id);
      this.cleaning.trigger();
    });
    void this.commands.tell(closeSession(row), requestID);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.cleaning.close();
  }

  private async deleteStrays(): Promise<void> {
    if (this.strays.size === 0) return;
    const ids = [...this.strays];
    await this.delete(ids);
    for (const id of ids) this.strays.delete(id);
  }

  private async delete(ids: readonly string[]): Promise<void> {
    await this.dataSource.manager.delete(ExternalSession, { id: In(ids) });
  }

  /**
   * Waits for a room that another transaction has locked, without the account's lock. Returns false if the room does not exist, or is locked
   * again and again: `store` then waits for both locks.
   */
  private async storeTogether(session: NewSession): Promise<boolean> {
    for (let attempt = 0; attempt < attemptsTogether; attempt += 1) {
      if (await this.newSessions.add(session.row.accountID, session)) return true;
      if (!(await this.places.waitUntilFree(session.row))) return false;
    }
    return false;
  }

  /** `placed`: the session is stored, with its first node. */
  private async openSomewhere(
    row: ExternalSession,
    { requestID, home, placed }: { requestID: string; home: NodeLease | undefined; placed: Placed | undefined },
  ): Promise<void> {
    const choose = this.homes.chooserOf(home);
    const refusedBy = new Set<string>();
    const chooseFirst = (excluded: ReadonlySet<string>) =>
      placed && refusedBy.size === 0 ? placed.node : choose(excluded);
    await tryNodes(chooseFirst, async chosen => {
      const isFirst = refusedBy.size === 0;
      const { node, maxSource } = isFirst && placed ? placed : await this.store(row, chosen, refusedBy);
      refusedBy.add(node.nodeID);
      const request = { meetingID: row.meetingID, sessionID: row.id, tracks: row.requestedTracks, maxSource };
      await this.commands.ask(sfuCommands.openSession.forNode(node.nodeID), request, requestID);
    });
  }

  /** Takes a place in the room unless the session has one already. */
  private store(row: ExternalSession, node: NodeLease, refusedBy: ReadonlySet<string>): Promise<Placed> {
    return this.quotas.add(row.accountID, this.usesOf(row), async (manager, limits) => {
      await this.places.take(manager, row, row.id);
      const home = await this.homes.settle(manager, row.meetingID, node, refusedBy);
      Object.assign(row, placedOn(home, new Date(this.clock.now())));
      await manager.upsert(ExternalSession, row, ['id']);
      return { node: home, maxSource: sourceBoundsOf(limits) };
    });
  }

  /** A session that moves to another node is not counted twice. */
  private usesOf({ id, accountID, meetingID, protocol, webrtcRenditions }: ExternalSession): QuotaUse[] {
    const ofRoom = async (manager: EntityManager) =>
      (await this.places.countLocked(manager, meetingID, id)).externalSessionCount;
    const ofAccount = (manager: EntityManager) => this.sessions.countLive(manager, accountID, id);
    const ofEncoders = (manager: EntityManager) => this.sessions.countEncoderPlaces(manager, accountID, id);
    const adding = encoderPlacesOf({ protocol, webrtcRenditions });
    return [
      { limit: 'sessionsPerRoom', count: ofRoom },
      { limit: 'sessionsPerAccount', count: ofAccount },
      ...(adding > 0 ? [{ limit: 'encoderPlaces' as const, count: ofEncoders, adding }] : []),
    ];
  }

  private async readFacts(
    manager: EntityManager,
    accountID: string,
    all: readonly NewSession[],
  ): Promise<SessionFacts> {
    const meetingIDs = [...new Set(all.map(({ row }) => row.meetingID))];
    const hasEncoders = all.some(({ row }) => encoderPlacesOf(row) > 0);
    const [sessions, places, rooms, homes] = await Promise.all([
      this.sessions.countLive(manager, accountID),
      hasEncoders ? this.sessions.countEncoderPlaces(manager, accountID) : 0,
      this.places.lockFree(manager, accountID, meetingIDs),
      this.homes.findAllStaying(meetingIDs, manager),
    ]);
    return { sessions, encoderPlaces: places, rooms, homes, chosen: new Map() };
  }

  /** Checks in the order of `openSomewhere` and `store`, so that a refusal is the same. */
  private accept(session: NewSession, facts: SessionFacts, limits: AccountLimitValues): boolean {
    const { row } = session;
    const places = facts.rooms.get(row.meetingID);
    if (!places) return false;
    const home = facts.homes.get(row.meetingID);
    const node = facts.chosen.get(row.meetingID) ?? this.homes.chooserOf(home)(new Set());
    const adding = encoderPlacesOf(row);
    requireBelow(limits, 'sessionsPerRoom', places.counts.externalSessionCount);
    requireBelow(limits, 'sessionsPerAccount', facts.sessions);
    if (adding > 0) requireBelow(limits, 'encoderPlaces', facts.encoderPlaces, adding);
    this.places.requirePlace(places);
    places.counts.externalSessionCount += 1;
    places.counts.reservedCount += 1;
    facts.sessions += 1;
    facts.encoderPlaces += adding;
    facts.chosen.set(row.meetingID, node);
    Object.assign(row, placedOn(node, new Date(this.clock.now())));
    Object.assign(session, { home, placed: { node, maxSource: sourceBoundsOf(limits) } });
    return true;
  }
}

/** 0 for a session without an ingest node. */
function encoderPlacesOf({
  protocol,
  webrtcRenditions,
}: Pick<ExternalSession, 'protocol' | 'webrtcRenditions'>): number {
  if (!isEncoderProtocol(protocol)) return 0;
  return webrtcRenditions ? encoderPlaces.withRenditions : encoderPlaces.usual;
}

export function makeExternalSession(owner: Owner, dto: CreateExternalSessionDto, now: Date): ExternalSession {
  return Object.assign(new ExternalSession(), makeMediaRow(newID('ext'), owner, now), {
    participantID: newID('part'),
    displayName: dto.displayName,
    protocol: dto.ingest.protocol,
    requestedTracks: dto.ingest.tracks,
    webrtcRenditions: dto.ingest.webrtcRenditions ?? false,
    state: 'pending' as const,
    tracks: [],
    health: [],
    keyframeIntervalSeconds: null,
    events: [],
    reason: null,
  });
}
