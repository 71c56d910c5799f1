/** @jest-environment jsdom */
import { owner, refusal, renderDashboard, screen, type FakeService } from '../testing/render-dashboard.js';

const route = 'POST /dashboard/api/session';

function signedOut(path: string, prepare: (service: FakeService) => void = () => undefined) {
  return renderDashboard(path, prepare, null);
}

async function signIn(
  user: ReturnType<typeof renderDashboard>['user'],
  email = 'ada@example.com',
  password = 'secret',
) {
  if (email !== '') await user.type(await screen.findByLabelText('Email'), email);
  if (password !== '') await user.type(await screen.findByLabelText('Password'), password);
  await user.click(await screen.findByRole('button', { name: 'Sign in' }));
}

describe('the sign-in', () => {
  it('names the empty fields, and sends nothing', async () => {
    const { service, user } = signedOut('/');
    await signIn(user, '', '');
    expect(await screen.findByText('Enter your email.')).toBeTruthy();
    expect(screen.getByText('Enter your password.')).toBeTruthy();
    expect(service.to(route)).toEqual([]);
  });

  it('leads to the requested page, and sends the CSRF token with later requests', async () => {
    const { service, user } = signedOut('/domains', service => {
      service.onList('/v1/domains', 'domains', []);
      service.on(route, () => ({ status: 201, body: { success: true, session: { ...owner, csrfToken: 'csrf-2' } } }));
      service.on('DELETE /dashboard/api/session', { success: true, signedOut: true });
    });
    await signIn(user);
    expect(await screen.findByRole('heading', { name: 'Domains' })).toBeTruthy();
    expect(service.bodiesTo(route)).toEqual([{ email: 'ada@example.com', password: 'secret' }]);
    await user.click(screen.getByRole('button', { name: 'AD: your account' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Sign out' }));
    expect(await screen.findByRole('button', { name: 'Sign in' })).toBeTruthy();
    expect(service.to('DELETE /dashboard/api/session')[0]?.headers).toMatchObject({ 'X-CSRF-Token': 'csrf-2' });
  });

  it('asks for a code when the user has a second factor, and sends it with the same password', async () => {
    const { service, user } = signedOut('/domains', service => {
      service.onList('/v1/domains', 'domains', []);
      service.on(route, ({ body }: { body: unknown }) =>
        (body as { code?: string }).code === '123456'
          ? { status: 201, body: { success: true, session: owner } }
          : refusal(401, 'second_factor_required', 'A code is needed.'),
      );
    });
    await signIn(user);
    const code = await screen.findByLabelText('Code');
    expect(document.activeElement).toBe(code);
    expect(screen.queryByRole('alert')).toBeNull();
    await user.type(code, ' 123456');
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(await screen.findByRole('heading', { name: 'Domains' })).toBeTruthy();
    expect(service.bodiesTo(route)[1]).toEqual({ email: 'ada@example.com', password: 'secret', code: '123456' });
  });

  it('keeps the code field after a wrong code', async () => {
    const { service, user } = signedOut('/', service =>
      service.on(route, () => refusal(401, 'second_factor_required', 'A code is needed.')),
    );
    await signIn(user);
    await user.type(await screen.findByLabelText('Code'), '000000');
    service.on(route, () => refusal(401, 'invalid_credentials', 'Email, password or code is wrong.'));
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Email, password or code is wrong.');
    expect(screen.getByLabelText('Code')).toHaveProperty('value', '000000');
  });

  it('says how long to wait after too many attempts', async () => {
    const { user } = signedOut('/', service =>
      service.on(route, () =>
        refusal(429, 'rate_limited', 'Too many attempts. Try again in 503 s.', { 'Retry-After': '503' }),
      ),
    );
    await signIn(user);
    expect((await screen.findByRole('alert')).textContent).toBe('Too many attempts. Try again in 9 minutes.');
  });
});
