import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { DataSource, In, type EntityTarget, type FindOptionsWhere, type ObjectLiteral } from 'typeorm';
import type { RoomScope } from '../auth/room-scope.js';
import { listEntries, type ListEntry } from '../database/list-rows.js';
import type { Page } from '../http/page.decorator.js';
import type { Listed } from '../http/present.js';
import { DeletedRecording } from '../recordings/deleted-recording.entity.js';
import { Recording } from '../recordings/recording.entity.js';
import { Room } from '../rooms/room.entity.js';
import { CLOCK } from '../runtime.module.js';
import {
  logSources,
  periodOf,
  roomLogKinds,
  roomLogTables,
  sipCallTable,
  tablesOfKind,
  type LogFilter,
  type RoomLogKind,
} from './log-entries.js';
import {
  presentDeletedRecordingLog,
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

/** What ran, for whoever pays for it: newest first, a page costs alike wherever it is. */
@Injectable()
export class LogsService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async listRoomLogs(
    scope: RoomScope,
    { kind, ...filter }: LogFilter & { kind?: RoomLogKind | undefined },
    page: Page,
  ): Promise<Listed<PresentedLog>> {
    const kinds = kind === undefined ? roomLogKinds : [kind];
    const sources = kinds.flatMap(each => tablesOfKind[each]).flatMap(table => logSources(scope, filter, table));
    const { items, total } = await listEntries(this.dataSource.manager, sources, page, periodOf(filter));
    const entries = await this.readEntries(items);
    return { items: items.flatMap(({ id }) => entries.get(id) ?? []), total };
  }

  async listSipCallLogs(scope: RoomScope, filter: LogFilter, page: Page): Promise<Listed<PresentedSipCallLog>> {
    const sources = logSources(scope, filter, sipCallTable);
    const { items, total } = await listEntries(this.dataSource.manager, sources, page, periodOf(filter));
    const rows = await this.findByIDs(SipCall, items);
    return { items: items.flatMap(({ id }) => rows.filter(row => row.id === id)).map(presentSipCallLog), total };
  }

  private async readEntries(entries: readonly ListEntry[]): Promise<ReadonlyMap<string, PresentedLog>> {
    const of = (name: keyof typeof roomLogTables) => entries.filter(({ table }) => table === roomLogTables[name].table);
    const [rooms, recordings, deleted, messages] = await Promise.all([
      this.readRooms(of('room')),
      this.findByIDs(Recording, of('recording')),
      this.findByIDs(DeletedRecording, of('deletedRecording')),
      this.findByIDs(RoomMessage, of('message')),
    ]);
    return new Map<string, PresentedLog>([
      ...rooms,
      ...recordings.map(row => [row.id, presentRecordingLog(row)] as const),
      ...deleted.map(row => [row.id, presentDeletedRecordingLog(row)] as const),
      ...messages.map(row => [row.id, presentMessageLog(row)] as const),
    ]);
  }

  private async readRooms(names: readonly { id: string }[]): Promise<[string, PresentedLog][]> {
    const now = new Date(this.clock.now());
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
