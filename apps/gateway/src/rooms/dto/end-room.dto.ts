import { IsMeetingID } from './room-fields.decorators.js';

export class EndRoomDto {
  @IsMeetingID()
  meetingID!: string;
}
