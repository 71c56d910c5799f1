import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { ServiceError, type RoomLiveAnswer, type RoomMember } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { whereLive } from '../media/live-states.js';
import { presentTime } from '../http/present.js';

type Live = RoomLiveAnswer['live'];

const maxMembers = 200;
const membersStatement = `
SELECT id AS "participantID", user_name AS "userName", role, joined_at AS "createdAt",
  CASE WHEN is_connected THEN 'connected' ELSE 'joined' END AS state
FROM participants WHERE meeting_id = $1 AND state = 'joined' AND kind = 'member'
ORDER BY joined_at DESC, id DESC LIMIT ${maxMembers}`;
const viewersStatement = `
SELECT id AS "playbackID", source_session_id AS "sourceSessionID", viewer_count AS "viewerCount"
FROM playbacks WHERE meeting_id = $1 AND ${whereLive()} ORDER BY created_at DESC, id DESC`;

/** Who is in a room, and how many watch. */
@Injectable()
export class RoomLiveService {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async read(accountID: string, meetingID: string): Promise<Live> {
    const own = 'SELECT 1 FROM rooms WHERE id = $1 AND account_id = $2';
    if ((await this.database.query<unknown[]>(own, [meetingID, accountID])).length === 0) {
      throw new ServiceError('not_found', 'There is no such room.');
    }
    const [members, viewers] = await Promise.all([
      this.database.query<(Omit<RoomMember, 'createdAt'> & { createdAt: Date })[]>(membersStatement, [meetingID]),
      this.database.query<Live['viewers']>(viewersStatement, [meetingID]),
    ]);
    return { members: members.map(row => ({ ...row, createdAt: presentTime(row.createdAt) })), viewers };
  }
}
