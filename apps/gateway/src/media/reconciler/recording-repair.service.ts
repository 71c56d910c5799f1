import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { interruptRecording, resumeRecording, type WorkerCommand } from '../../platform/workers/worker-command.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { running } from '../../platform/rows/live-states.js';
import { RecordingLifecycleService } from '../recordings/recording-lifecycle.service.js';
import { RecordingSourcesService } from '../recordings/recording-sources.service.js';
import { Recording } from '../resources/recording.entity.js';
import { lockUnchanged } from '../resources/locked-rows.js';
import { decideRecordingStep } from './holding.js';
import { viewOf, type Snapshot } from './snapshot.js';

/** Ends recordings without a transcoder, and makes the others follow their sources. */
@Injectable()
export class RecordingRepairService {
  private readonly logger = new Logger(RecordingRepairService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly lifecycle: RecordingLifecycleService,
    private readonly sources: RecordingSourcesService,
    private readonly commands: WorkerCommandsService,
    private readonly nodes: NodeRegistry,
  ) {}

  async lose(recordings: readonly Recording[]): Promise<void> {
    for (const seen of recordings) {
      await this.dataSource.transaction(async manager => {
        const row = await lockUnchanged(manager, Recording, seen);
        if (row) await this.lifecycle.lose(manager, row, this.lastHeard(row));
      });
      this.logger.warn({ recordingID: seen.id, nodeID: seen.nodeID }, 'a recording lost its transcoder');
    }
  }

  async follow(snapshot: Snapshot): Promise<void> {
    for (const row of snapshot.recordings.values()) await this.commands.tell(await this.step(snapshot, row));
  }

  private async step(snapshot: Snapshot, row: Recording): Promise<WorkerCommand[]> {
    const view = viewOf(snapshot.transcoders, row.nodeID);
    const job = view?.holdings?.recordings.get(row.id);
    if (!job) return [];
    const { manager } = this.dataSource;
    const { standing, nodeID } = await this.sources.locate(manager, row);
    switch (decideRecordingStep(job.state, standing)) {
      case 'interrupt':
        return (await this.stillRunning(row)).flatMap(interruptRecording);
      case 'resume':
        if (nodeID === undefined) return [];
        return (await this.stillRunning(row)).flatMap(each =>
          resumeRecording(each, { sfuNodeID: nodeID, onlyIf: 'interrupted' }),
        );
      case 'end':
        return this.dataSource.transaction(each => this.lifecycle.endAll(each, { id: row.id }, 'source_ended'));
      case 'none':
        return [];
    }
  }

  /** Empty when the recording has ended since it was read. */
  private stillRunning({ id }: Recording): Promise<Recording[]> {
    return this.dataSource.manager.findBy(Recording, { id, ...running });
  }

  /** The last known time at which the recording ran. */
  private lastHeard({ nodeID, nodeEpoch }: Recording): Date | undefined {
    return nodeID === null || nodeEpoch === null ? undefined : this.nodes.heardAt('transcoder', nodeID, nodeEpoch);
  }
}
