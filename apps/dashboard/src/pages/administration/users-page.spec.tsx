/** @jest-environment jsdom */
import { administrator, renderDashboard, screen, waitFor, within } from '../../testing/render-dashboard.js';

const account = {
  accountID: 'a1',
  name: 'Acme',
  apiUserName: 'acme01',
  state: 'active',
  createdAt: '2026-01-01T00:00:00.000Z',
};

describe('the page of the dashboard’s users', () => {
  const other = {
    userID: 'u2',
    email: 'bo@example.com',
    role: 'owner',
    accountID: 'a1',
    totpEnabled: true,
    createdAt: account.createdAt,
  };
  const show = () =>
    renderDashboard(
      '/users',
      service =>
        service
          .onList('/admin/v1/dashboard-users', 'users', [{ ...other, ...administrator.user }, other])
          .onList('/admin/v1/accounts', 'accounts', [account]),
      administrator,
    );

  it('does not let users lock themselves out', async () => {
    show();
    await screen.findByRole('button', { name: 'Delete bo@example.com' });
    expect(screen.queryByRole('button', { name: 'Delete root@example.com' })).toBeNull();
  });

  it('shows a new password once', async () => {
    const { service, user } = show();
    service.on('POST /admin/v1/dashboard-users/u2/reset-password', { user: { ...other, password: 'new-password' } });
    await user.click(await screen.findByRole('button', { name: 'Reset the password of bo@example.com' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Reset' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'The new password' }));
    expect(dialog.getByLabelText('Password')).toHaveProperty('value', 'new-password');
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByDisplayValue('new-password')).toBeNull());
  });

  it('shows a reset link once', async () => {
    const { service, user } = show();
    const url = 'https://rtms.example/dashboard/reset-password#token';
    service.on('POST /admin/v1/dashboard-users/u2/reset-link', { resetLink: { url } });
    await user.click(await screen.findByRole('button', { name: 'Make a reset link for bo@example.com' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Make link' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'The reset link' }));
    expect(dialog.getByLabelText('Link')).toHaveProperty('value', url);
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByDisplayValue(url)).toBeNull());
  });

  it('requires an account for an owner, and none for an administrator', async () => {
    const { service, user } = show();
    await user.click(await screen.findByRole('button', { name: 'New user' }));
    const form = within(await screen.findByRole('dialog', { name: 'New user' }));
    await user.type(form.getByLabelText('Email'), 'cy@example.com');
    await user.click(form.getByRole('button', { name: 'New user' }));
    expect(await form.findByText('Choose the account of the user.')).toBeTruthy();
    await user.click(form.getByRole('radio', { name: 'Administrator' }));
    service.on('POST /admin/v1/dashboard-users', { user: { ...other, email: 'cy@example.com', password: 'first' } });
    await user.click(form.getByRole('button', { name: 'New user' }));
    expect(await screen.findByDisplayValue('first')).toBeTruthy();
    expect(service.bodiesTo('POST /admin/v1/dashboard-users')).toEqual([
      { email: 'cy@example.com', role: 'administrator' },
    ]);
  });
});
