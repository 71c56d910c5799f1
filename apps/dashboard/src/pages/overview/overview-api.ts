import type { OverviewAnswer, OverviewBucket } from '@rtms/contracts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { shownKey } from '../../api/query-keys.js';
import { dashboardRequest } from '../../api/request.js';

const minuteMs = 60_000;

/** How far back, and in what steps. */
const ranges = {
  hour: { spanMs: 60 * minuteMs, bucket: 'minute' },
  day: { spanMs: 24 * 60 * minuteMs, bucket: 'hour' },
  month: { spanMs: 30 * 24 * 60 * minuteMs, bucket: 'day' },
} as const satisfies Record<string, { spanMs: number; bucket: OverviewBucket }>;

export type Range = keyof typeof ranges;
export const rangeNames = Object.keys(ranges) as Range[];

const refetchMs = 15_000;

export function useOverview(range: Range) {
  return useQuery({
    queryKey: shownKey('overview', range),
    queryFn: async ({ signal }) => {
      const { spanMs, bucket } = ranges[range];
      const to = Date.now();
      const query = { from: new Date(to - spanMs).toISOString(), to: new Date(to).toISOString(), bucket };
      const { overview } = await dashboardRequest<OverviewAnswer>('GET', '/overview', { query, signal });
      return overview;
    },
    placeholderData: keepPreviousData,
    refetchInterval: refetchMs,
  });
}
