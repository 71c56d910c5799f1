/** @jest-environment jsdom */
import {
  owner,
  refusal,
  renderDashboard,
  screen,
  waitFor,
  within,
  type FakeService,
} from '../../testing/render-dashboard.js';

const secured = { ...owner, user: { ...owner.user, totpEnabled: true } };
const withCodes = (service: FakeService) =>
  void service.on('GET /dashboard/api/totp', { secondFactor: { enabled: true, recoveryCodesLeft: 3 } });

describe('the form of the password', () => {
  const fill = async (current: string, next: string, repeated: string) => {
    const dashboard = renderDashboard('/profile');
    const { user } = dashboard;
    if (current !== '') await user.type(await screen.findByLabelText('Current password'), current);
    if (next !== '') await user.type(await screen.findByLabelText('New password'), next);
    if (repeated !== '') await user.type(screen.getByLabelText('New password again'), repeated);
    return { ...dashboard, submit: () => user.click(screen.getByRole('button', { name: 'Change password' })) };
  };

  it('reports a short password, and two passwords that differ', async () => {
    const { service, submit } = await fill('old', 'short', 'other');
    await submit();
    expect(await screen.findByText('Enter 12 to 256 characters.')).toBeTruthy();
    expect(screen.getByText('The two new passwords differ.')).toBeTruthy();
    expect(service.to('POST /dashboard/api/password')).toEqual([]);
  });

  it('changes the password, and clears its fields', async () => {
    const { service, submit } = await fill('old', 'a-new-password', 'a-new-password');
    service.on('POST /dashboard/api/password', { success: true, session: owner });
    await submit();
    expect(await screen.findByText('The password was changed. Other sessions were ended.')).toBeTruthy();
    expect(service.bodiesTo('POST /dashboard/api/password')).toEqual([
      { currentPassword: 'old', newPassword: 'a-new-password' },
    ]);
    expect(screen.getByLabelText('New password')).toHaveProperty('value', '');
  });

  it('says that the current password is wrong', async () => {
    const { service, submit } = await fill('wrong', 'a-new-password', 'a-new-password');
    service.on('POST /dashboard/api/password', () => refusal(403, 'wrong_password', 'The password is wrong.'));
    await submit();
    expect((await screen.findByRole('alert')).textContent).toBe('The password is wrong.');
  });
});

describe('the second factor', () => {
  it('is set up with a code of the app, and shows the recovery codes once', async () => {
    const { service, user } = renderDashboard('/profile', withCodes);
    service.on('POST /dashboard/api/totp', { totp: { secret: 'BASE32', uri: 'otpauth://totp/example' } });
    service.on('POST /dashboard/api/totp/confirm', { session: secured, recoveryCodes: ['aaaaa-bbbbb', 'ccccc-ddddd'] });
    await user.click(await screen.findByRole('button', { name: 'Set up' }));
    const form = within(await screen.findByRole('dialog', { name: 'Second factor' }));
    expect(form.getByLabelText('Secret')).toHaveProperty('value', 'BASE32');
    await user.type(form.getByLabelText('Code'), '12345');
    await user.click(form.getByRole('button', { name: 'Confirm' }));
    expect(await form.findByText('Enter six digits.')).toBeTruthy();
    expect(service.to('POST /dashboard/api/totp/confirm')).toEqual([]);
    await user.type(form.getByLabelText('Code'), '6');
    await user.click(form.getByRole('button', { name: 'Confirm' }));
    const codes = within(await screen.findByRole('dialog', { name: 'Recovery codes' }));
    expect(codes.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'aaaaa-bbbbb',
      'ccccc-ddddd',
    ]);
    expect(service.bodiesTo('POST /dashboard/api/totp/confirm')).toEqual([{ code: '123456' }]);
    await user.click(codes.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByText('aaaaa-bbbbb')).toBeNull());
    expect(await screen.findByText('3 recovery codes are left.')).toBeTruthy();
  });

  it('is switched off with the password and a code or recovery code', async () => {
    const { service, user } = renderDashboard('/profile', withCodes, secured);
    service.on('DELETE /dashboard/api/totp', { success: true, session: owner });
    await user.click(await screen.findByRole('button', { name: 'Switch off' }));
    const form = within(await screen.findByRole('dialog', { name: 'Switch off' }));
    await user.type(form.getByLabelText('Code'), 'abc');
    await user.click(form.getByRole('button', { name: 'Switch off' }));
    expect(await form.findByText('Enter six digits, or a recovery code.')).toBeTruthy();
    expect(form.getByText('Enter your current password.')).toBeTruthy();
    await user.type(form.getByLabelText('Current password'), 'secret');
    await user.clear(form.getByLabelText('Code'));
    await user.type(form.getByLabelText('Code'), 'abcde-12345');
    await user.click(form.getByRole('button', { name: 'Switch off' }));
    expect(await screen.findByRole('button', { name: 'Set up' })).toBeTruthy();
    expect(service.bodiesTo('DELETE /dashboard/api/totp')).toEqual([
      { currentPassword: 'secret', code: 'abcde-12345' },
    ]);
  });

  it('makes new recovery codes, and refetches their count', async () => {
    const { service, user } = renderDashboard('/profile', withCodes, secured);
    service.on('POST /dashboard/api/totp/recovery-codes', { recoveryCodes: ['eeeee-fffff'] });
    await user.click(await screen.findByRole('button', { name: 'Make new recovery codes' }));
    const form = within(await screen.findByRole('dialog'));
    await user.type(form.getByLabelText('Current password'), 'secret');
    await user.type(form.getByLabelText('Code'), '123456');
    await user.click(form.getByRole('button', { name: 'Make new recovery codes' }));
    expect(await screen.findByText('eeeee-fffff')).toBeTruthy();
    await waitFor(() => expect(service.to('GET /dashboard/api/totp')).toHaveLength(2));
  });
});
