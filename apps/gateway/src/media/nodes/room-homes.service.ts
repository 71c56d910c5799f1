import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { ServiceError, type NodeLease } from '@rtms/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { ExternalSession } from '../resources/external-session.entity.js';
import { RoomMediaPlace } from '../resources/media-resource.entity.js';
import { NodeSpread, noController, requireNode } from './choose-node.js';
import { NodeRegistry } from './node-registry.js';
import { RoomHomesRepository, type RoomPlace } from './room-homes.repository.js';

type NodeChooser = (excluded: ReadonlySet<string>) => NodeLease;

/** Places rooms on media nodes. All media of a room is on the same node. */
@Injectable()
export class RoomHomesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly places: RoomHomesRepository,
    private readonly nodes: NodeRegistry,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The living node that holds the room; undefined when no node holds it. */
  async find(meetingID: string, manager: EntityManager = this.dataSource.manager): Promise<NodeLease | undefined> {
    const [place] = await this.places.listPlaces([meetingID], manager);
    return place && this.livingNode(place);
  }

  private livingNode({ nodeID, nodeEpoch }: RoomPlace): NodeLease | undefined {
    const node = this.nodes.find('sfu', nodeID);
    return node?.epoch === nodeEpoch ? node : undefined;
  }

  /** As `find`. Throws SERVICE_UNAVAILABLE when no node holds the room. */
  async require(meetingID: string): Promise<NodeLease> {
    const node = await this.find(meetingID);
    if (!node) throw new ServiceError('controller_unavailable', 'Open the media of the room first.');
    return node;
  }

  /** As `find`, but undefined when the node drains and no active external session keeps the room there. */
  async findStaying(
    meetingID: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<NodeLease | undefined> {
    const home = await this.find(meetingID, manager);
    if (!home?.draining) return home;
    const { nodeID } = home;
    // A move would make the publishers of these sessions reconnect.
    const hasPublisher = await manager.existsBy(ExternalSession, { meetingID, nodeID, state: 'active' });
    return hasPublisher ? home : undefined;
  }

  /** As `findStaying`, for several rooms. Rooms without such a node are absent. */
  async findAllStaying(meetingIDs: readonly string[], manager: EntityManager): Promise<Map<string, NodeLease>> {
    const staying = new Map<string, NodeLease>();
    for (const place of await this.places.listPlaces(meetingIDs, manager)) {
      const { meetingID } = place;
      let home = this.livingNode(place);
      if (home?.draining) home = await this.findStaying(meetingID, manager);
      if (home) staying.set(meetingID, home);
    }
    return staying;
  }

  /** Returns a function that chooses among the nodes not excluded, and throws when it can choose none. */
  async chooserFor(meetingID: string): Promise<NodeChooser> {
    return this.chooserOf(await this.findStaying(meetingID));
  }

  /** As `chooserFor`, for a room whose home `findStaying` has returned. */
  chooserOf(home: NodeLease | undefined): NodeChooser {
    return excluded => {
      if (home === undefined) return requireNode(this.nodes.list('sfu'), excluded);
      if (home.draining || excluded.has(home.nodeID)) throw noController();
      return home;
    };
  }

  /** Spreads rooms without a node over all nodes. */
  spread(): NodeSpread {
    return new NodeSpread(() => this.nodes.list('sfu'));
  }

  /** A node for each of many rooms. A room for which no node has capacity is absent. */
  async chooseForAll(meetingIDs: readonly string[], spread: NodeSpread): Promise<Map<string, NodeLease>> {
    const places = await this.places.listPlaces(meetingIDs);
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
   * Returns the node that holds the room from now on: `node`, unless another node that did not refuse holds the room
   * already. The caller has locked the room.
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

  /** As `settle`. Stores the node for members' media; the row of an external session names its node itself. */
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

  /** The nodes that hold members' media of the room. */
  async nodesOf(manager: EntityManager, meetingID: string): Promise<string[]> {
    return (await manager.findBy(RoomMediaPlace, { meetingID })).map(place => place.nodeID);
  }
}
