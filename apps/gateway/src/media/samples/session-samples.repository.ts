import { Injectable } from '@nestjs/common';
import type { SampledMinute, SessionSample } from '@rtms/contracts';
import { DataSource } from 'typeorm';

/** The values of a sample in the order of the column. The first is the time in seconds since the start of the minute. */
type StoredSample = [number, number, number, number, number | null, number | null];
const width = 6;

interface StoredMinute {
  minute: Date;
  samples: (number | null)[];
}

/** A node gives a minute to another replica again after the first one stopped, so a known minute stays as it is. */
const storeStatement = `
INSERT INTO session_samples (session_id, minute, node_id, samples)
SELECT given.session_id, to_timestamp(given.minute / 1000.0), $1, given.samples
FROM jsonb_to_recordset($2::jsonb) AS given(session_id text, minute bigint, samples real[])
ON CONFLICT DO NOTHING`;

const listStatement = `
SELECT minute, samples FROM session_samples WHERE session_id = $1 AND minute >= $2 AND minute < $3 ORDER BY minute`;

/** The samples of external sessions: a row a minute and node. */
@Injectable()
export class SessionSamplesRepository {
  constructor(private readonly dataSource: DataSource) {}

  async store(nodeID: string, minutes: readonly SampledMinute[]): Promise<void> {
    if (minutes.length === 0) return;
    const given = minutes.map(({ sessionID, minute, samples }) => ({
      session_id: sessionID,
      minute,
      samples: samples.flatMap(sample => packed(sample, minute)),
    }));
    await this.dataSource.query(storeStatement, [nodeID, JSON.stringify(given)]);
  }

  /** The samples of the minutes from `from` to `to`, oldest first. Times are in ms since 1970. */
  async list(sessionID: string, from: number, to: number): Promise<SessionSample[]> {
    const parameters = [sessionID, new Date(from), new Date(to)];
    const rows = await this.dataSource.query<StoredMinute[]>(listStatement, parameters);
    return rows.flatMap(unpacked).sort((one, other) => one.at - other.at);
  }
}

function packed(sample: SessionSample, minute: number): StoredSample {
  const { at, bitrate, fractionLost, jitterMs, roundTripMs, frameRate } = sample;
  return [(at - minute) / 1000, bitrate, fractionLost, jitterMs, roundTripMs, frameRate];
}

function unpacked({ minute, samples }: StoredMinute): SessionSample[] {
  return Array.from({ length: samples.length / width }, (_, index) => {
    const values = samples.slice(index * width, (index + 1) * width) as StoredSample;
    const [seconds, bitrate, fractionLost, jitterMs, roundTripMs, frameRate] = values;
    return { at: minute.getTime() + seconds * 1000, bitrate, fractionLost, jitterMs, roundTripMs, frameRate };
  });
}
