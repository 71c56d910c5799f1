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
import { ViewerSamplesRepository } from './viewer-samples.repository.js';

const pauseMs = 20_000;
const readersAtOnce = 4;

/** A node has at most ten minutes of its sessions, and five of 5,000 viewers. 60,000 rows are far above them. */
const pagesInARun = 100;

const kindsOf = { sfu: ['sessions', 'viewers'], transcoder: ['hlsViewers'] } as const;
type Role = keyof typeof kindsOf;

/** Samples of one kind at one node. */
interface Place {
  kind: (typeof kindsOf)[Role][number];
  nodeID: string;
}

interface Page {
  /** The end of the page. */
  next?: string;
  isLast: boolean;
}

/** Stores the samples of all SFU nodes and transcoders, a minute after they were taken. One gateway at a time collects. */
@Injectable()
export class SampleCollector extends RepeatingService {
  private readonly logger = new Logger(SampleCollector.name);
  /** The last stored minute of each place, by `nameOf`. A replica that knows none reads all that the node has. */
  private readonly last = new Map<string, string>();

  constructor(
    private readonly locks: AdvisoryLocksService,
    private readonly nodes: NodeRegistry,
    private readonly commands: WorkerCommandsService,
    private readonly samples: SessionSamplesRepository,
    private readonly viewers: ViewerSamplesRepository,
    @Inject(CLOCK) clock: Clock,
  ) {
    super(clock, pauseMs);
  }

  protected async run(): Promise<void> {
    await this.locks.under('samples', async () => {
      const places = (['sfu', 'transcoder'] as const).flatMap(role => this.placesOf(role));
      const present = new Set(places.map(nameOf));
      for (const name of this.last.keys()) if (!present.has(name)) this.last.delete(name);
      await atMost(readersAtOnce, places, place => this.collect(place));
    });
  }

  private placesOf(role: Role): Place[] {
    return this.nodes.list(role).flatMap(({ nodeID }) => kindsOf[role].map(kind => ({ kind, nodeID })));
  }

  /** A node that does not answer is asked again in the next run. A node of an earlier version has no samples of viewers. */
  private async collect(place: Place): Promise<void> {
    try {
      let isLast = false;
      for (let page = 0; page < pagesInARun && !isLast; page++) isLast = await this.collectPage(place);
    } catch (error) {
      this.logger.debug({ ...place, message: messageOf(error) }, 'cannot collect the samples of a node');
    }
  }

  private async collectPage(place: Place): Promise<boolean> {
    const name = nameOf(place);
    const after = this.last.get(name);
    const { next, isLast } = await this.store(place, after === undefined ? {} : { after });
    if (next !== undefined) this.last.set(name, next);
    return isLast;
  }

  private async store({ kind, nodeID }: Place, query: { after?: string }): Promise<Page> {
    switch (kind) {
      case 'sessions': {
        const page = await this.commands.ask(sfuCommands.readSamples.forNode(nodeID), query);
        await this.samples.store(nodeID, page.minutes);
        return page;
      }
      case 'viewers': {
        const page = await this.commands.ask(sfuCommands.readViewerSamples.forNode(nodeID), query);
        const minutes = page.minutes.map(({ playbackID, ...minute }) => ({ ...minute, resourceID: playbackID }));
        await this.viewers.store('playback', minutes);
        return page;
      }
      case 'hlsViewers': {
        const page = await this.commands.ask(transcoderCommands.readViewerSamples.forNode(nodeID), query);
        const minutes = page.minutes.map(({ broadcastID, ...minute }) => ({ ...minute, resourceID: broadcastID }));
        await this.viewers.store('broadcast', minutes);
        return page;
      }
      default:
        return kind satisfies never;
    }
  }
}

function nameOf({ kind, nodeID }: Place): string {
  return `${kind} ${nodeID}`;
}
