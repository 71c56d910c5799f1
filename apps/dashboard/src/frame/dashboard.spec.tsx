/** @jest-environment jsdom */
import {
  administrator,
  owner,
  refusal,
  renderDashboard,
  screen,
  waitFor,
  within,
} from '../testing/render-dashboard.js';

const sessionRoute = 'GET /dashboard/api/session';

describe('the dashboard', () => {
  it('reads the session again on request after a failure', async () => {
    const { service, user } = renderDashboard('/domains', service =>
      service.on(sessionRoute, () => refusal(403, 'any', 'Not from this origin.')),
    );
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Not from this origin.');
    service.on(sessionRoute, { success: true, session: owner }).onList('/v1/domains', 'domains', []);
    await user.click(within(alert).getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'Domains' })).toBeTruthy();
  });

  it('says that the service does not answer when the connection fails', async () => {
    renderDashboard('/domains', service => service.on(sessionRoute, () => Promise.reject(new TypeError('no route'))));
    expect((await screen.findByRole('alert')).textContent).toContain('The service does not answer.');
  });

  it('asks to sign in again when the session ends, and forgets the data', async () => {
    const { service, user } = renderDashboard('/domains', service =>
      service.onList('/v1/domains', 'domains', [
        { domainID: 'd1', domain: 'app.example.com', enabled: true, createdAt: '2026-01-01T00:00:00.000Z' },
      ]),
    );
    await screen.findByText('app.example.com');
    service.on('POST /v1/domains', () => refusal(401, 'invalid_credentials', 'Sign in again.'));
    await user.click(screen.getByRole('button', { name: 'Delete app.example.com' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByRole('heading', { name: 'Sign in to the dashboard' })).toBeTruthy();
    expect(screen.queryByText('app.example.com')).toBeNull();
    expect(window.location.pathname).toBe('/dashboard/domains');
  });
});

describe('the pages', () => {
  it('open by the navigation, which marks the current one', async () => {
    const { user } = renderDashboard('/domains', service =>
      service.onList('/v1/domains', 'domains', []).onList('/v1/agents', 'agents', []),
    );
    await screen.findByRole('heading', { name: 'Domains' });
    const navigation = within(screen.getByRole('navigation', { name: 'Pages' }));
    expect(navigation.getByRole('link', { name: 'Domains' }).getAttribute('aria-current')).toBe('page');
    await user.click(navigation.getByRole('link', { name: 'Agents' }));
    expect(await screen.findByRole('heading', { name: 'Agents' })).toBeTruthy();
    expect(window.location.pathname).toBe('/dashboard/agents');
    expect(navigation.getByRole('link', { name: 'Domains' }).getAttribute('aria-current')).toBeNull();
    expect(document.activeElement?.id).toBe('content');
  });

  it('show a page for unknown addresses that links to the start', async () => {
    renderDashboard('/no-such-page');
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Back to the start' }).getAttribute('href')).toBe('/dashboard/');
  });

  it.each([
    ['the platform by an owner', '/accounts', owner, 'Domains'],
    ['an account by an administrator', '/domains', administrator, 'Accounts'],
  ])('of %s are not found', async (_case, path, session, own) => {
    const { service } = renderDashboard(path, undefined, session);
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy();
    expect(screen.getByRole('link', { name: own })).toBeTruthy();
    expect(service.requests.map(({ path: asked }) => asked)).toEqual(['/dashboard/api/session']);
  });
});

describe('the switch of the environment', () => {
  it('shows both environments first, then sends the chosen one with each request and refetches', async () => {
    const { service, user } = renderDashboard('/domains', service => service.onList('/v1/domains', 'domains', []));
    await screen.findByText('No domains yet');
    const environments = () => service.to('GET /v1/domains').map(({ headers }) => headers['X-RTMS-Environment']);
    expect(environments()).toEqual([undefined]);
    const [shown] = screen.getAllByRole('radio', { name: 'Production' });
    await user.click(shown!);
    await waitFor(() => expect(environments()).toEqual([undefined, 'production']));
    expect(service.to(sessionRoute)).toHaveLength(1);
  });
});
