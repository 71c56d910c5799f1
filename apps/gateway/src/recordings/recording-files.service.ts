import { Injectable } from '@nestjs/common';
import { transcoderCommands, type RecordingStorage } from '@rtms/contracts';
import { DataSource, LessThanOrEqual, type EntityManager } from 'typeorm';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { noFile, Recording } from './recording.entity.js';

interface FileToDelete {
  recordingID: string;
  nodeID: string;
  storage: RecordingStorage;
}

const queueStatement = `
INSERT INTO recording_files_to_delete (recording_id, node_id, storage) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`;
const listStatement = `
SELECT recording_id AS "recordingID", node_id AS "nodeID", storage FROM recording_files_to_delete
ORDER BY recording_id LIMIT 100`;
const doneStatement = 'DELETE FROM recording_files_to_delete WHERE recording_id = $1';

/** Deletes files of recordings, now or as soon as the node that has them is there. */
@Injectable()
export class RecordingFilesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly commands: WorkerCommands,
    private readonly nodes: NodeRegistry,
  ) {}

  /** In the transaction that takes the file's row away, so that no file is forgotten. */
  async queue(manager: EntityManager, row: Pick<Recording, 'id' | 'nodeID' | 'storage'>): Promise<void> {
    if (row.nodeID !== null) await manager.query(queueStatement, [row.id, row.nodeID, row.storage ?? 'node']);
  }

  /** Files whose time is over; their rows stay, without what a file has. */
  async expire(now: Date): Promise<void> {
    const due = { expiresAt: LessThanOrEqual(now) };
    if (!(await this.dataSource.manager.existsBy(Recording, due))) return;
    await this.dataSource.transaction(async manager => {
      const rows = await manager.find(Recording, { where: due, take: 100, lock: { mode: 'pessimistic_write' } });
      for (const row of rows) {
        await this.queue(manager, row);
        await manager.update(Recording, row.id, noFile);
      }
    });
  }

  /** What can't be deleted now is tried again the next time. */
  async deleteQueued(): Promise<void> {
    const files = await this.dataSource.query<FileToDelete[]>(listStatement);
    await Promise.all(files.map(file => this.deleteOne(file)));
  }

  private async deleteOne({ recordingID, nodeID, storage }: FileToDelete): Promise<void> {
    const node = storage === 'shared' ? this.nodes.list('transcoder')[0] : this.nodes.find('transcoder', nodeID);
    if (!node) return;
    const address = transcoderCommands.deleteRecording.forNode(node.nodeID);
    const isDone = await this.commands.ask(address, { recordingID }).then(
      () => true,
      () => false,
    );
    if (isDone) await this.dataSource.query(doneStatement, [recordingID]);
  }
}
