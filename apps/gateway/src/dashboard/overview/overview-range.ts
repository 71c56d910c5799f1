import { ServiceError, type OverviewBucket, type OverviewPoint } from '@rtms/contracts';
import type { GetOverviewDto } from './overview.dto.js';

const bucketSeconds: Readonly<Record<OverviewBucket, number>> = { minute: 60, hour: 3600, day: 86_400 };
const defaultMs = 24 * 3_600_000;
const maxBuckets = 750;

/** The period of the points. Times are in milliseconds since 1970. */
export interface OverviewRange {
  bucket: OverviewBucket;
  bucketMs: number;
  /** The start of the first bucket. */
  start: number;
  from: number;
  to: number;
}

export function overviewRange({ from, to, bucket = 'hour' }: GetOverviewDto, now: number): OverviewRange {
  const end = to === undefined ? now : Date.parse(to);
  const begin = from === undefined ? end - defaultMs : Date.parse(from);
  const bucketMs = bucketSeconds[bucket] * 1000;
  const start = Math.floor(begin / bucketMs) * bucketMs;
  if (begin >= end) throw new ServiceError('invalid_request', 'from must be before to.');
  if ((end - start) / bucketMs > maxBuckets) {
    throw new ServiceError('invalid_request', `From ${bucket} to ${bucket}, that is more than ${maxBuckets} buckets.`);
  }
  return { bucket, bucketMs, start, from: begin, to: end };
}

/** The amount of one thing in one bucket. */
export interface BucketRow {
  /** The start of the bucket in milliseconds since 1970. */
  start: number;
  what: 'participantMs' | 'recordingMs' | 'rooms' | 'sessions' | 'broadcasts';
  amount: number;
}

/** Returns a point for each bucket of the range. */
export function pointsOf(rows: readonly BucketRow[], { start, bucketMs, to }: OverviewRange): OverviewPoint[] {
  const amounts = new Map(rows.map(row => [`${row.start} ${row.what}`, row.amount]));
  const starts = Array.from({ length: Math.ceil((to - start) / bucketMs) }, (_, index) => start + index * bucketMs);
  return starts.map(each => pointOf(each, what => amounts.get(`${each} ${what}`) ?? 0));
}

function pointOf(start: number, amountOf: (what: BucketRow['what']) => number): OverviewPoint {
  return {
    start: new Date(start).toISOString(),
    participantMinutes: minutes(amountOf('participantMs')),
    recordingMinutes: minutes(amountOf('recordingMs')),
    roomsCreated: amountOf('rooms'),
    externalSessionsCreated: amountOf('sessions'),
    broadcastsCreated: amountOf('broadcasts'),
  };
}

/** Rounded to a hundredth of a minute. */
function minutes(ms: number): number {
  return Math.round(ms / 600) / 100;
}
