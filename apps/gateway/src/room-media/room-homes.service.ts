import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { ServiceError, type NodeLease } from '@rtms/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import { NodeSpread } from '../nodes/choose-node.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { noController, requireNode } from '../nodes/require-node.js';
import { CLOCK } from '../runtime.module.js';
import { RoomMediaPlace } from './room-media.entity.js';

interface Place {
  nodeID: string;
  nodeEpoch: string;
}

/** A node keeps a room until the room ends, also when nothing is left in it. */
const placeStatement = `
SELECT node_id AS "nodeID", node_epoch AS "nodeEpoch" FROM (
  SELECT node_id, node_epoch, placed_at, '' AS id FROM room_media WHERE meeting_id = $1
  UNION ALL
  SELECT node_id, node_epoch, placed_at, id FROM external_sessions
    WHERE meeting_id = $1 AND node_id IS NOT NULL AND node_epoch IS NOT NULL
) AS place ORDER BY placed_at DESC, id DESC LIMIT 1`;

/** As `placeStatement`, of many rooms. */
const placesStatement = `
SELECT DISTINCT ON (meeting_id) meeting_id AS "meetingID", node_id AS "nodeID", node_epoch AS "nodeEpoch" FROM (
  SELECT meeting_id, node_id, node_epoch, placed_at, '' AS id FROM room_media WHERE meeting_id = ANY($1)
  UNION ALL
  SELECT meeting_id, node_id, node_epoch, placed_at, id FROM external_sessions
    WHERE meeting_id = ANY($1) AND node_id IS NOT NULL AND node_epoch IS NOT NULL
) AS place ORDER BY meeting_id, placed_at DESC, id DESC`;

/** What a room may not be taken away from: somebody publishes by it there, and would have to connect anew. */
const livePublisher = `SELECT 1 FROM external_sessions WHERE meeting_id = $1 AND node_id = $2 AND state = 'active' LIMIT 1`;

/** Which media node has a room: everything of a room goes to the same one. */
@Injectable()
export class RoomHomes {
  constructor(
    private readonly dataSource: DataSource,
    private readonly nodes: NodeRegistry,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The living node that has the room; undefined when none has. */
  async find(meetingID: string, manager: EntityManager = this.dataSource.manager): Promise<NodeLease | undefined> {
    const [place] = await manager.query<Place[]>(placeStatement, [meetingID]);
    return place && this.livingNode(place);
  }

  private livingNode({ nodeID, nodeEpoch }: Place): NodeLease | undefined {
    const node = this.nodes.find('sfu', nodeID);
    return node?.epoch === Number(nodeEpoch) ? node : undefined;
  }

  /** As `find`; SERVICE_UNAVAILABLE when none has. */
  async require(meetingID: string): Promise<NodeLease> {
    const node = await this.find(meetingID);
    if (!node) throw new ServiceError('controller_unavailable', 'Open the media of the room first.');
    return node;
  }

  /** As `find`, but undefined where the node is drained and no external session keeps the room there. */
  async findStaying(
    meetingID: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<NodeLease | undefined> {
    const home = await this.find(meetingID, manager);
    if (!home?.draining) return home;
    const publishers = await manager.query<unknown[]>(livePublisher, [meetingID, home.nodeID]);
    return publishers.length > 0 ? home : undefined;
  }

  /** A function that chooses among the nodes not excluded; it throws when none can be chosen. */
  async chooserFor(meetingID: string): Promise<(excluded: ReadonlySet<string>) => NodeLease> {
    const home = await this.findStaying(meetingID);
    return excluded => {
      if (home === undefined) return requireNode(this.nodes.list('sfu'), excluded);
      if (home.draining || excluded.has(home.nodeID)) throw noController();
      return home;
    };
  }

  /** Where a repair brings the rooms that have no home. */
  spread(): NodeSpread {
    return new NodeSpread(() => this.nodes.list('sfu'));
  }

  /** A node for each of many rooms; a room for which there is none now is absent. */
  async chooseForAll(meetingIDs: readonly string[], spread: NodeSpread): Promise<Map<string, NodeLease>> {
    const places = await this.dataSource.query<(Place & { meetingID: string })[]>(placesStatement, [meetingIDs]);
    const homes = new Map(places.map(place => [place.meetingID, this.livingNode(place)]));
    const chosen = new Map<string, NodeLease>();
    for (const meetingID of meetingIDs) {
      let home = homes.get(meetingID);
      if (home?.draining) home = await this.findStaying(meetingID);
      if (home?.draining) continue;
      const node = home ?? spread.choose();
      if (node) chosen.set(meetingID, node);
    }
    return chosen;
  }

  /**
   * The room is locked: it goes to the node unless another one has it meanwhile that did not refuse. Answers who has
   * it now.
   */
  async settle(
    manager: EntityManager,
    meetingID: string,
    node: NodeLease,
    refusedBy: ReadonlySet<string>,
  ): Promise<NodeLease> {
    const found = await this.findStaying(meetingID, manager);
    return found && !refusedBy.has(found.nodeID) ? found : node;
  }

  /** As `settle`, and kept for members' media; a session's own row says where it is. */
  async claim(
    manager: EntityManager,
    meetingID: string,
    node: NodeLease,
    refusedBy: ReadonlySet<string>,
  ): Promise<NodeLease> {
    const home = await this.settle(manager, meetingID, node, refusedBy);
    const place = { meetingID, nodeID: home.nodeID, nodeEpoch: home.epoch, placedAt: new Date(this.clock.now()) };
    await manager.upsert(RoomMediaPlace, place, ['meetingID']);
    return home;
  }

  /** Which nodes were given a room for its members. */
  async nodesOf(manager: EntityManager, meetingID: string): Promise<string[]> {
    return (await manager.findBy(RoomMediaPlace, { meetingID })).map(place => place.nodeID);
  }

  /** Running rooms that starts of a node before that one had. */
  async listOn(nodeID: string, beforeEpoch: number): Promise<string[]> {
    const sql = `SELECT meeting_id AS "meetingID" FROM room_media JOIN rooms ON rooms.id = meeting_id
      WHERE node_id = $1 AND node_epoch < $2 AND rooms.state = 'active'`;
    const places = await this.dataSource.query<{ meetingID: string }[]>(sql, [nodeID, beforeEpoch]);
    return places.map(place => place.meetingID);
  }
}
