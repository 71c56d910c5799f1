/** @jest-environment jsdom */
import { administrator, refusal, renderDashboard, screen, type FakeService } from '../testing/render-dashboard.js';

const route = 'POST /dashboard/api/setup';
const password = 'a long new password';

describe('the first visit', () => {
  const prepare = (service: FakeService) => {
    service.on('GET /dashboard/api/setup', { success: true, setup: { isEmpty: true } });
    service.on(route, () => ({ status: 201, body: { success: true, email: 'root@example.com' } }));
    service.on('POST /dashboard/api/session', () =>
      // The page of the administrator needs more routes; this test ends before it.
      refusal(403, 'second_factor_required', 'The administrator exists.'),
    );
  };
  const fill = async (user: ReturnType<typeof renderDashboard>['user'], typed = password) => {
    await user.type(await screen.findByLabelText('Email'), administrator.user.email);
    await user.type(screen.getByLabelText('Password'), typed);
    await user.click(screen.getByRole('button', { name: 'Create administrator' }));
  };

  it('creates the administrator with the code of the link, and signs in', async () => {
    const { service, user } = renderDashboard('/setup#code-of-the-link', prepare, null);
    expect(await screen.findByLabelText('Email')).toBeTruthy();
    expect(screen.queryByLabelText('Set-up code')).toBeNull();
    await fill(user);
    expect((await screen.findByRole('alert')).textContent).toContain('The administrator exists.');
    expect(service.bodiesTo(route)).toEqual([
      { code: 'code-of-the-link', email: 'root@example.com', newPassword: password },
    ]);
    expect(service.bodiesTo('POST /dashboard/api/session')).toEqual([{ email: 'root@example.com', password }]);
  });

  it('asks for the code in place of the sign-in while there is no user, and takes the whole link too', async () => {
    const { service, user } = renderDashboard('/', prepare, null);
    await fill(user, 'short');
    expect(await screen.findByText('Enter the set-up code.')).toBeTruthy();
    expect(screen.getByText('Enter 12 to 256 characters.')).toBeTruthy();
    expect(service.to(route)).toEqual([]);
    await user.type(screen.getByLabelText('Set-up code'), ' http://gateway.test/dashboard/setup#the-code ');
    await user.type(screen.getByLabelText('Password'), ' and longer');
    await user.click(screen.getByRole('button', { name: 'Create administrator' }));
    await screen.findByRole('alert');
    expect(service.bodiesTo(route)).toMatchObject([{ code: 'the-code', newPassword: 'short and longer' }]);
  });

  it('says why the gateway refuses the code', async () => {
    const { service, user } = renderDashboard('/setup#an-old-code', prepare, null);
    service.on(route, () => refusal(401, 'invalid_credentials', 'This set-up code is wrong or has expired.'));
    await fill(user);
    expect((await screen.findByRole('alert')).textContent).toContain('wrong or has expired');
    expect(service.to('POST /dashboard/api/session')).toEqual([]);
  });
});
