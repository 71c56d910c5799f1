import { audioBitrate, audioRenditionName, type FinishedSegment } from './encoder/encoder.js';
import { framesPerSecond } from './hls/frame-rate.js';
import type { Presentation, RunRendition } from './hls/presentation.js';
import type { SourceProfile } from './hls/source-profile.js';
import type { FeedCodecs } from './source-feed.js';

/** Brings what one encoder run makes into the presentation. */
export class SegmentPublisher {
  private readonly versionBefore: number;
  /** ms since the run's start, by rendition. */
  private readonly positions = new Map<string, number>();

  constructor(
    private readonly presentation: Presentation,
    profile: SourceProfile,
    codecs: FeedCodecs,
    private readonly startsAt: Date,
  ) {
    presentation.beginRun({ renditions: runRenditions(profile, codecs), startsAt });
    this.versionBefore = presentation.version;
  }

  /** Whether players can fetch something of this run. */
  get hasPublished(): boolean {
    return this.presentation.allHaveSegment() && this.presentation.version > this.versionBefore;
  }

  addInit(renditionName: string, bytes: Buffer): Promise<void> {
    return this.presentation.addInit(renditionName, bytes);
  }

  addSegment(renditionName: string, { bytes, durationSeconds }: FinishedSegment): Promise<void> {
    const position = this.positions.get(renditionName) ?? 0;
    this.positions.set(renditionName, position + durationSeconds * 1000);
    const programDateTime = new Date(this.startsAt.getTime() + position);
    return this.presentation.addSegment(renditionName, { bytes, durationSeconds, programDateTime });
  }
}

function runRenditions({ ladder, frameRate }: SourceProfile, { audio }: FeedCodecs): RunRendition[] {
  const video = ladder.map(({ name, width, height, bitrate }): RunRendition => {
    return { kind: 'video', name, width, height, bitrate, frameRate: framesPerSecond(frameRate) };
  });
  if (!audio) return video;
  return [...video, { kind: 'audio', name: audioRenditionName, bitrate: audioBitrate, channels: 2 }];
}
