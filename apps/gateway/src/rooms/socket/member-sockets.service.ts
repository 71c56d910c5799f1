import { Inject, Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { ExpressAdapter } from '@nestjs/platform-express';
import type { Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import type { EndReason, RoomSignal, ServiceError } from '@rtms/contracts';
import { toServiceError, type IsTrustedProxy } from '@rtms/http';
import { messageOf } from '@rtms/logging';
import type { Express } from 'express';
import type { ResourceChange } from '../../platform/changes/change-set.js';
import { RateLimiterService } from '../../platform/limits/rate-limiter.service.js';
import { PresenceRepository } from '../life/presence.repository.js';
import { PresenceService } from '../life/presence.service.js';
import type { Addressee } from '../life/room-change.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import type { Actor, RoomSocket } from './room-io.js';
import { CommandRouter } from './command-router.js';
import { HandshakeService } from './handshake.service.js';
import { MemberSocket } from './member-socket.js';
import { RoomEventFeedsService } from './room-event-feeds.service.js';
import { TokenRenewalService } from './token-renewal.service.js';

/** The sockets of members on this replica. */
@Injectable()
export class MemberSocketsService implements Closeable {
  private readonly logger = new Logger(MemberSocketsService.name);
  private readonly members = new Map<string, MemberSocket>();
  private readonly leaving = new Set<Promise<void>>();

  constructor(
    private readonly handshake: HandshakeService,
    private readonly presence: PresenceService,
    private readonly rows: PresenceRepository,
    private readonly commands: CommandRouter,
    private readonly feeds: RoomEventFeedsService,
    private readonly tokens: TokenRenewalService,
    private readonly limiter: RateLimiterService,
    private readonly http: HttpAdapterHost<ExpressAdapter>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Throws an error that socket.io sends to the client as `connect_error`, with the failure as its `data`. */
  async admit(socket: RoomSocket): Promise<void> {
    const connection = socket.conn;
    try {
      this.limiter.handshake(socket.request, this.isTrustedProxy);
      const admission = await this.handshake.admit(socket.handshake.auth, socket.id);
      Object.assign(socket.data, admission);
    } catch (error) {
      throw this.refusal(error);
    }
    // The connection may break before socket.io emits `connection`. Then no `disconnect` follows.
    if (connection.readyState === 'open') connection.once('close', () => this.lose(socket.data.actor));
    else this.lose(socket.data.actor);
  }

  open(socket: RoomSocket): void {
    const { actor, welcome } = socket.data;
    const member = new MemberSocket(socket, this.commands, this.clock, (failure, cause) => this.note(failure, cause));
    const renewal = this.tokens.start(socket);
    this.members.set(actor.connectionID, member);
    socket.emit('welcome', welcome);
    this.feeds.follow(actor.meetingID, member);
    socket.once('disconnect', () => {
      this.members.delete(actor.connectionID);
      this.feeds.unfollow(actor.meetingID, member);
      void renewal.close();
    });
  }

  hear(changes: readonly ResourceChange[]): void {
    for (const { kind, id, participantID } of changes) {
      if (kind === 'connection') this.replace(participantID, id);
      else if (kind === 'roomLog' && id === null) this.feeds.advanceAll();
      else if (kind === 'roomLog' && id !== null) this.feeds.advance(id);
    }
  }

  /** Sends the signal to the addressee's sockets on this replica. */
  signal(to: Addressee, signal: RoomSignal): void {
    for (const member of this.members.values()) if (member.isAmong(to)) member.signal(signal);
  }

  list(): Actor[] {
    return [...this.members.values()].map(member => member.connection);
  }

  has(connectionID: string): boolean {
    return this.members.has(connectionID);
  }

  end(connectionID: string, reason: EndReason | 'replaced'): void {
    this.members.get(connectionID)?.end(reason);
  }

  /** Called after all sockets are closed. Waits until the lost connections are stored. */
  async close(): Promise<void> {
    while (this.leaving.size > 0) await Promise.all(this.leaving);
  }

  /** The trusted proxies of the HTTP API. */
  private readonly isTrustedProxy: IsTrustedProxy = (address, hop) => {
    const isTrusted = this.http.httpAdapter.getInstance<Express>().get('trust proxy fn') as IsTrustedProxy;
    return isTrusted(address, hop);
  };

  /**
   * The newest connection of a participant is the only one. An announcement may come late, so the database says which member's
   * connection is the newest. It has no connections of publishers of external sessions.
   */
  private replace(participantID: string | undefined, connectionID: string | null): void {
    const others = this.list().filter(
      each => each.participantID === participantID && each.connectionID !== connectionID,
    );
    for (const each of others) if (each.sessionID !== undefined) this.end(each.connectionID, 'replaced');
    const ofMembers = others.filter(each => each.sessionID === undefined);
    if (ofMembers.length > 0) void this.endReplaced(ofMembers);
  }

  private async endReplaced(connections: readonly Actor[]): Promise<void> {
    try {
      const strays = await this.rows.listStray(connections, new Date(this.clock.now()));
      for (const { connectionID, currentID } of strays) if (currentID !== null) this.end(connectionID, 'replaced');
    } catch (error) {
      this.logger.warn(`a replaced connection is not closed yet: ${messageOf(error)}`);
    }
  }

  private lose(actor: Actor): void {
    const lost = this.presence
      .lose(actor)
      .catch((error: unknown) => this.logger.warn(`a lost connection is not stored yet: ${messageOf(error)}`))
      .finally(() => this.leaving.delete(lost));
    this.leaving.add(lost);
  }

  private refusal(error: unknown): Error {
    const failure = toServiceError(error);
    this.note(failure, error);
    return Object.assign(new Error(failure.message), { data: failure.toBody() });
  }

  private note(failure: ServiceError, cause: unknown): void {
    if (failure.reason === 'internal_error') this.logger.error(cause);
    else this.logger.debug({ reason: failure.reason }, failure.message);
  }
}
