import { audioBitrate, audioRenditionName, type FinishedPart, type FinishedSegment } from '../../encoder/encoder.js';
import { framesPerSecond } from '../../rtp/frame-rate.js';
import type { Presentation } from '../../delivery/presentation/presentation.js';
import type { RunRendition, SegmentSet } from '../../delivery/presentation/run-segments.js';
import type { SourceProfile } from './source-profile.js';
import type { FeedCodecs } from '../../rtp/source-feed.js';

export interface StartedRun extends SourceProfile {
  startsAt: Date;
  /** Number of the run in the broadcast. */
  order: number;
  isSlate?: true;
}

/**
 * Adds the output of one encoder run to the presentation. The run starts there with its first init segment, so that the former run
 * can still add its last segments.
 */
export class SegmentPublisher {
  /** The last listed segments at the start of the run. */
  private before: { newest: SegmentSet | undefined } | undefined;
  /** ms since the start of the run, by rendition. */
  private readonly positions = new Map<string, number>();

  constructor(
    private readonly presentation: Presentation,
    private readonly run: StartedRun,
    private readonly codecs: FeedCodecs,
  ) {}

  get order(): number {
    return this.run.order;
  }

  /** Whether players can fetch a segment of this run. */
  get hasPublished(): boolean {
    return this.before !== undefined && this.presentation.newest !== this.before.newest;
  }

  addInit(renditionName: string, bytes: Buffer): Promise<void> {
    if (!this.before) this.begin();
    return this.presentation.addInit(renditionName, bytes);
  }

  private begin(): void {
    const { presentation, run, codecs } = this;
    presentation.beginRun({ renditions: runRenditions(run, codecs), startsAt: run.startsAt });
    if (run.isSlate) presentation.pace.beginSlate();
    this.before = { newest: presentation.newest };
  }

  addPart(renditionName: string, part: FinishedPart): Promise<void> {
    this.presentation.addPart(renditionName, { ...part, programDateTime: this.timeOf(renditionName) });
    return Promise.resolve();
  }

  addSegment(renditionName: string, { bytes, durationSeconds }: FinishedSegment): Promise<void> {
    const programDateTime = this.timeOf(renditionName);
    this.positions.set(renditionName, (this.positions.get(renditionName) ?? 0) + durationSeconds * 1000);
    return this.presentation.addSegment(renditionName, { bytes, durationSeconds, programDateTime });
  }

  /** Of the beginning of the segment that the encoder writes now. */
  private timeOf(renditionName: string): Date {
    return new Date(this.run.startsAt.getTime() + (this.positions.get(renditionName) ?? 0));
  }
}

function runRenditions({ ladder, frameRate }: SourceProfile, { audio }: FeedCodecs): RunRendition[] {
  const video = ladder.map(({ name, label, width, height, bitrate }): RunRendition => {
    return { kind: 'video', name, label, width, height, bitrate, frameRate: framesPerSecond(frameRate) };
  });
  if (!audio) return video;
  return [...video, { kind: 'audio', name: audioRenditionName, bitrate: audioBitrate, channels: 2 }];
}
