import { Injectable } from '@nestjs/common';
import { transcoderCommands } from '@rtms/contracts';
import { DataSource, In, LessThanOrEqual, type EntityManager } from 'typeorm';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { noFile, Recording } from '../resources/recording.entity.js';
import { RecordingFileToDelete } from './deleted-recording.entity.js';

const filesAtOnce = 100;

/** Deletes files of recordings, now or when the node with the file is back. */
@Injectable()
export class RecordingFilesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly commands: WorkerCommandsService,
    private readonly nodes: NodeRegistry,
  ) {}

  /** Queues the file in the transaction that removes its row, so that no file is left behind. */
  async queue(
    manager: EntityManager,
    { id: recordingID, nodeID, storage }: Pick<Recording, 'id' | 'nodeID' | 'storage'>,
  ): Promise<void> {
    if (nodeID === null) return;
    const file = { recordingID, nodeID, storage: storage ?? 'node' };
    await manager.createQueryBuilder().insert().into(RecordingFileToDelete).values(file).orIgnore().execute();
  }

  /** Queues expired files. Their rows stay, without the columns of a file. */
  async expire(now: Date): Promise<void> {
    const due = { expiresAt: LessThanOrEqual(now) };
    if (!(await this.dataSource.manager.existsBy(Recording, due))) return;
    await this.dataSource.transaction(async manager => {
      const lock = { mode: 'pessimistic_write' as const };
      const rows = await manager.find(Recording, { where: due, take: filesAtOnce, lock });
      for (const row of rows) {
        await this.queue(manager, row);
        await manager.update(Recording, row.id, noFile);
      }
    });
  }

  /** Deletes queued files. A file whose deletion fails, or whose node is away, stays in the queue. */
  async deleteQueued(): Promise<void> {
    const nodeIDs = this.nodes.list('transcoder').map(({ nodeID }) => nodeID);
    const files = await this.dataSource.manager.find(RecordingFileToDelete, {
      // Files of nodes that never return must not hold up the others.
      where: [{ storage: 'shared' }, { nodeID: In(nodeIDs) }],
      order: { recordingID: 'ASC' },
      take: filesAtOnce,
    });
    await Promise.all(files.map(file => this.deleteOne(file)));
  }

  private async deleteOne({ recordingID, nodeID, storage }: RecordingFileToDelete): Promise<void> {
    const node = storage === 'shared' ? this.nodes.list('transcoder')[0] : this.nodes.find('transcoder', nodeID);
    if (!node) return;
    const address = transcoderCommands.deleteRecording.forNode(node.nodeID);
    const isDone = await this.commands.ask(address, { recordingID }).then(
      () => true,
      () => false,
    );
    if (isDone) await this.dataSource.manager.delete(RecordingFileToDelete, recordingID);
  }
}
