import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExternalSession } from '../external-sessions/external-session.entity.js';
import { RoomLifeModule } from '../room-life/room-life.module.js';
import { SessionParticipantsController } from './session-participants.controller.js';
import { SessionParticipants } from './session-participants.service.js';

/** `…/external-sessions/:sessionID/participant-state` and `…/participant-actions`. */
@Module({
  imports: [TypeOrmModule.forFeature([ExternalSession]), RoomLifeModule],
  providers: [SessionParticipants],
  controllers: [SessionParticipantsController],
})
export class SessionParticipantsModule {}
