import { Injectable, Logger } from '@nestjs/common';
import {
  addPage,
  inventoryPageSize,
  sfuCommands,
  transcoderCommands,
  type NodeLease,
  type SfuInventory,
} from '@rtms/contracts';
import { messageOf } from '@rtms/logging';
import { DataSource, type EntityTarget } from 'typeorm';
import { inTurns } from '../background/in-turns.js';
import { Broadcast } from '../broadcasts/broadcast.entity.js';
import { selectPacked } from '../database/plain-rows.js';
import { ExternalSession } from '../external-sessions/external-session.entity.js';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { whereLive, whereRunning } from '../media/live-states.js';
import type { MediaResource } from '../media/media-resource.entity.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { Playback } from '../playbacks/playback.entity.js';
import { Recording } from '../recordings/recording.entity.js';
import { RoomStateService } from '../rooms/room-state.service.js';
import { indexSnapshot, playbackColumns, sessionColumns, type NodeAnswer, type Snapshot } from './snapshot.js';

/** Few enough that neither reading a page nor writing the parameters of a statement holds up the event loop. */
const pageSize = 1000;

/** A node that never comes to an end must not hold up the reconciler. */
const pagesAtMost = 200;

/** Asks all workers what they hold, and then the database. */
@Injectable()
export class SnapshotTaker {
  private readonly logger = new Logger(SnapshotTaker.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly nodes: NodeRegistry,
    private readonly commands: WorkerCommands,
    private readonly rooms: RoomStateService,
  ) {}

  /**
   * Workers first: a row is committed before a worker hears of it. So a resource that a worker named and that has no
   * row when the pages are read afterwards has ended. Nodes that come or restart meanwhile may have been given rows that are read, so
   * that the nodes are listed again after the rows.
   */
  async take(): Promise<Snapshot> {
    const isSettled = this.nodes.isSettled();
    const [sfus, transcoders] = await Promise.all([
      this.ask(this.nodes.list('sfu'), lease => this.askSfu(lease)),
      this.ask(this.nodes.list('transcoder'), ({ nodeID }) =>
        this.commands.ask(transcoderCommands.inventory.forNode(nodeID), {}),
      ),
    ]);
    const rows = {
      sessions: await this.read(ExternalSession, sessionColumns, whereLive()),
      playbacks: await this.read(Playback, playbackColumns, whereLive()),
      broadcasts: await this.read(Broadcast, this.columnsOf(Broadcast), whereLive()),
      recordings: await this.read(Recording, this.columnsOf(Recording), whereRunning()),
      endedMeetings: await this.endedAmong(await meetingsOf(sfus)),
    };
    return indexSnapshot({
      ...{ ...rows, isSettled },
      sfus: withNewcomers(sfus, this.nodes.list('sfu')),
      transcoders: withNewcomers(transcoders, this.nodes.list('transcoder')),
    });
  }

  /** Page by page, by the ids. */
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
        const inventory = await read(lease).catch((error: unknown) => {
          const message = messageOf(error);
          this.logger.warn({ nodeID: lease.nodeID, message }, 'a node did not say what it holds');
          return undefined;
        });
        return { lease, inventory };
      }),
    );
  }

  /** Page by page: a message of NATS takes 1 MB. */
  private async askSfu({ nodeID }: NodeLease): Promise<SfuInventory> {
    const address = sfuCommands.inventory.forNode(nodeID);
    const all = await this.commands.ask(address, { atMost: inventoryPageSize });
    for (let pages = 1; all.next !== undefined; pages++) {
      if (pages === pagesAtMost)
        throw new Error(`The node has more than ${pagesAtMost} pages of ${inventoryPageSize}.`);
      const page = await this.commands.ask(address, { atMost: inventoryPageSize, after: all.next });
      addPage(all, page);
      all.next = page.next;
    }
    return all;
  }
}

/** Adds the nodes that came or restarted after the others were asked, as nodes that did not answer. */
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
