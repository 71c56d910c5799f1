/** @jest-environment jsdom */
import type { AccountRole } from '@rtms/contracts';
import {
  owner,
  refusal,
  renderDashboard,
  screen,
  waitFor,
  within,
  type FakeService,
} from '../../testing/render-dashboard.js';

const users = '/dashboard/api/users';
const invitations = '/dashboard/api/invitations';
const self = { ...owner.user, createdAt: '2026-01-01T00:00:00.000Z' };
const bo = { ...self, userID: 'u2', email: 'bo@example.com', role: 'developer' };
const open = {
  invitationID: 'inv1',
  email: 'cy@example.com',
  role: 'viewer',
  createdAt: self.createdAt,
  expiresAt: '2030-01-01T00:00:00.000Z',
};

describe('the page of the team', () => {
  const show = () =>
    renderDashboard('/team', service =>
      service.onList(users, 'users', [bo, self]).onList(invitations, 'invitations', [open]),
    );

  it('invites by a link that it shows once', async () => {
    const { service, user } = show();
    const url = 'https://rtms.example/dashboard/invitation#token';
    service.on(`POST ${invitations}`, { invitation: { ...open, email: 'di@example.com', url } });
    await user.click(await screen.findByRole('button', { name: 'Invite' }));
    const form = within(await screen.findByRole('dialog', { name: 'Invite' }));
    await user.click(form.getByRole('button', { name: 'Make link' }));
    expect(await form.findByText('Enter an email address.')).toBeTruthy();
    await user.type(form.getByLabelText('Email'), ' di@example.com ');
    await user.click(form.getByRole('radio', { name: 'Viewer' }));
    expect(form.getByText(/Changes nothing and gets no key/)).toBeTruthy();
    await user.click(form.getByRole('button', { name: 'Make link' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'The invitation link for di@example.com' }));
    expect(dialog.getByLabelText('Link')).toHaveProperty('value', url);
    expect(service.bodiesTo(`POST ${invitations}`)).toEqual([{ email: 'di@example.com', role: 'viewer' }]);
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByDisplayValue(url)).toBeNull());
  });

  it('says above the form why the gateway refuses an invitation', async () => {
    const { service, user } = show();
    service.on(`POST ${invitations}`, () => refusal(409, 'already_exists', 'This address has an open invitation.'));
    await user.click(await screen.findByRole('button', { name: 'Invite' }));
    const form = within(await screen.findByRole('dialog', { name: 'Invite' }));
    await user.type(form.getByLabelText('Email'), 'cy@example.com');
    await user.click(form.getByRole('button', { name: 'Make link' }));
    expect((await form.findByRole('alert')).textContent).toContain('This address has an open invitation.');
  });

  it('changes the role of another user', async () => {
    const { service, user } = show();
    service.on(`POST ${users}/u2/role`, () => {
      service.onList(users, 'users', [{ ...bo, role: 'owner' }, self]);
      return { body: { success: true, user: { ...bo, role: 'owner' } } };
    });
    await user.click(await screen.findByRole('button', { name: 'Change the role of bo@example.com' }));
    const form = within(await screen.findByRole('dialog', { name: 'Change the role of bo@example.com' }));
    expect(form.getByRole('radio', { name: 'Developer' })).toHaveProperty('checked', true);
    await user.click(form.getByRole('radio', { name: 'Owner' }));
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(service.bodiesTo(`POST ${users}/u2/role`)).toEqual([{ role: 'owner' }]));
  });

  it('removes another user after a confirmation, and offers no way to remove oneself', async () => {
    const { service, user } = show();
    service.on(`DELETE ${users}/u2`, () => {
      service.onList(users, 'users', [self]);
      return { body: { success: true } };
    });
    await user.click(await screen.findByRole('button', { name: 'Remove bo@example.com' }));
    expect(screen.queryByRole('button', { name: `Remove ${self.email}` })).toBeNull();
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove this user?' }));
    expect(dialog.getByText(/sessions of bo@example.com end now/)).toBeTruthy();
    expect(service.to(`DELETE ${users}/u2`)).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove bo@example.com' })).toBeNull());
  });

  it('shows a reset link once, and revokes an invitation', async () => {
    const { service, user } = show();
    const url = 'https://rtms.example/dashboard/reset-password#token';
    service
      .on(`POST ${users}/u2/reset-link`, { resetLink: { url, expiresAt: open.expiresAt } })
      .on(`DELETE ${invitations}/inv1`, { success: true });
    await user.click(await screen.findByRole('button', { name: 'Make a reset link for bo@example.com' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Make link' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'The reset link' }));
    expect(dialog.getByLabelText('Link')).toHaveProperty('value', url);
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    await user.click(await screen.findByRole('button', { name: 'Revoke the invitation of cy@example.com' }));
    const question = within(await screen.findByRole('dialog', { name: 'Revoke this invitation?' }));
    await user.click(question.getByRole('button', { name: 'Revoke' }));
    await waitFor(() => expect(service.to(`DELETE ${invitations}/inv1`)).toHaveLength(1));
  });
});

describe('the dashboard of a user who is not an owner', () => {
  const as = (role: AccountRole) => ({ ...owner, user: { ...owner.user, role } });
  const room = {
    ...{ meetingID: 'room1', roomName: 'Stage', state: 'active', eventType: 'webinar', keyType: 'sandbox' },
    ...{ hostName: 'Ann', participantCount: 0, capacity: 20, externalSessionCount: 0, createdAt: self.createdAt },
  };
  const withRooms = (service: FakeService) => void service.onList('/v1/rooms', 'rooms', [room]);
  const linksIn = () =>
    within(screen.getByRole('navigation', { name: 'Pages' }))
      .getAllByRole('link')
      .map(link => link.textContent);

  it('shows a viewer the rooms without a way to change them, and no page of keys, settings or people', async () => {
    renderDashboard('/rooms', withRooms, as('viewer'));
    expect(await screen.findByText('Stage')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Create room' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'End Stage' })).toBeNull();
    for (const title of ['API keys', 'Team', 'Sub-users', 'Domains', 'AI credentials', 'Event settings']) {
      expect(linksIn()).not.toContain(title);
    }
  });

  it('lets a developer change rooms, and shows no page of people', async () => {
    renderDashboard('/rooms', withRooms, as('developer'));
    expect(await screen.findByRole('button', { name: 'End Stage' })).toBeTruthy();
    expect(linksIn()).toContain('API keys');
    for (const title of ['Team', 'Sub-users']) expect(linksIn()).not.toContain(title);
  });

  it('opens no page that the role does not have, also by its address', async () => {
    renderDashboard('/team', () => undefined, as('developer'));
    expect(await screen.findByText('No page has this address.')).toBeTruthy();
  });
});
