import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExternalSession } from '../external-sessions/external-session.entity.js';
import { ChatService } from '../chat/chat.service.js';
import { HostControls } from '../host-controls/host-controls.service.js';
import { RoomMessage } from '../logs/room-message.entity.js';
import { MediaCommandsModule } from '../media-commands/media-commands.module.js';
import { UsageLedgerModule } from '../metering/usage-ledger.module.js';
import { ParticipantRequests } from '../participant-requests/participant-requests.service.js';
import { ParticipantsModule } from '../participants/participants.module.js';
import { PollVote, StoredPoll } from '../polls/poll.entities.js';
import { PollsService } from '../polls/polls.service.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { CommandBudgets } from './command-budgets.js';
import { GatewayReplica } from './gateway-replica.service.js';
import { Presence } from './presence.service.js';
import { RoomChanges } from './room-changes.service.js';
import { RoomCommandsStore } from './room-commands.store.js';
import { RoomEventsModule } from './room-events.module.js';
import { RoomLifeSweeper } from './room-life-sweeper.service.js';
import { RoomSnapshots } from './room-snapshots.service.js';
import { SessionRoster } from './session-roster.service.js';

const services = [
  ChatService,
  CommandBudgets,
  GatewayReplica,
  HostControls,
  ParticipantRequests,
  PollsService,
  Presence,
  RoomChanges,
  RoomCommandsStore,
  RoomLifeSweeper,
  RoomSnapshots,
  SessionRoster,
];

/** What happens among those who are in a room. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ExternalSession, RoomMessage, StoredPoll, PollVote]),
    MediaCommandsModule,
    ParticipantsModule,
    RoomEventsModule,
    RoomsModule,
    UsageLedgerModule,
  ],
  providers: services,
  exports: [...services, RoomEventsModule],
})
export class RoomLifeModule {}
