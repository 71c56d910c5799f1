import { Module } from '@nestjs/common';
import { ExternalSessionsModule } from '../external-sessions/external-sessions.module.js';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { RoomLifeModule } from '../room-life/room-life.module.js';
import { RoomMediaModule } from '../room-media/room-media.module.js';
import { JoinTicketsModule } from '../rooms/join-tickets.module.js';
import { SigningKeysModule } from '../signing-keys/signing-keys.module.js';
import { CommandRouter } from './command-router.service.js';
import { ConnectionAudit } from './connection-audit.service.js';
import { Handshake } from './handshake.service.js';
import { MediaRouter } from './media-router.service.js';
import { MemberConnections } from './member-connections.service.js';
import { RoomFeeds } from './room-feeds.service.js';
import { RoomSocketServer } from './room-socket-server.service.js';
import { SessionHandshake } from './session-handshake.service.js';
import { TokenRenewal } from './token-renewal.service.js';

/** `/v1/socket`. */
@Module({
  imports: [
    ExternalSessionsModule,
    JoinTicketsModule,
    RateLimitsModule,
    RoomLifeModule,
    RoomMediaModule,
    SigningKeysModule,
  ],
  providers: [
    CommandRouter,
    ConnectionAudit,
    Handshake,
    MediaRouter,
    MemberConnections,
    RoomFeeds,
    RoomSocketServer,
    SessionHandshake,
    TokenRenewal,
  ],
  exports: [MemberConnections],
})
export class RoomSocketModule {}
