import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LogsController } from './logs.controller.js';
import { LogsService } from './logs.service.js';
import { RoomMessage } from './room-message.entity.js';
import { SipCall } from './sip-call.entity.js';

/** `/v1/room/logs` and `/v1/sipcall/logs`. */
@Module({
  imports: [TypeOrmModule.forFeature([RoomMessage, SipCall])],
  providers: [LogsService],
  controllers: [LogsController],
})
export class LogsModule {}
