import type { PublishedTrack } from '../media/media-engine.js';

/** Whose tracks a feed copies: an external session or a member. */
export interface MediaSource {
  readonly sourceID: string;
  /** What it publishes now, that which counts most of a kind first. */
  readonly liveTracks: readonly PublishedTrack[];
}

export async function requestKeyframes({ liveTracks }: MediaSource): Promise<void> {
  for (const track of liveTracks) if (track.kind === 'video') await track.requestKeyframe();
}
