import { Body, Controller, Query } from '@nestjs/common';
import { CurrentCaller, RequireOperation } from '../auth/auth.decorators.js';
import type { Caller } from '../auth/caller.js';
import { Action, ReadAction } from '../http/action.decorator.js';
import { PageQuery, type Page } from '../http/page.decorator.js';
import { presentList, presentOne } from '../http/present.js';
import { CreateRoomDto } from './dto/create-room.dto.js';
import { EndRoomDto } from './dto/end-room.dto.js';
import { GetRoomsDto } from './dto/get-rooms.dto.js';
import { RoomRequestsService } from './room-requests.service.js';

@Controller('v1/rooms')
export class RoomsController {
  constructor(private readonly rooms: RoomRequestsService) {}

  @Action('create')
  @RequireOperation('createRoom')
  async create(@CurrentCaller() caller: Caller, @Body() dto: CreateRoomDto) {
    return { success: true, ...(await this.rooms.create(caller, dto)) };
  }

  @ReadAction('get')
  @RequireOperation('readRooms')
  async get(@CurrentCaller() { accountID }: Caller, @Query() query: GetRoomsDto, @PageQuery() page: Page) {
    const { meetingID, ...filter } = query;
    if (meetingID !== undefined) return presentOne('room', await this.rooms.get(accountID, meetingID));
    const { items, total } = await this.rooms.list(accountID, filter, page);
    return presentList('rooms', items, total, page);
  }

  @Action('end')
  @RequireOperation('manageRooms')
  async end(@CurrentCaller() { accountID }: Caller, @Body() dto: EndRoomDto) {
    return presentOne('room', await this.rooms.end(accountID, dto.meetingID));
  }

  @Action('delete')
  @RequireOperation('manageRooms')
  delete(@CurrentCaller() caller: Caller, @Body() dto: EndRoomDto) {
    return this.end(caller, dto);
  }
}
