import { Injectable, Logger } from '@nestjs/common';
import { transcoderCommands, type NodeLease, type SfuInventory } from '@rtms/contracts';
import { messageOf } from '@rtms/logging';
import { DataSource, type EntityTarget } from 'typeorm';
import { inTurns } from '../../platform/jobs/in-turns.js';
import { Broadcast } from '../resources/broadcast.entity.js';
import { selectPacked } from '../../platform/rows/plain-rows.js';
import { ExternalSession } from '../resources/external-session.entity.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { whereLive, whereRunning, whereStopped } from '../../platform/rows/live-states.js';
import type { MediaResource } from '../resources/media-resource.entity.js';
import { readSfuInventory } from '../nodes/live-work.service.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { Playback } from '../resources/playback.entity.js';
import { Recording } from '../resources/recording.entity.js';
import { Restream } from '../resources/restream.entity.js';
import { RoomsRepository } from '../../rooms/records/rooms.repository.js';
import {
  indexSnapshot,
  playbackColumns,
  restreamColumns,
  sessionColumns,
  stoppedColumns,
  type NodeAnswer,
  type Snapshot,
} from './snapshot.js';

/** Rows of a page and parameters of a statement: few enough not to block the event loop. */
const pageSize = 1000;

/** Reads the inventories of all nodes, and then the database. */
@Injectable()
export class SnapshotTaker {
  private readonly logger = new Logger(SnapshotTaker.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly nodes: NodeRegistry,
    private readonly commands: WorkerCommandsService,
    private readonly rooms: RoomsRepository,
  ) {}

  /**
   * Nodes come first: a row is committed before a node gets the command. A resource in an inventory without a live row has
   * therefore ended. Nodes that appear or restart meanwhile may hold the rows that are read, so the nodes are listed again.
   */
  async take(): Promise<Snapshot> {
    const isSettled = this.nodes.isSettled();
    const [sfus, transcoders] = await Promise.all([
      this.ask(this.nodes.list('sfu'), ({ nodeID }) => readSfuInventory(this.commands, nodeID)),
      this.ask(this.nodes.list('transcoder'), ({ nodeID }) =>
        this.commands.ask(transcoderCommands.inventory.forNode(nodeID), {}),
      ),
    ]);
    const rows = {
      sessions: await this.read(ExternalSession, sessionColumns, whereLive()),
      playbacks: await this.read(Playback, playbackColumns, whereLive()),
      broadcasts: await this.read(Broadcast, this.columnsOf(Broadcast), whereLive()),
      restreams: await this.read(Restream, restreamColumns, whereLive()),
      recordings: await this.read(Recording, this.columnsOf(Recording), whereRunning()),
      stopped: await this.read(Recording, stoppedColumns, whereStopped()),
      endedMeetings: await this.endedAmong(await meetingsOf(sfus)),
    };
    return indexSnapshot({
      ...{ ...rows, isSettled },
      sfus: withNewcomers(sfus, this.nodes.list('sfu')),
      transcoders: withNewcomers(transcoders, this.nodes.list('transcoder')),
    });
  }

  /** Reads pages in the order of the IDs. */
  private async read<Row extends MediaResource, Name extends keyof Row & string>(
    entity: EntityTarget<Row>,
    names: readonly Name[],
    condition: string,
  ): Promise<Pick<Row, Name | 'id'>[]> {
    const repository = this.dataSource.getRepository(entity);
    const rest = `WHERE ${condition} AND id > $1 ORDER BY id LIMIT ${pageSize}`;
    const rows: Pick<Row, Name | 'id'>[] = [];
    for (let isLast = false; !isLast;) {
      const page = await selectPacked(repository, ['id', ...names], rest, [rows.at(-1)?.id ?? '']);
      rows.push(...page);
      isLast = page.length < pageSize;
    }
    return rows;
  }

  private columnsOf<Row extends MediaResource>(entity: EntityTarget<Row>): (keyof Row & string)[] {
    const { columns } = this.dataSource.getMetadata(entity);
    return columns.map(each => each.propertyName as keyof Row & string);
  }

  private async endedAmong(meetingIDs: readonly string[]): Promise<Set<string>> {
    const ended = new Set<string>();
    for (let from = 0; from < meetingIDs.length; from += pageSize) {
      const page = await this.rooms.listEndedAmong(meetingIDs.slice(from, from + pageSize));
      for (const meetingID of page) ended.add(meetingID);
    }
    return ended;
  }

  private ask<Inventory>(
    nodes: readonly NodeLease[],
    read: (lease: NodeLease) => Promise<Inventory>,
  ): Promise<NodeAnswer<Inventory>[]> {
    return Promise.all(
      nodes.map(async lease => {
        const inventory = await this.nodes.whileAlive(lease, read(lease)).catch((error: unknown) => {
          const message = messageOf(error);
          this.logger.warn({ nodeID: lease.nodeID, message }, 'a node did not return its inventory');
          return undefined;
        });
        return { lease, inventory };
      }),
    );
  }
}

/** Adds nodes that appeared or restarted after the inventories were read, as nodes that did not answer. */
function withNewcomers<Inventory extends { epoch: number }>(
  answers: readonly NodeAnswer<Inventory>[],
  leases: readonly NodeLease[],
): NodeAnswer<Inventory>[] {
  const epochs = new Map(answers.map(({ lease, inventory }) => [lease.nodeID, inventory?.epoch ?? lease.epoch]));
  const newcomers = leases.filter(({ nodeID, epoch }) => epoch > (epochs.get(nodeID) ?? -1));
  const isNew = new Set(newcomers.map(({ nodeID }) => nodeID));
  const others = answers.filter(({ lease }) => !isNew.has(lease.nodeID));
  return [...others, ...newcomers.map(lease => ({ lease, inventory: undefined }))];
}

async function meetingsOf(sfus: readonly NodeAnswer<SfuInventory>[]): Promise<string[]> {
  const meetingIDs = new Set<string>();
  for (const { inventory } of sfus) await inTurns(inventory?.meetingIDs ?? [], each => void meetingIDs.add(each));
  return [...meetingIDs];
}
