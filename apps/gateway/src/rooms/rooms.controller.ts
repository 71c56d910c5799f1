import { Body, Controller, Query } from '@nestjs/common';
import { CurrentCaller, RequireOperation } from '../auth/auth.decorators.js';
import type { Caller } from '../auth/caller.js';
import { Action, ReadAction } from '../http/action.decorator.js';
import { PageQuery, type Page } from '../http/page.decorator.js';
import { presentList, presentOne, type ListAnswer, type OneAnswer } from '../http/present.js';
import { CreateRoomDto } from './dto/create-room.dto.js';
import { EndRoomDto } from './dto/end-room.dto.js';
import { GetRoomsDto } from './dto/get-rooms.dto.js';
import { JoinRoomDto } from './dto/join-room.dto.js';
import { UpdateRoomDto } from './dto/update-room.dto.js';
import type { JoinTicket } from './join-tickets.service.js';
import type { PresentedRoom } from './present-room.js';
import type { Joined } from './room-joining.service.js';
import { RoomRequestsService } from './room-requests.service.js';

type RoomAnswer = OneAnswer<'room', PresentedRoom>;
type CreatedAnswer = RoomAnswer & { join: JoinTicket };
type JoinedAnswer = { success: true } & Joined;
type RoomsAnswer = ListAnswer<'rooms', PresentedRoom>;

@Controller('v1/rooms')
export class RoomsController {
  constructor(private readonly rooms: RoomRequestsService) {}

  @Action('create')
  @RequireOperation('createRoom')
  async create(@CurrentCaller() caller: Caller, @Body() dto: CreateRoomDto): Promise<CreatedAnswer> {
    return { success: true, ...(await this.rooms.create(caller, dto)) };
  }

  @Action('join')
  @RequireOperation('joinRoom')
  async join(@CurrentCaller() { accountID }: Caller, @Body() dto: JoinRoomDto): Promise<JoinedAnswer> {
    return { success: true, ...(await this.rooms.join(accountID, dto)) };
  }

  @ReadAction('get')
  @RequireOperation('readRooms')
  async get(
    @CurrentCaller() { accountID }: Caller,
    @Query() query: GetRoomsDto,
    @PageQuery() page: Page,
  ): Promise<RoomAnswer | RoomsAnswer> {
    const { meetingID, ...filter } = query;
    if (meetingID !== undefined) return presentOne('room', await this.rooms.get(accountID, meetingID));
    const { items, total } = await this.rooms.list(accountID, filter, page);
    return presentList('rooms', items, total, page);
  }

  @Action('update')
  @RequireOperation('manageRooms')
  async update(@CurrentCaller() { accountID }: Caller, @Body() dto: UpdateRoomDto): Promise<RoomAnswer> {
    return presentOne('room', await this.rooms.update(accountID, dto));
  }

  @Action('end')
  @RequireOperation('manageRooms')
  async end(@CurrentCaller() { accountID }: Caller, @Body() dto: EndRoomDto): Promise<RoomAnswer> {
    return presentOne('room', await this.rooms.end(accountID, dto.meetingID));
  }

  @Action('delete')
  @RequireOperation('manageRooms')
  delete(@CurrentCaller() caller: Caller, @Body() dto: EndRoomDto): Promise<RoomAnswer> {
    return this.end(caller, dto);
  }
}
