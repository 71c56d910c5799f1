import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { RoomScope } from '../../platform/auth/room-scope.js';
import type { ListEntry, Listed, Page } from '../../platform/rows/list-rows.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { ChatService } from '../../rooms/conversation/chat.service.js';
import { RoomsService } from '../../rooms/room/rooms.service.js';
import { DeletedRecording } from '../recordings/deleted-recording.entity.js';
import { Recording } from '../resources/recording.entity.js';
import {
  type RoomLogKind,
  roomLogKinds,
  presentDeletedRecordingLog,
  presentMessageLog,
  presentRecordingLog,
  presentRoomLog,
  presentSipCallLog,
  type PresentedLog,
  type PresentedSipCallLog,
} from './logs.dto.js';
import { LogsRepository, roomLogTables, sipCallTable, tablesOfKind, type LogFilter } from './logs.repository.js';
import { SipCall } from './sip-call.entity.js';

/** Lists the log of an account, newest first. A page costs the same wherever it is in the list. */
@Injectable()
export class LogsService {
  constructor(
    private readonly entries: LogsRepository,
    private readonly rooms: RoomsService,
    private readonly chat: ChatService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async listRoomLogs(
    scope: RoomScope,
    { kind, ...filter }: LogFilter & { kind?: RoomLogKind | undefined },
    page: Page,
  ): Promise<Listed<PresentedLog>> {
    const kinds = kind === undefined ? roomLogKinds : [kind];
    const tables = kinds.flatMap(each => tablesOfKind[each]);
    const { items, total } = await this.entries.list(scope, filter, tables, page);
    const presented = await this.presentEntries(items);
    return { items: items.flatMap(({ id }) => presented.get(id) ?? []), total };
  }

  async listSipCallLogs(scope: RoomScope, filter: LogFilter, page: Page): Promise<Listed<PresentedSipCallLog>> {
    const { items, total } = await this.entries.list(scope, filter, [sipCallTable], page);
    const rows = await this.entries.findByIDs(SipCall, idsOf(items));
    return { items: items.flatMap(({ id }) => rows.filter(row => row.id === id)).map(presentSipCallLog), total };
  }

  private async presentEntries(entries: readonly ListEntry[]): Promise<ReadonlyMap<string, PresentedLog>> {
    const of = (name: keyof typeof roomLogTables) =>
      idsOf(entries.filter(({ table }) => table === roomLogTables[name].table));
    const [rooms, recordings, deleted, messages] = await Promise.all([
      this.presentRooms(of('room')),
      this.entries.findByIDs(Recording, of('recording')),
      this.entries.findByIDs(DeletedRecording, of('deletedRecording')),
      this.chat.findByIDs(of('message')),
    ]);
    return new Map<string, PresentedLog>([
      ...rooms,
      ...recordings.map(row => [row.id, presentRecordingLog(row)] as const),
      ...deleted.map(row => [row.id, presentDeletedRecordingLog(row)] as const),
      ...messages.map(row => [row.id, presentMessageLog(row)] as const),
    ]);
  }

  private async presentRooms(meetingIDs: readonly string[]): Promise<[string, PresentedLog][]> {
    const now = new Date(this.clock.now());
    const rooms = await this.rooms.findByIDs(meetingIDs);
    const usageOf = await this.entries.readUsage(idsOf(rooms), now);
    return rooms.map(room => [room.id, presentRoomLog(room, usageOf(room.id), now)]);
  }
}

function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}
