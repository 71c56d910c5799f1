import { IsIn, IsOptional } from 'class-validator';
import { IsQueryText } from '../../fields/query-text.decorator.js';
import { IsTime } from '../../fields/time.decorator.js';
import { roomLogKinds, type RoomLogKind } from '../log-entries.js';

/** What both log endpoints filter by. */
export class GetLogsDto {
  @IsOptional()
  @IsQueryText('meetingID')
  meetingID?: string;

  /** The first moment that counts. */
  @IsOptional()
  @IsTime('from')
  from?: string;

  /** The first moment that does not count any more. */
  @IsOptional()
  @IsTime('to')
  to?: string;
}

export class GetRoomLogsDto extends GetLogsDto {
  @IsOptional()
  @IsIn(roomLogKinds, { message: `kind must be one of: ${roomLogKinds.join(', ')}.` })
  kind?: RoomLogKind;
}
