import { Dto, optionalQuery } from '../../platform/http/dto.js';
import { oneOf, queryText, queryTime } from '../../platform/http/fields.js';

export const roomLogKinds = ['room', 'recording', 'message'] as const;
export type RoomLogKind = (typeof roomLogKinds)[number];

const filters = {
  meetingID: queryText(),
  from: queryTime.describe('Answers only entries from this time on.'),
  to: queryTime.describe('Answers only entries before this time.'),
};

export class GetLogsDto extends Dto(optionalQuery(filters)) {}

export class GetRoomLogsDto extends Dto(
  optionalQuery({ ...filters, kind: oneOf(roomLogKinds).describe('Answers only entries of this kind.') }),
) {}
