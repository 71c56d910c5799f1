/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { dashboardEventKinds } from '@rtms/contracts';
import {
  administrator,
  FakeEvents,
  renderDashboard,
  screen,
  waitFor,
  type FakeService,
} from '../testing/render-dashboard.js';

const prepare = (service: FakeService) => void service.onList('/v1/domains', 'domains', []);

async function showDomains() {
  const { service } = renderDashboard('/domains', prepare);
  await screen.findByText('No domains yet');
  return {
    fetched: () => service.to('GET /v1/domains').length,
    waitForFetches: (times: number) => waitFor(() => expect(service.to('GET /v1/domains')).toHaveLength(times)),
  };
}

describe('the live updates of a page', () => {
  it('come by one stream of events', async () => {
    await showDomains();
    expect(FakeEvents.opened.map(({ url }) => url)).toEqual(['/dashboard/api/events']);
  });

  it('refetch nothing when the stream begins', async () => {
    const { fetched, waitForFetches } = await showDomains();
    FakeEvents.current.ready();
    expect(fetched()).toBe(1);
    FakeEvents.current.change('domain');
    await waitForFetches(2);
  });

  it('refetch everything when the stream returns after a break', async () => {
    const { waitForFetches } = await showDomains();
    FakeEvents.current.ready();
    FakeEvents.current.lose();
    FakeEvents.current.ready();
    await waitForFetches(2);
  });

  it('refetch only the changed kinds', async () => {
    const { fetched, waitForFetches } = await showDomains();
    FakeEvents.current.ready();
    FakeEvents.current.change('room', 'agent');
    expect(fetched()).toBe(1);
    FakeEvents.current.change('room', 'domain');
    await waitForFetches(2);
  });

  it('refetch what was read before the change, but is not shown yet', async () => {
    let answer!: () => void;
    const body = { success: true, domains: [], total: 0, startIndex: 0, pageSize: 10 };
    const slow = new Promise<{ body: object }>(resolve => (answer = () => resolve({ body })));
    const { service } = renderDashboard('/domains', domains => domains.on('GET /v1/domains', () => slow));
    await waitFor(() => expect(service.to('GET /v1/domains')).toHaveLength(1));
    FakeEvents.current.ready();
    FakeEvents.current.change('domain');
    FakeEvents.current.change('domain');
    answer();
    await screen.findByText('No domains yet');
    await waitFor(() => expect(service.to('GET /v1/domains')).toHaveLength(2));
  });

  it('refetch the overview when its counts change', async () => {
    const { service } = renderDashboard('/balance', balance => {
      balance.on('GET /v1/balance', () => ({ status: 403, body: {} }));
      balance.on('GET /dashboard/api/overview', () => ({ status: 403, body: {} }));
      balance.on('GET /dashboard/api/entitlements', () => ({ status: 403, body: {} }));
    });
    await waitFor(() => expect(service.to('GET /dashboard/api/overview')).toHaveLength(1));
    await screen.findAllByRole('alert');
    FakeEvents.current.ready();
    FakeEvents.current.change('participant');
    await waitFor(() => expect(service.to('GET /dashboard/api/overview')).toHaveLength(2));
    expect(service.to('GET /v1/balance')).toHaveLength(1);
  });

  it('are off for an administrator, who has no account', async () => {
    renderDashboard('/features', service => service.on('GET /admin/v1/features', { features: {} }), administrator);
    await screen.findByRole('heading', { name: 'Features' });
    expect(FakeEvents.opened).toEqual([]);
  });
});

describe('the live updates without a stream', () => {
  it('poll every ten seconds until the stream is open', async () => {
    const { useLiveUpdates } = await import('./live-updates.js');
    const { QueryClient, QueryClientProvider } = await import('@tanstack/react-query');
    const { renderHook } = await import('@testing-library/react');
    jest.useFakeTimers();
    try {
      FakeEvents.install();
      const client = new QueryClient();
      const invalidated = jest.spyOn(client, 'invalidateQueries');
      const { unmount } = renderHook(useLiveUpdates, {
        wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
      });
      jest.advanceTimersByTime(9_999);
      expect(invalidated).not.toHaveBeenCalled();
      jest.advanceTimersByTime(1);
      const kinds = invalidated.mock.calls.map(([filters]) => filters?.queryKey?.[0]);
      expect(kinds).toEqual(expect.arrayContaining([...dashboardEventKinds, 'overview', 'log']));
      invalidated.mockClear();
      FakeEvents.current.ready();
      jest.advanceTimersByTime(60_000);
      expect(invalidated).not.toHaveBeenCalled();
      unmount();
      expect(FakeEvents.opened.map(({ readyState }) => readyState)).toEqual([2]);
      jest.advanceTimersByTime(60_000);
      expect(invalidated).not.toHaveBeenCalled();
    } finally {
      jest.useRealTimers();
    }
  });
});
