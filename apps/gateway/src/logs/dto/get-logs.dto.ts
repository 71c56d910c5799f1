import { IsIn, IsOptional, ValidateBy } from 'class-validator';
import { IsQueryText } from '../../fields/query-text.decorator.js';
import { roomLogKinds, type RoomLogKind } from '../log-entries.js';

/** RFC 3339, e.g. `2026-11-21T10:15:30Z`. */
const timeForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/i;

function IsTime(name: string): PropertyDecorator {
  const validate = (value: unknown): boolean =>
    typeof value === 'string' && timeForm.test(value) && !Number.isNaN(Date.parse(value));
  const message = `${name} must be a time such as 2026-11-21T10:15:30Z.`;
  return ValidateBy({ name: 'isTime', validator: { validate } }, { message });
}

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
