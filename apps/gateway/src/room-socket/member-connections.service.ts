import { Inject, Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { ExpressAdapter } from '@nestjs/platform-express';
import type { Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import type { EndReason, RoomSignal, ServiceError } from '@rtms/contracts';
import { toServiceError } from '@rtms/http';
import type { Express } from 'express';
import type { IsTrustedProxy } from '@rtms/http';
import { RateLimiter } from '../rate-limits/rate-limiter.service.js';
import { Presence } from '../room-life/presence.service.js';
import type { Addressee, RoomNews } from '../room-life/room-news.js';
import { CLOCK } from '../runtime.module.js';
import type { Actor } from './actor.js';
import { CommandRouter } from './command-router.service.js';
import { Handshake } from './handshake.service.js';
import { MemberConnection } from './member-connection.js';
import { RoomFeeds } from './room-feeds.service.js';
import type { RoomSocket } from './room-io.js';
import { TokenRenewal } from './token-renewal.service.js';

/** The sockets of members that are connected here. */
@Injectable()
export class MemberConnections implements Closeable {
  private readonly logger = new Logger(MemberConnections.name);
  private readonly members = new Map<string, MemberConnection>();
  private readonly leaving = new Set<Promise<void>>();

  constructor(
    private readonly handshake: Handshake,
    private readonly presence: Presence,
    private readonly commands: CommandRouter,
    private readonly feeds: RoomFeeds,
    private readonly tokens: TokenRenewal,
    private readonly limiter: RateLimiter,
    private readonly http: HttpAdapterHost<ExpressAdapter>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Throws what socket.io tells the client as `connect_error`, with the failure as its `data`. */
  async admit(socket: RoomSocket): Promise<void> {
    const connection = socket.conn;
    try {
      this.limiter.handshake(socket.request, this.isTrustedProxy);
      const admission = await this.handshake.admit(socket.handshake.auth, socket.id);
      Object.assign(socket.data, admission);
    } catch (error) {
      throw this.refusal(error);
    }
    // It may break before socket.io calls it connected, and then nobody would hear of it.
    if (connection.readyState === 'open') connection.once('close', () => this.lose(socket.data.actor));
    else this.lose(socket.data.actor);
  }

  open(socket: RoomSocket): void {
    const { actor, welcome } = socket.data;
    const member = new MemberConnection(socket, this.commands, this.clock, (failure, cause) =>
      this.note(failure, cause),
    );
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

  hear(news: RoomNews): void {
    switch (news.kind) {
      case 'events':
        return this.feeds.advance(news.meetingID);
      case 'connected':
        return this.replace(news);
      default:
        return news satisfies never;
    }
  }

  /** Tells those who are connected here. */
  signal(to: Addressee, signal: RoomSignal): void {
    for (const member of this.members.values()) if (member.isAmong(to)) member.signal(signal);
  }

  list(): Actor[] {
    return [...this.members.values()].map(member => member.connection);
  }

  /** For good. */
  end(connectionID: string, reason: EndReason | 'replaced'): void {
    this.members.get(connectionID)?.end(reason);
  }

  /** Once all sockets are closed: waits until it is known who lost theirs. */
  async close(): Promise<void> {
    while (this.leaving.size > 0) await Promise.all(this.leaving);
  }

  /** As the HTTP API has it. */
  private readonly isTrustedProxy: IsTrustedProxy = (address, hop) => {
    const isTrusted = this.http.httpAdapter.getInstance<Express>().get('trust proxy fn') as IsTrustedProxy;
    return isTrusted(address, hop);
  };

  private replace({ participantID, connectionID }: { participantID: string; connectionID: string }): void {
    for (const [id, member] of this.members)
      if (member.participantID === participantID && id !== connectionID) member.end('replaced');
  }

  private lose(actor: Actor): void {
    const lost = this.presence
      .lose(actor)
      .catch((error: unknown) => this.logger.warn(`a lost connection was not noted yet: ${String(error)}`))
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
