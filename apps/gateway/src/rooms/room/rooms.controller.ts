import { Body, Controller, Ip, Query, Res } from '@nestjs/common';
import { clientOf } from '@rtms/http';
import type { Response } from 'express';
import { z } from 'zod';
import { CurrentCaller, RequireOperation } from '../../platform/auth/auth.decorators.js';
import type { Caller } from '../../platform/auth/caller.js';
import { Action, ReadAction } from '../../platform/http/action.decorator.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { one, oneOrList, success } from '../../platform/http/answers.js';
import { PageQuery, type Page } from '../../platform/http/page.decorator.js';
import { presentList, presentOne } from '../../platform/http/present.js';
import {
  participantSchema,
  CreateRoomDto,
  RoomIDDto,
  GetRoomsDto,
  JoinRoomDto,
  UpdateRoomDto,
  roomSchema,
} from './room.dto.js';
import { joinTicketSchema } from './join-tickets.service.js';
import { RoomsService } from './rooms.service.js';

const createdSchema = z.object({ success, room: roomSchema, join: joinTicketSchema });
const joinedSchema = z.object({ success, participant: participantSchema, join: joinTicketSchema });

@ApiTag({
  name: 'Rooms',
  description: 'Rooms, in which members meet and external sessions publish.',
  post: 'postRooms',
})
@Controller('v1/rooms')
export class RoomsController {
  constructor(private readonly rooms: RoomsService) {}

  @Action('create')
  @RequireOperation('createRoom')
  @ApiOperation({
    operationId: 'createRoom',
    summary: 'Create a room',
    description: 'Answers the room and the join ticket of its host.',
  })
  @ApiAnswer(createdSchema, 'limit_reached', 'too_many_waiting', 'name_taken', 'role_not_allowed', 'balance_exhausted')
  async create(@CurrentCaller() caller: Caller, @Body() dto: CreateRoomDto) {
    return { success: true as const, ...(await this.rooms.create(caller, dto)) };
  }

  @Action('join')
  @RequireOperation('joinRoom')
  @ApiOperation({
    operationId: 'joinRoom',
    summary: 'Join a room',
    description: 'Answers the participant and the ticket with which the participant connects to the room.',
  })
  @ApiAnswer(
    joinedSchema,
    'room_ended',
    'room_full',
    'participant_left',
    'wrong_secure_code',
    'too_many_waiting',
    'role_not_allowed',
    'balance_exhausted',
  )
  async join(
    @CurrentCaller() caller: Caller,
    @Body() dto: JoinRoomDto,
    @Ip() ip: string,
    @Res({ passthrough: true }) response: Response,
  ) {
    return { success: true as const, ...(await this.rooms.join({ caller, address: clientOf(ip), response }, dto)) };
  }

  @ReadAction('get')
  @RequireOperation('readRooms')
  @ApiOperation({
    operationId: 'getRooms',
    summary: 'Read one room or list rooms',
    description:
      'With `meetingID`, answers that room. Without it, lists the rooms of the key’s environment, newest first.',
  })
  @ApiAnswer(oneOrList(['room', roomSchema], ['rooms', roomSchema]))
  async get(@CurrentCaller() caller: Caller, @Query() query: GetRoomsDto, @PageQuery() page: Page) {
    const { meetingID, ...filter } = query;
    if (meetingID !== undefined) return presentOne('room', await this.rooms.get(caller, meetingID));
    return presentList('rooms', await this.rooms.list(caller, filter, page), page);
  }

  @Action('update')
  @RequireOperation('manageRooms')
  @ApiOperation({
    operationId: 'updateRoom',
    summary: 'Change a room',
    description: 'Changes only the fields that are sent.',
  })
  @ApiAnswer(one('room', roomSchema), 'room_ended', 'room_full')
  async update(@CurrentCaller() caller: Caller, @Body() dto: UpdateRoomDto) {
    return presentOne('room', await this.rooms.update(caller, dto));
  }

  @Action('end')
  @RequireOperation('manageRooms')
  @ApiOperation({
    operationId: 'endRoom',
    summary: 'End a room',
    description: 'Disconnects the participants and ends all media of the room. Ending an ended room changes nothing.',
  })
  @ApiAnswer(one('room', roomSchema))
  async end(@CurrentCaller() caller: Caller, @Body() dto: RoomIDDto) {
    return presentOne('room', await this.rooms.end(caller, dto.meetingID));
  }

  @Action('delete')
  @RequireOperation('manageRooms')
  @ApiOperation({ operationId: 'deleteRoom', summary: 'End a room (same as `end`)' })
  @ApiAnswer(one('room', roomSchema))
  delete(@CurrentCaller() caller: Caller, @Body() dto: RoomIDDto) {
    return this.end(caller, dto);
  }
}
