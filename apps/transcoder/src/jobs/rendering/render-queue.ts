import type { Clock } from '@rtms/clock';
import type { EndReason, RenderRecordingRequest } from '@rtms/contracts';
import type { Logger } from '@rtms/logging';
import type { RecordingStore } from '../../delivery/stores/recording-store.js';
import { FairSlots } from '../thumbnails/fair-slots.js';
import { renderRecording, SourceMissingError, type RenderParts } from './render-recording.js';

export interface RenderQueueParts extends Pick<RenderParts, 'recorder' | 'describe'> {
  store: RecordingStore;
  clock: Clock;
  logger: Logger;
}

interface Directory extends Pick<RenderParts['directory'], 'pathOf' | 'addPart' | 'endPart'> {
  note(change: { stopped: { reason: EndReason; until: string } }): Promise<void>;
}

/** The reason of an abort: the node needs the disk. */
export class RenderGivenUpError extends Error {
  constructor(readonly reason: EndReason) {
    super('the composition is given up');
  }
}

/** Composing takes all cores that broadcasts and recordings in progress leave, so a second one would only slow the first. */
const mostWaiting = 20;
const turns = { slots: 1, slotsPerOwner: 1, waitingPerOwner: mostWaiting, waiting: mostWaiting };
/** 2.6 Mbit/s, a picture of 1080 lines. */
const bytesPerSecond = 330_000;

/** Composes recordings from files, one at a time. Accounts take turns. */
export class RenderQueue {
  readonly most = mostWaiting;
  private readonly turns = new FairSlots(turns);
  private taken = 0;
  private begun = 0;

  constructor(private readonly parts: RenderQueueParts) {}

  /** Compositions that have not ended. */
  get waiting(): number {
    return this.taken;
  }

  get running(): number {
    return this.begun;
  }

  /** Reserves the space of the parts, and of the files that must be copied to the disk of this node. Throws `capacity_reached`. */
  reserve(request: RenderRecordingRequest, budget: { reserveFetch(bytes: number): Promise<() => void> }) {
    const times = request.sources.flatMap(({ spans }) => spans);
    const begins = times.map(({ startedAt }) => Date.parse(startedAt));
    const ends = times.map(({ startedAt, seconds }) => Date.parse(startedAt) + seconds * 1000);
    const seconds = Math.max(0, (Math.max(...ends) - Math.min(...begins)) / 1000);
    const copied = this.parts.store.storage === 'shared' ? request.sources : [];
    const copiedBytes = copied.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    return budget.reserveFetch(copiedBytes + Math.ceil(seconds * bytesPerSecond));
  }

  /** Writes the parts of the recording. Returns the reason of a failure. Never rejects. */
  async render(
    request: RenderRecordingRequest,
    directory: Directory,
    signal: AbortSignal,
  ): Promise<EndReason | undefined> {
    const { logger, clock } = this.parts;
    const { recordingID } = request;
    this.taken += 1;
    try {
      await this.inTurn(request, directory, signal);
      await directory.note({ stopped: { reason: 'requested', until: new Date(clock.now()).toISOString() } });
      signal.throwIfAborted();
      return undefined;
    } catch (err) {
      if (signal.aborted) return signal.reason instanceof RenderGivenUpError ? signal.reason.reason : 'node_drained';
      logger.error({ err, recordingID }, 'cannot compose a recording from files');
      return err instanceof SourceMissingError ? 'source_ended' : 'recorder_failed';
    } finally {
      this.taken -= 1;
    }
  }

  /** An abort ends the wait at once. After an abort of work that has begun, its end is awaited. */
  private inTurn(request: RenderRecordingRequest, directory: Directory, signal: AbortSignal): Promise<void> {
    const render = async () => {
      this.begun += 1;
      try {
        await renderRecording(request, { ...this.parts, directory }, signal);
      } finally {
        this.begun -= 1;
      }
    };
    return this.turns.run(request.accountID, render, signal);
  }
}
