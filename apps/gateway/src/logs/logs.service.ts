import { Injectable } from '@nestjs/common';
import { DataSource, In, type EntityTarget, type FindOptionsWhere, type ObjectLiteral } from 'typeorm';
import type { Page } from '../http/page.decorator.js';
import { Recording } from '../recordings/recording.entity.js';
import { Room } from '../rooms/room.entity.js';
import { roomLogKinds, roomLogTables, selectEntries, type LogFilter, type RoomLogKind } from './log-entries.js';
import {
  presentMessageLog,
  presentRecordingLog,
  presentRoomLog,
  presentSipCallLog,
  type PresentedLog,
  type PresentedSipCallLog,
} from './present-logs.js';
import { RoomMessage } from './room-message.entity.js';
import { readRoomUsage } from './room-usage.js';
import { SipCall } from './sip-call.entity.js';

interface EntryName {
  kind: RoomLogKind;
  id: string;
}

const sipCallTable = { kind: 'sip_call', table: 'sip_calls', roomColumn: 'meeting_id' };

/** What ran, for whoever pays for it: newest first, each page in a few indexed look-ups. */
@Injectable()
export class LogsService {
  constructor(private readonly dataSource: DataSource) {}

  async listRoomLogs(
    accountID: string,
    { kind, ...filter }: LogFilter & { kind?: RoomLogKind | undefined },
    { startIndex, pageSize }: Page,
  ): Promise<PresentedLog[]> {
    const kinds = kind === undefined ? roomLogKinds : [kind];
    const { statement, parameters } = selectEntries(
      kinds.map(each => roomLogTables[each]),
      filter,
    );
    const names = await this.dataSource.query<EntryName[]>(statement, [accountID, startIndex, pageSize, ...parameters]);
    const entries = await this.readEntries(names);
    return names.flatMap(({ id }) => entries.get(id) ?? []);
  }

  async listSipCallLogs(
    accountID: string,
    filter: LogFilter,
    { startIndex, pageSize }: Page,
  ): Promise<PresentedSipCallLog[]> {
    const { statement, parameters } = selectEntries([sipCallTable], filter);
    const names = await this.dataSource.query<{ id: string }[]>(statement, [
      accountID,
      startIndex,
      pageSize,
      ...parameters,
    ]);
    const rows = await this.findByIDs(SipCall, names);
    return names.flatMap(({ id }) => rows.filter(row => row.id === id)).map(presentSipCallLog);
  }

  private async readEntries(names: readonly EntryName[]): Promise<ReadonlyMap<string, PresentedLog>> {
    const of = (kind: RoomLogKind) => names.filter(name => name.kind === kind);
    const [rooms, recordings, messages] = await Promise.all([
      this.readRooms(of('room')),
      this.findByIDs(Recording, of('recording')),
      this.findByIDs(RoomMessage, of('message')),
    ]);
    return new Map<string, PresentedLog>([
      ...rooms,
      ...recordings.map(row => [row.id, presentRecordingLog(row)] as const),
      ...messages.map(row => [row.id, presentMessageLog(row)] as const),
    ]);
  }

  private async readRooms(names: readonly { id: string }[]): Promise<[string, PresentedLog][]> {
    const now = new Date();
    const rooms = await this.findByIDs(Room, names);
    const ids = rooms.map(room => room.id);
    const usageOf = await readRoomUsage(this.dataSource.manager, ids, now);
    return rooms.map(room => [room.id, presentRoomLog(room, usageOf(room.id), now)]);
  }

  private findByIDs<Row extends ObjectLiteral & { id: string }>(
    entity: EntityTarget<Row>,
    names: readonly { id: string }[],
  ): Promise<Row[]> {
    if (names.length === 0) return Promise.resolve([]);
    const where = { id: In(names.map(name => name.id)) } as unknown as FindOptionsWhere<Row>;
    return this.dataSource.manager.findBy(entity, where);
  }
}
