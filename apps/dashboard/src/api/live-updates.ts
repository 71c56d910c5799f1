import { dashboardApi, dashboardEventKinds, type DashboardEvent, type DashboardEventKind } from '@rtms/contracts';
import { useQueryClient, type Query, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** The interval of polling while the event stream is down. */
const pollMs = 10_000;

/** Other kinds of cached data that an event of a kind makes stale. */
const alsoShownBy: Partial<Record<DashboardEventKind, string[]>> = {
  room: ['overview', 'log'],
  externalSession: ['overview', 'room'],
  playback: ['overview'],
  broadcast: ['overview'],
  recording: ['overview'],
  participant: ['overview', 'room'],
  balance: ['overview'],
};

/** Refetches the shown data after each event, and polls while the event stream is down. */
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

const askedTwice = new WeakSet<Query>();

function refetch(client: QueryClient, kinds: readonly DashboardEventKind[]): void {
  const shown = new Set(kinds.flatMap(kind => [kind, ...(alsoShownBy[kind] ?? [])]));
  for (const kind of shown) {
    for (const query of client.getQueryCache().findAll({ queryKey: [kind], predicate: isFirst }))
      askAfter(client, query);
    void client.invalidateQueries({ queryKey: [kind] });
  }
}

/** Whether the query waits for its first answer. */
function isFirst({ state }: Query): boolean {
  return state.data === undefined && state.fetchStatus !== 'idle';
}

/** The first answer may be older than the change, and react-query does not ask again while it waits for that one. */
function askAfter(client: QueryClient, query: Query): void {
  if (askedTwice.has(query)) return;
  askedTwice.add(query);
  const ask = (): void => {
    askedTwice.delete(query);
    void client.invalidateQueries({ queryKey: query.queryKey, exact: true });
  };
  query.promise?.then(ask, ask);
}
