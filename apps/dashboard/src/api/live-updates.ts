import { dashboardApi, dashboardEventKinds, type DashboardEvent, type DashboardEventKind } from '@rtms/contracts';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** While no events come. */
const pollMs = 10_000;

/** What else shows something of these. */
const alsoShownBy: Partial<Record<DashboardEventKind, string[]>> = {
  room: ['overview', 'log'],
  externalSession: ['overview', 'room'],
  playback: ['overview'],
  broadcast: ['overview'],
  recording: ['overview'],
  participant: ['overview', 'room'],
  balance: ['overview'],
};

/** Fetches what a page shows again when the service says that it changed, and every few seconds while it cannot say so. */
export function useLiveUpdates(): void {
  const client = useQueryClient();
  useEffect(() => {
    const source = new EventSource(`${dashboardApi}/events`);
    const poll = setInterval(() => {
      if (source.readyState !== EventSource.OPEN) refetch(client, dashboardEventKinds);
    }, pollMs);
    let readyBefore = false;
    source.addEventListener('ready', () => {
      if (readyBefore) refetch(client, dashboardEventKinds);
      readyBefore = true;
    });
    source.addEventListener('change', ({ data }: MessageEvent<string>) => {
      const { changes } = JSON.parse(data) as DashboardEvent;
      refetch(
        client,
        changes.map(({ kind }) => kind),
      );
    });
    return () => {
      clearInterval(poll);
      source.close();
    };
  }, [client]);
}

function refetch(client: QueryClient, kinds: readonly DashboardEventKind[]): void {
  const shown = new Set(kinds.flatMap(kind => [kind, ...(alsoShownBy[kind] ?? [])]));
  for (const kind of shown) void client.invalidateQueries({ queryKey: [kind] });
}
