import type { TrackStatistics } from '@rtms/contracts';
import type { PublishedTrack } from '../media/media-engine.js';
import { codecNameOf } from './codec-name.js';

/** undefined when it ends meanwhile. */
export async function statisticsOf(track: PublishedTrack): Promise<TrackStatistics | undefined> {
  const { trackID, kind, codec } = track;
  try {
    return { trackID, kind, codec: codecNameOf(codec), ...(await track.reception()) };
  } catch (error) {
    if (track.state === 'ended') return undefined;
    throw error;
  }
}
