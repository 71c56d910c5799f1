import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { sfuCommands } from '@rtms/contracts';
import { messageOf } from '@rtms/logging';
import { AdvisoryLocksService } from '../../platform/database/advisory-locks.service.js';
import { atMost } from '../../platform/jobs/in-turns.js';
import { RepeatingService } from '../../platform/jobs/repeating-task.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { SessionSamplesRepository } from './session-samples.repository.js';

const pauseMs = 20_000;
const nodesAtOnce = 4;

/** A node has at most ten minutes of its sessions. 60,000 rows are far above them. */
const pagesInARun = 100;

/** Stores the samples of all SFU nodes, a minute after they were taken. One gateway at a time collects. */
@Injectable()
export class SampleCollector extends RepeatingService {
  private readonly logger = new Logger(SampleCollector.name);
  /** The place of the last stored minute of each node. A replica without a place reads all that the node has. */
  private places = new Map<string, string>();

  constructor(
    private readonly locks: AdvisoryLocksService,
    private readonly nodes: NodeRegistry,
    private readonly commands: WorkerCommandsService,
    private readonly samples: SessionSamplesRepository,
    @Inject(CLOCK) clock: Clock,
  ) {
    super(clock, pauseMs);
  }

  protected async run(): Promise<void> {
    await this.locks.under('samples', async () => {
      const nodeIDs = this.nodes.list('sfu').map(({ nodeID }) => nodeID);
      this.places = new Map([...this.places].filter(([nodeID]) => nodeIDs.includes(nodeID)));
      await atMost(nodesAtOnce, nodeIDs, nodeID => this.collect(nodeID));
    });
  }

  /** A node that does not answer is asked again in the next run. */
  private async collect(nodeID: string): Promise<void> {
    try {
      let isLast = false;
      for (let page = 0; page < pagesInARun && !isLast; page++) isLast = await this.collectPage(nodeID);
    } catch (error) {
      this.logger.debug({ nodeID, message: messageOf(error) }, 'cannot collect the samples of a node');
    }
  }

  private async collectPage(nodeID: string): Promise<boolean> {
    const after = this.places.get(nodeID);
    const query = after === undefined ? {} : { after };
    const { minutes, next, isLast } = await this.commands.ask(sfuCommands.readSamples.forNode(nodeID), query);
    await this.samples.store(nodeID, minutes);
    if (next !== undefined) this.places.set(nodeID, next);
    return isLast;
  }
}
