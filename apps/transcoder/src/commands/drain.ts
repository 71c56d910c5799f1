import type { Clock } from '@rtms/clock';
import { NodeDrain, type DrainState, type DrainTimes } from '@rtms/health';
import type { BroadcastsService } from '../jobs/broadcasts.service.js';
import type { RecordingsService } from '../recordings/recordings.service.js';

export interface DrainParts {
  state: DrainState;
  broadcasts: BroadcastsService;
  recordings: RecordingsService;
  times: DrainTimes;
  clock: Clock;
}

/** How this node is emptied: broadcasts wait to be taken over, recordings go on until their time is over. */
export class Drain extends NodeDrain {
  private announce: () => Promise<void> = () => Promise.resolve();

  constructor({ state, broadcasts, recordings, times, clock }: DrainParts) {
    const work = {
      announce: () => this.announce(),
      // The gateway brings broadcasts elsewhere; sources and viewers need not know.
      tell: () => undefined,
      isEmpty: () => broadcasts.isIdle && recordings.isIdle,
      endAll: async () => void (await Promise.all([broadcasts.leaveAll(), recordings.leaveAll()])),
    };
    super(state, work, times, clock);
  }

  /** How the gateway hears of it. */
  announceWith(announce: () => Promise<void>): void {
    this.announce = announce;
  }
}
