import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

/** The node, and the start of that node, that a room was given to. */
interface PlaceRow {
  meetingID: string;
  nodeID: string;
  /** A bigint, which the driver returns as text. */
  nodeEpoch: string;
}

export interface RoomPlace {
  meetingID: string;
  nodeID: string;
  nodeEpoch: number;
}

/** The last place of each room. A node keeps a room until the room ends, even when the room is empty. */
const placesStatement = `
SELECT DISTINCT ON (meeting_id) meeting_id AS "meetingID", node_id AS "nodeID", node_epoch AS "nodeEpoch" FROM (
  SELECT meeting_id, node_id, node_epoch, placed_at, '' AS id FROM room_media WHERE meeting_id = ANY($1)
  UNION ALL
  SELECT meeting_id, node_id, node_epoch, placed_at, id FROM external_sessions
    WHERE meeting_id = ANY($1) AND node_id IS NOT NULL AND node_epoch IS NOT NULL
) AS place ORDER BY meeting_id, placed_at DESC, id DESC`;

const lostStatement = `
SELECT meeting_id AS "meetingID" FROM room_media JOIN rooms ON rooms.id = meeting_id
WHERE node_id = $1 AND node_epoch < $2 AND rooms.state = 'active'`;

/** Reads the nodes of rooms, of which two tables and the rooms domain know a part. */
@Injectable()
export class RoomHomesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The last place of each given room that has one. */
  async listPlaces(
    meetingIDs: readonly string[],
    manager: EntityManager = this.dataSource.manager,
  ): Promise<RoomPlace[]> {
    const rows = await manager.query<PlaceRow[]>(placesStatement, [meetingIDs]);
    return rows.map(row => ({ ...row, nodeEpoch: Number(row.nodeEpoch) }));
  }

  /** Active rooms whose members' media was on a start of the node before `beforeEpoch`. */
  async listLostWith(nodeID: string, beforeEpoch: number): Promise<string[]> {
    const rows = await this.dataSource.query<{ meetingID: string }[]>(lostStatement, [nodeID, beforeEpoch]);
    return rows.map(({ meetingID }) => meetingID);
  }
}
