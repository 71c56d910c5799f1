/** @jest-environment jsdom */
import { request } from '../api/request.js';
import { refusal, renderDashboard, screen, waitFor, within } from '../testing/render-dashboard.js';

describe('the question for the password', () => {
  const make = () => request<{ made: string }>('POST', '/v1/things', { body: { name: 'x' } });

  async function show() {
    const dashboard = renderDashboard('/nowhere');
    await screen.findByRole('heading', { name: 'Page not found' });
    let isConfirmed = false;
    dashboard.service
      .on('POST /v1/things', () =>
        isConfirmed
          ? { body: { made: 'a key' } }
          : refusal(403, 'confirmation_required', 'Confirm your password first.'),
      )
      .on('POST /dashboard/api/session/confirmation', ({ body }) => {
        isConfirmed = (body as { currentPassword: string }).currentPassword === 'right';
        return isConfirmed ? { body: { success: true } } : refusal(403, 'wrong_password', 'The password is wrong.');
      });
    return dashboard;
  }

  it('sends the request again once the password is right', async () => {
    const { service, user } = await show();
    const answer = make();
    const dialog = within(await screen.findByRole('dialog', { name: 'Confirm your password' }));
    await user.type(dialog.getByLabelText('Password'), 'wrong');
    await user.click(dialog.getByRole('button', { name: 'Confirm' }));
    expect((await dialog.findByRole('alert')).textContent).toContain('The password is wrong.');
    await user.clear(dialog.getByLabelText('Password'));
    await user.type(dialog.getByLabelText('Password'), 'right');
    await user.click(dialog.getByRole('button', { name: 'Confirm' }));
    expect(await answer).toEqual({ made: 'a key' });
    expect(service.bodiesTo('POST /v1/things')).toEqual([{ name: 'x' }, { name: 'x' }]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('asks once for two refused requests', async () => {
    const { user } = await show();
    const answers = Promise.all([make(), make()]);
    const dialog = within(await screen.findByRole('dialog', { name: 'Confirm your password' }));
    await user.type(dialog.getByLabelText('Password'), 'right');
    await user.click(dialog.getByRole('button', { name: 'Confirm' }));
    expect(await answers).toEqual([{ made: 'a key' }, { made: 'a key' }]);
  });

  it('leaves the request refused when it is cancelled', async () => {
    const { service, user } = await show();
    const answer = make().catch((error: unknown) => error);
    const dialog = within(await screen.findByRole('dialog', { name: 'Confirm your password' }));
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(await answer).toMatchObject({ reason: 'confirmation_required' });
    expect(service.to('POST /v1/things')).toHaveLength(1);
  });
});
