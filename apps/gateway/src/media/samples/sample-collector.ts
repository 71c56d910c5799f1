import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { sfuCommands, transcoderCommands } from '@rtms/contracts';
import { messageOf } from '@rtms/logging';
import { AdvisoryLocksService } from '../../platform/database/advisory-locks.service.js';
import { atMost } from '../../platform/jobs/in-turns.js';
import { RepeatingService } from '../../platform/jobs/repeating-task.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { SessionSamplesRepository } from './session-samples.repository.js';
import { HlsViewerSamplesRepository, ViewerSamplesRepository } from './viewer-samples.repository.js';

const pauseMs = 20_000;
const nodesAtOnce = 4;

/** A node has at most ten minutes of its sessions, and five of 5,000 viewers. 60,000 rows are far above them. */
const pagesInARun = 100;

type Kind = 'sessions' | 'viewers' | 'hlsViewers';

/** Stores the samples of all SFU nodes and transcoders, a minute after they were taken. One gateway at a time collects. */
@Injectable()
export class SampleCollector extends RepeatingService {
  private readonly logger = new Logger(SampleCollector.name);
  /** The place of the last stored minute of each kind and node. A replica without a place reads all that the node has. */
  private readonly places: Record<Kind, Map<string, string>> = {
    ...{ sessions: new Map(), viewers: new Map(), hlsViewers: new Map() },
  };

  constructor(
    private readonly locks: AdvisoryLocksService,
    private readonly nodes: NodeRegistry,
    private readonly commands: WorkerCommandsService,
    private readonly samples: SessionSamplesRepository,
    private readonly viewers: ViewerSamplesRepository,
    private readonly hlsViewers: HlsViewerSamplesRepository,
    @Inject(CLOCK) clock: Clock,
  ) {
    super(clock, pauseMs);
  }

  protected async run(): Promise<void> {
    await this.locks.under('samples', async () => {
      const [sfus, transcoders] = (['sfu', 'transcoder'] as const).map(role =>
        this.nodes.list(role).map(({ nodeID }) => nodeID),
      );
      await this.collectAll(['sessions', 'viewers'], sfus ?? []);
      await this.collectAll(['hlsViewers'], transcoders ?? []);
    });
  }

  private async collectAll(kinds: readonly Kind[], nodeIDs: readonly string[]): Promise<void> {
    for (const kind of kinds)
      for (const nodeID of [...this.places[kind].keys()])
        if (!nodeIDs.includes(nodeID)) this.places[kind].delete(nodeID);
    await atMost(nodesAtOnce, nodeIDs, async nodeID => {
      for (const kind of kinds) await this.collect(kind, nodeID);
    });
  }

  /** A node that does not answer is asked again in the next run. A node of an earlier version has no samples of viewers. */
  private async collect(kind: Kind, nodeID: string): Promise<void> {
    try {
      let isLast = false;
      for (let page = 0; page < pagesInARun && !isLast; page++) isLast = await this.collectPage(kind, nodeID);
    } catch (error) {
      this.logger.debug({ kind, nodeID, message: messageOf(error) }, 'cannot collect the samples of a node');
    }
  }

  private async collectPage(kind: Kind, nodeID: string): Promise<boolean> {
    const after = this.places[kind].get(nodeID);
    const query = after === undefined ? {} : { after };
    const { next, isLast } = await this.store(kind, nodeID, query);
    if (next !== undefined) this.places[kind].set(nodeID, next);
    return isLast;
  }

  private async store(kind: Kind, nodeID: string, query: { after?: string }): Promise<Place> {
    if (kind === 'sessions') {
      const page = await this.commands.ask(sfuCommands.readSamples.forNode(nodeID), query);
      await this.samples.store(nodeID, page.minutes);
      return page;
    }
    if (kind === 'hlsViewers') {
      const page = await this.commands.ask(transcoderCommands.readViewerSamples.forNode(nodeID), query);
      await this.hlsViewers.store(page.minutes);
      return page;
    }
    const page = await this.commands.ask(sfuCommands.readViewerSamples.forNode(nodeID), query);
    await this.viewers.store(page.minutes);
    return page;
  }
}

/** The end of a page. */
interface Place {
  next?: string;
  isLast: boolean;
}
