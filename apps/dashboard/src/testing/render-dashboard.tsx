import './browser.js';
import { MantineProvider } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import type { DashboardSession } from '@rtms/contracts';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { cleanup, configure, render } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { Router } from 'wouter';
import { Dashboard } from '../frame/dashboard.js';
import { createQueryClient } from '../frame/query-client.js';
import { theme } from '../theme.js';
import { FakeEvents } from './fake-events.js';
import { FakeService } from './fake-service.js';

export { screen, waitFor, within } from '@testing-library/react';
export { FakeEvents } from './fake-events.js';
export { refusal, type FakeService } from './fake-service.js';

configure({
  // Queries run again after each change of the page. The limit only ends a failing test, also on a slow machine.
  asyncUtilTimeout: 60_000,
  // Without style sheets hardly anything is hidden, and checking for it would take most of the time of a query.
  defaultHidden: true,
  getElementError: message => new Error(message ?? 'There is no such element.'),
});

const { error } = console;
// Pages also change by timers and answers while a test awaits something else. React's warnings of that would hide all other output.
Object.assign(console, {
  error: (...parts: unknown[]) => {
    if (!String(parts[0]).includes('was not wrapped in act')) error(...parts);
  },
});

export const owner: DashboardSession = {
  user: { userID: 'u1', email: 'ada@example.com', role: 'owner', totpEnabled: false },
  account: { accountID: 'a1', name: 'Example', apiUserName: 'example' },
  csrfToken: 'csrf-1',
  expiresAt: '2030-01-01T00:00:00.000Z',
  idleExpiresAt: '2030-01-01T00:00:00.000Z',
};

export const administrator: DashboardSession = {
  ...owner,
  user: { ...owner.user, email: 'root@example.com', role: 'administrator' },
  account: null,
};

let shown: { service: FakeService; close: () => void } | undefined;

/** Removes the page and its data, and fails the test after a request that no route answers. */
afterEach(() => {
  const unexpected = shown?.service.unexpected ?? [];
  shown?.close();
  shown = undefined;
  expect(unexpected).toEqual([]);
});

export interface ShownDashboard {
  service: FakeService;
  user: UserEvent;
  /** For what the page keeps without showing it. */
  client: QueryClient;
}

/**
 * Shows the whole dashboard at a path below `/dashboard`, signed in as `session`. `prepare` adds the answers of the gateway, except
 * for the session.
 */
export function renderDashboard(
  path: string,
  prepare: (service: FakeService) => void = () => undefined,
  session: DashboardSession | null = owner,
): ShownDashboard {
  localStorage.clear();
  FakeEvents.install();
  const service = new FakeService().install();
  service.on('GET /dashboard/api/session', { success: true, session });
  service.on('GET /dashboard/api/setup', { success: true, setup: { isEmpty: false } });
  prepare(service);
  window.history.replaceState(null, '', `/dashboard${path}`);
  const client = createQueryClient();
  // Tests of failures do not wait for retries.
  const defaults = client.getDefaultOptions();
  client.setDefaultOptions({ ...defaults, queries: { ...defaults.queries, retryDelay: 0 } });
  render(
    <MantineProvider theme={theme} env="test">
      {/* A test may look for a message later than its four seconds. */}
      <Notifications autoClose={false} />
      <QueryClientProvider client={client}>
        <Router base="/dashboard">
          <Dashboard />
        </Router>
      </QueryClientProvider>
    </MantineProvider>,
  );
  const close = () => {
    cleanup();
    client.clear();
    notifications.clean();
  };
  shown = { service, close };
  return { service, user: userEvent.setup({ delay: null }), client };
}
