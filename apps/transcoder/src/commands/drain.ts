import { NodeDrain, type DrainState } from '@rtms/health';
import type { BroadcastsService } from '../jobs/broadcasts.service.js';
import type { RecordingsService } from '../recordings/recordings.service.js';

export interface DrainParts {
  state: DrainState;
  broadcasts: BroadcastsService;
  recordings: RecordingsService;
  drainSeconds: number;
}

/** How this node is emptied: broadcasts and recordings go on until their time is over, and no new ones come. */
export class Drain extends NodeDrain {
  private announce: () => Promise<void> = () => Promise.resolve();

  constructor({ state, broadcasts, recordings, drainSeconds }: DrainParts) {
    const work = {
      announce: () => this.announce(),
      // Their sources and viewers are told by what happens: another recording begins, a playlist ends.
      tell: () => undefined,
      isEmpty: () => broadcasts.isIdle && recordings.isIdle,
      endAll: async () => void (await Promise.all([broadcasts.leaveAll(), recordings.leaveAll()])),
    };
    super(state, work, drainSeconds);
  }

  /** How the gateway hears of it. */
  announceWith(announce: () => Promise<void>): void {
    this.announce = announce;
  }
}
