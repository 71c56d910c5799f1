import { Injectable } from '@nestjs/common';
import { longestHlsMinute, longestPackedMinute, type ViewerMinute } from '@rtms/contracts';
import { DataSource } from 'typeorm';

/** A part of the viewers of a playback or a broadcast, by identifier. */
export interface ViewersPage {
  resourceID: string;
  /** Times in ms since 1970. Minutes from `from` until before `to`. */
  from: number;
  to: number;
  afterViewer: string;
  viewers: number;
}

/** The table with the minutes of one kind of viewers. */
interface SamplesTable {
  table: string;
  /** The resources that the viewers watch, and the column that names one. */
  resources: string;
  column: string;
  longest: number;
}

const whep = { table: 'viewer_samples', resources: 'playbacks', column: 'playback_id', longest: longestPackedMinute };
const hls = { table: 'hls_viewer_samples', resources: 'broadcasts', column: 'broadcast_id', longest: longestHlsMinute };
const tables = { playback: whep, broadcast: hls } satisfies Record<string, SamplesTable>;

/** The kinds of resources that viewers watch. */
type Watched = keyof typeof tables;

/** The packed samples of a viewer in one minute. */
export type Minute = Pick<ViewerMinute, 'viewerID' | 'minute' | 'samples'>;

interface StoredMinute {
  viewer_id: string;
  minute: Date;
  samples: number[];
}

/** Samples of viewers: a row a minute and viewer. */
@Injectable()
export class ViewerSamplesRepository {
  constructor(private readonly dataSource: DataSource) {}

  async store(watched: Watched, minutes: readonly (Minute & { resourceID: string })[]): Promise<void> {
    const place = tables[watched];
    const given = minutes
      .filter(each => isPlausible(each, place.longest))
      .map(({ resourceID, viewerID, minute, samples }) => {
        return { resource_id: resourceID, viewer_id: viewerID, minute, samples };
      });
    if (given.length > 0) await this.dataSource.query(storeStatement(place), [JSON.stringify(given)]);
  }

  /** The minutes of the first viewers behind `afterViewer`, oldest first. */
  async list(watched: Watched, { resourceID, from, to, afterViewer, viewers }: ViewersPage): Promise<Minute[]> {
    const parameters = [resourceID, new Date(from), new Date(to), afterViewer, viewers];
    const rows = await this.dataSource.query<StoredMinute[]>(pageStatement(tables[watched]), parameters);
    return rows.map(({ viewer_id: viewerID, minute, samples }) => ({ viewerID, minute: minute.getTime(), samples }));
  }
}

/**
 * A known minute stays as it is, see `SessionSamplesRepository`. The rows of a deleted resource are left out. Each row locks its resource, so
 * their order is that of `lockRows`.
 */
function storeStatement({ table, resources, column }: SamplesTable): string {
  return `
INSERT INTO ${table} (${column}, minute, viewer_id, samples)
SELECT ${resources}.id, to_timestamp(given.minute / 1000.0), given.viewer_id, given.samples
FROM jsonb_to_recordset($1::jsonb) AS given(resource_id text, viewer_id text, minute bigint, samples smallint[])
JOIN ${resources} ON ${resources}.id = given.resource_id
ORDER BY ${resources}.id
ON CONFLICT DO NOTHING`;
}

function pageStatement({ table, column }: SamplesTable): string {
  const within = `${column} = $1 AND minute >= $2 AND minute < $3`;
  return `
SELECT viewer_id, minute, samples FROM ${table}
WHERE ${within} AND viewer_id = ANY(ARRAY(
  SELECT DISTINCT viewer_id FROM ${table} WHERE ${within} AND viewer_id > $4 ORDER BY viewer_id LIMIT $5))
ORDER BY minute`;
}

/** One row that cannot be stored would fail the whole page, again and again. */
function isPlausible({ viewerID, minute, samples }: Minute, longest: number): boolean {
  const areSmall = samples.every(each => Number.isInteger(each) && Math.abs(each) <= 32_767);
  return /^vwr_[\w-]{1,60}$/.test(viewerID) && Number.isSafeInteger(minute) && samples.length <= longest && areSmall;
}
