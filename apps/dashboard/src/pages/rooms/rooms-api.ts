import type { ActionFields, ApiRecord } from '../../api/records.js';
import { resource } from '../../api/resource.js';

export type Room = ApiRecord<'Room'>;
export type RoomFields = ActionFields<'RoomsCreateBody'>;

export const rooms = resource<Room, RoomFields, ActionFields<'RoomsUpdateBody'>>({
  path: '/v1/rooms',
  one: 'room',
  many: 'rooms',
  id: 'meetingID',
});

export function endRoom(meetingID: string): Promise<unknown> {
  return rooms.act('end', { meetingID });
}
