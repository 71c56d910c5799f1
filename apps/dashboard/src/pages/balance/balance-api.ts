import type { EntitlementsAnswer, OverviewAnswer } from '@rtms/contracts';
import { useQuery } from '@tanstack/react-query';
import { shownKey } from '../../api/query-keys.js';
import type { ApiRecord } from '../../api/records.js';
import { dashboardRequest, request } from '../../api/request.js';

export type Balance = ApiRecord<'Balance'>;

const refetchMs = 30_000;
const usedSpanMs = 30 * 24 * 3_600_000;

export function useBalance() {
  return useQuery({
    queryKey: shownKey('balance'),
    queryFn: async ({ signal }) => {
      const query = { action: 'get' };
      return (await request<{ balance: Balance }>('GET', '/v1/balance', { query, signal })).balance;
    },
    refetchInterval: refetchMs,
  });
}

/** What the account may use at all. */
export function useEntitlements() {
  return useQuery({
    queryKey: shownKey('entitlements'),
    queryFn: async ({ signal }) =>
      (await dashboardRequest<EntitlementsAnswer>('GET', '/entitlements', { signal })).entitlements,
  });
}

/** What ran in the last 30 days. */
export function useUsedMinutes() {
  return useQuery({
    queryKey: shownKey('overview', 'used'),
    queryFn: async ({ signal }) => {
      const to = Date.now();
      const query = { from: new Date(to - usedSpanMs).toISOString(), to: new Date(to).toISOString(), bucket: 'day' };
      const { overview } = await dashboardRequest<OverviewAnswer>('GET', '/overview', { query, signal });
      const sumOf = (name: 'participantMinutes' | 'recordingMinutes') =>
        Math.round(overview.points.reduce((sum, point) => sum + point[name], 0));
      return { meeting: sumOf('participantMinutes'), recording: sumOf('recordingMinutes') };
    },
    refetchInterval: refetchMs,
  });
}
