import { Body, Controller, Ip, Query, Res } from '@nestjs/common';
import { clientOf } from '@rtms/http';
import type { Response } from 'express';
import { z } from 'zod';
import { CurrentCaller, RequireOperation } from '../auth/auth.decorators.js';
import type { Caller } from '../auth/caller.js';
import { Action, ReadAction } from '../http/action.decorator.js';
import { Answers, one, oneOrList } from '../http/answers.js';
import { PageQuery, type Page } from '../http/page.decorator.js';
import { presentList, presentOne, type ListAnswer, type OneAnswer } from '../http/present.js';
import { participantSchema } from '../participants/present-participant.js';
import { CreateRoomDto } from './dto/create-room.dto.js';
import { EndRoomDto } from './dto/end-room.dto.js';
import { GetRoomsDto } from './dto/get-rooms.dto.js';
import { JoinRoomDto } from './dto/join-room.dto.js';
import { UpdateRoomDto } from './dto/update-room.dto.js';
import { joinTicketSchema } from './join-tickets.service.js';
import { roomSchema, type PresentedRoom } from './present-room.js';
import { RoomRequestsService } from './room-requests.service.js';

type RoomAnswer = OneAnswer<'room', PresentedRoom>;
type RoomsAnswer = ListAnswer<'rooms', PresentedRoom>;

const success = z.literal(true);
const createdSchema = z.object({ success, room: roomSchema, join: joinTicketSchema });
const joinedSchema = z.object({ success, participant: participantSchema, join: joinTicketSchema });

@Controller('v1/rooms')
export class RoomsController {
  constructor(private readonly rooms: RoomRequestsService) {}

  @Action('create')
  @RequireOperation('createRoom')
  @Answers(createdSchema, 'limit_reached', 'too_many_waiting', 'name_taken', 'role_not_allowed', 'balance_exhausted')
  async create(@CurrentCaller() caller: Caller, @Body() dto: CreateRoomDto): Promise<z.infer<typeof createdSchema>> {
    return { success: true, ...(await this.rooms.create(caller, dto)) };
  }

  @Action('join')
  @RequireOperation('joinRoom')
  @Answers(
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
  ): Promise<z.infer<typeof joinedSchema>> {
    return { success: true, ...(await this.rooms.join({ caller, address: clientOf(ip), response }, dto)) };
  }

  @ReadAction('get')
  @RequireOperation('readRooms')
  @Answers(oneOrList(['room', roomSchema], ['rooms', roomSchema]))
  async get(
    @CurrentCaller() caller: Caller,
    @Query() query: GetRoomsDto,
    @PageQuery() page: Page,
  ): Promise<RoomAnswer | RoomsAnswer> {
    const { meetingID, ...filter } = query;
    if (meetingID !== undefined) return presentOne('room', await this.rooms.get(caller, meetingID));
    const { items, total } = await this.rooms.list(caller, filter, page);
    return presentList('rooms', items, total, page);
  }

  @Action('update')
  @RequireOperation('manageRooms')
  @Answers(one('room', roomSchema), 'room_ended', 'room_full')
  async update(@CurrentCaller() caller: Caller, @Body() dto: UpdateRoomDto): Promise<RoomAnswer> {
    return presentOne('room', await this.rooms.update(caller, dto));
  }

  @Action('end')
  @RequireOperation('manageRooms')
  @Answers(one('room', roomSchema))
  async end(@CurrentCaller() caller: Caller, @Body() dto: EndRoomDto): Promise<RoomAnswer> {
    return presentOne('room', await this.rooms.end(caller, dto.meetingID));
  }

  @Action('delete')
  @RequireOperation('manageRooms')
  @Answers(one('room', roomSchema))
  delete(@CurrentCaller() caller: Caller, @Body() dto: EndRoomDto): Promise<RoomAnswer> {
    return this.end(caller, dto);
  }
}
