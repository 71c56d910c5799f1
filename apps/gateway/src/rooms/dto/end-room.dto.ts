import { Length } from 'class-validator';

export class EndRoomDto {
  @Length(1, 64, { message: 'meetingID must be the identifier of a room.' })
  meetingID!: string;
}
