/** @jest-environment jsdom */
import { refusal, renderDashboard, screen } from '../testing/render-dashboard.js';

describe('the page of a reset link', () => {
  const show = () => renderDashboard('/reset-password#token-of-the-link', () => undefined, null);

  it('sends the token with a long enough password, and leads to the sign-in', async () => {
    const { service, user } = show();
    service.on('POST /dashboard/api/password-reset', { success: true, passwordReset: true });
    await user.type(await screen.findByLabelText('New password'), 'short');
    await user.click(screen.getByRole('button', { name: 'Set password' }));
    expect(await screen.findByText('Enter 12 to 256 characters.')).toBeTruthy();
    expect(service.to('POST /dashboard/api/password-reset')).toEqual([]);
    await user.type(screen.getByLabelText('New password'), ' and longer');
    await user.click(screen.getByRole('button', { name: 'Set password' }));
    await user.click(await screen.findByRole('button', { name: 'Go to sign-in' }));
    expect(await screen.findByRole('heading', { name: 'Sign in to the dashboard' })).toBeTruthy();
    expect(service.bodiesTo('POST /dashboard/api/password-reset')).toEqual([
      { token: 'token-of-the-link', newPassword: 'short and longer' },
    ]);
  });

  it('says that the link has expired', async () => {
    const { service, user } = show();
    service.on('POST /dashboard/api/password-reset', () =>
      refusal(401, 'invalid_credentials', 'This link has expired.'),
    );
    await user.type(await screen.findByLabelText('New password'), 'a long new password');
    await user.click(screen.getByRole('button', { name: 'Set password' }));
    expect((await screen.findByRole('alert')).textContent).toContain('This link has expired.');
  });
});

describe('the page of an invitation', () => {
  it('sends the token with the password, and leads to the sign-in also beside another user’s session', async () => {
    const { service, user } = renderDashboard('/invitation#token-of-the-link');
    service.on('POST /dashboard/api/invitations/accept', { success: true, email: 'bo@example.com' });
    await user.type(await screen.findByLabelText('Password'), 'a long new password');
    await user.click(screen.getByRole('button', { name: 'Join' }));
    await user.click(await screen.findByRole('button', { name: 'Go to sign-in' }));
    expect(await screen.findByRole('heading', { name: 'Sign in to the dashboard' })).toBeTruthy();
    expect(service.bodiesTo('POST /dashboard/api/invitations/accept')).toEqual([
      { token: 'token-of-the-link', newPassword: 'a long new password' },
    ]);
  });
});
