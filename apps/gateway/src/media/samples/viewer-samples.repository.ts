import { Injectable } from '@nestjs/common';
import { longestPackedMinute, type ViewerMinute } from '@rtms/contracts';
import { DataSource } from 'typeorm';

/** A part of the viewers of a playback, by identifier. */
export interface ViewersPage {
  playbackID: string;
  /** Times in ms since 1970. Minutes from `from` until before `to`. */
  from: number;
  to: number;
  afterViewer: string;
  viewers: number;
}

/** A known minute stays as it is, see `SessionSamplesRepository`. The rows of a deleted playback are left out. */
const storeStatement = `
INSERT INTO viewer_samples (playback_id, minute, viewer_id, samples)
SELECT playbacks.id, to_timestamp(given.minute / 1000.0), given.viewer_id, given.samples
FROM jsonb_to_recordset($1::jsonb) AS given(playback_id text, viewer_id text, minute bigint, samples smallint[])
JOIN playbacks ON playbacks.id = given.playback_id
ON CONFLICT DO NOTHING`;

const pageStatement = `
SELECT viewer_id, minute, samples FROM viewer_samples
WHERE playback_id = $1 AND minute >= $2 AND minute < $3 AND viewer_id = ANY(ARRAY(
  SELECT DISTINCT viewer_id FROM viewer_samples
  WHERE playback_id = $1 AND minute >= $2 AND minute < $3 AND viewer_id > $4 ORDER BY viewer_id LIMIT $5))
ORDER BY minute`;

interface StoredMinute {
  viewer_id: string;
  minute: Date;
  samples: number[];
}

/** The samples of viewers: a row a minute and viewer. */
@Injectable()
export class ViewerSamplesRepository {
  constructor(private readonly dataSource: DataSource) {}

  async store(minutes: readonly ViewerMinute[]): Promise<void> {
    const given = minutes.filter(isPlausible).map(({ playbackID, viewerID, minute, samples }) => {
      return { playback_id: playbackID, viewer_id: viewerID, minute, samples };
    });
    if (given.length > 0) await this.dataSource.query(storeStatement, [JSON.stringify(given)]);
  }

  /** The minutes of the first viewers behind `afterViewer`, oldest first. */
  async list({ playbackID, from, to, afterViewer, viewers }: ViewersPage): Promise<ViewerMinute[]> {
    const parameters = [playbackID, new Date(from), new Date(to), afterViewer, viewers];
    const rows = await this.dataSource.query<StoredMinute[]>(pageStatement, parameters);
    return rows.map(({ viewer_id: viewerID, minute, samples }) => {
      return { playbackID, viewerID, minute: minute.getTime(), samples };
    });
  }
}

/** One row that cannot be stored would fail the whole page, again and again. */
function isPlausible({ viewerID, minute, samples }: ViewerMinute): boolean {
  const areSmall = samples.every(each => Number.isInteger(each) && Math.abs(each) <= 32_767);
  return /^vwr_[\w-]{1,60}$/.test(viewerID) && Number.isSafeInteger(minute) && isShort(samples) && areSmall;
}

function isShort(samples: readonly number[]): boolean {
  return samples.length <= longestPackedMinute;
}
