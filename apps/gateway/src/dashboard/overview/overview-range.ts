import { ServiceError, type OverviewBucket } from '@rtms/contracts';
import type { GetOverviewDto } from './get-overview.dto.js';

const bucketSeconds: Readonly<Record<OverviewBucket, number>> = { minute: 60, hour: 3600, day: 86_400 };
const defaultMs = 24 * 3_600_000;
const maxBuckets = 750;

/** Times in ms since 1970. */
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

/** The starts of all buckets. */
export function bucketStarts({ start, bucketMs, to }: OverviewRange): number[] {
  return Array.from({ length: Math.ceil((to - start) / bucketMs) }, (_, index) => start + index * bucketMs);
}
