import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { ChatService } from './conversation/chat.service.js';
import { HostControlsService } from './conversation/host-controls.service.js';
import { ParticipantRequestsService } from './conversation/participant-requests.service.js';
import { PollVote, StoredPoll } from './conversation/poll.entities.js';
import { PollsService } from './conversation/polls.service.js';
import { RoomMessage } from './conversation/room-message.entity.js';
import { RoomEndingService } from './ending/room-ending.service.js';
import { CommandBudgets } from './life/command-budgets.js';
import { StoredReplica, StoredRoomEvent } from './life/life.entities.js';
import { GatewayReplica } from './life/gateway-replica.js';
import { PresenceRepository } from './life/presence.repository.js';
import { PresenceService } from './life/presence.service.js';
import { RoomChangesService } from './life/room-changes.service.js';
import { RoomCommandsRepository } from './life/room-commands.repository.js';
import { RoomEventsRepository } from './life/room-events.repository.js';
import { RoomLifeSweeper } from './life/room-life-sweeper.js';
import { HandshakeService } from './socket/handshake.service.js';
import { Participant } from './records/participant.entity.js';
import { ParticipantsService } from './records/participants.service.js';
import { JoinTicketsService } from './room/join-tickets.service.js';
import { RoomJoiningService } from './room/room-joining.service.js';
import { RoomPlacesService } from './records/room-places.service.js';
import { RoomsService } from './room/rooms.service.js';
import { RoomsRepository } from './records/rooms.repository.js';
import { Room } from './records/room.entity.js';
import { RoomsController } from './room/rooms.controller.js';
import { SecureCodesService } from './room/secure-codes.service.js';
import { CommandRouter } from './socket/command-router.js';
import { ConnectionAuditService } from './socket/connection-audit.service.js';
import { MemberSocketsService } from './socket/member-sockets.service.js';
import { RoomEventFeedsService } from './socket/room-event-feeds.service.js';
import { MediaCommandsRegistry } from './socket/room-io.js';
import { RoomSocketServer } from './socket/room-socket-server.js';
import { TokenRenewalService } from './socket/token-renewal.service.js';

const services = [
  ChatService,
  HostControlsService,
  ParticipantRequestsService,
  PollsService,
  RoomEndingService,
  CommandBudgets,
  GatewayReplica,
  PresenceService,
  PresenceRepository,
  RoomChangesService,
  RoomCommandsRepository,
  RoomEventsRepository,
  RoomLifeSweeper,
  ParticipantsService,
  JoinTicketsService,
  RoomJoiningService,
  RoomPlacesService,
  RoomsRepository,
  RoomsService,
  SecureCodesService,
  CommandRouter,
  ConnectionAuditService,
  HandshakeService,
  MemberSocketsService,
  RoomEventFeedsService,
  MediaCommandsRegistry,
  RoomSocketServer,
  TokenRenewalService,
];

/** Rooms, their members, their conversation, and the room socket `/v1/socket`. */
@Module({
  imports: [
    TypeOrmModule.forFeature([StoredReplica, StoredRoomEvent, RoomMessage, StoredPoll, PollVote, Participant, Room]),
    AccountsModule,
    SettingsModule,
  ],
  controllers: [RoomsController],
  providers: services,
  exports: services,
})
export class RoomsModule {}
