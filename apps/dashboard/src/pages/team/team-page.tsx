import { SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import {
  dashboardApi,
  type AccountRole,
  type Invitation,
  type IssuedInvitationAnswer,
  type ResetLinkAnswer,
  type TeamUser,
} from '@rtms/contracts';
import { IconMail, IconMailOff, IconUserEdit, IconUserMinus, IconUsersGroup } from '@tabler/icons-react';
import { useState } from 'react';
import { dashboardRequest } from '../../api/request.js';
import { listOf, shownKey } from '../../api/resource.js';
import { useSignedIn } from '../../api/session.js';
import { AddButton, ConfirmButton, IconButton } from '../../parts/buttons.js';
import { choicesOf, FormModal, needed } from '../../parts/forms.js';
import { Page } from '../../parts/page.js';
import { TableSection, type Column } from '../../parts/resource-table.js';
import { OnceShownSecret, ResetLinkButton } from '../../parts/secrets.js';
import { accountRoleNames, OnOffBadge, Time, TwoLines } from '../../parts/values.js';

const changes = ['team'] as const;

const rights: Readonly<Record<AccountRole, string>> = {
  viewer: 'Sees rooms, media, settings, logs and minutes. Changes nothing and gets no key or token.',
  developer: 'Also changes rooms, media and settings, and makes disposable keys.',
  owner: 'Also manages main keys, sub-users and the team.',
};

const userColumns: readonly Column<TeamUser>[] = [
  { header: 'Email', cell: ({ email }) => <TwoLines first={email} /> },
  { header: 'Role', cell: ({ role }) => accountRoleNames[role] },
  { header: 'Second factor', cell: ({ totpEnabled }) => <OnOffBadge isOn={totpEnabled} />, visibleFrom: 'md' },
  { header: 'Since', cell: ({ createdAt }) => <Time value={createdAt} />, visibleFrom: 'sm' },
];

const invitationColumns: readonly Column<Invitation>[] = [
  { header: 'Email', cell: ({ email }) => <TwoLines first={email} /> },
  { header: 'Role', cell: ({ role }) => accountRoleNames[role] },
  { header: 'Expires', cell: ({ expiresAt }) => <Time value={expiresAt} />, visibleFrom: 'sm' },
];

const userPath = (userID: string, part = '') => `/users/${encodeURIComponent(userID)}${part}`;

/** A link that this page shows once. */
interface IssuedLink {
  title: string;
  url: string;
}

export default function TeamPage() {
  const [isInviting, setInviting] = useState(false);
  const [link, setLink] = useState<IssuedLink>();
  const [edited, setEdited] = useState<TeamUser>();
  return (
    <Page
      title="Team"
      description="The users who sign in to the dashboard of this account. A user’s role says what the user may do."
      actions={<AddButton label="Invite" onClick={() => setInviting(true)} />}
    >
      <TableSection
        title="Users"
        queryKey={shownKey('team', 'users')}
        list={(page, signal) => listOf<TeamUser>(`${dashboardApi}/users`, 'users', { ...page }, signal)}
        rowKey={({ userID }) => userID}
        columns={userColumns}
        rowActions={user => <UserActions user={user} onEdit={setEdited} onLink={setLink} />}
        empty={{ icon: IconUsersGroup, title: 'No users', text: 'Invite the people who work with this account.' }}
      />
      <TableSection
        title="Open invitations"
        queryKey={shownKey('team', 'invitations')}
        list={(page, signal) => listOf<Invitation>(`${dashboardApi}/invitations`, 'invitations', { ...page }, signal)}
        rowKey={({ invitationID }) => invitationID}
        columns={invitationColumns}
        rowActions={({ invitationID, email }) => (
          <ConfirmButton
            label={`Revoke the invitation of ${email}`}
            icon={IconMailOff}
            title="Revoke this invitation?"
            text={`The link for ${email} stops working.`}
            confirmLabel="Revoke"
            run={() => dashboardRequest('DELETE', `/invitations/${encodeURIComponent(invitationID)}`)}
            success="The invitation was revoked."
            changes={changes}
          />
        )}
        empty={{ icon: IconMail, title: 'No open invitations', text: 'An invitation is a link that works once.' }}
      />
      <InvitationForm isOpen={isInviting} onClose={() => setInviting(false)} onLink={setLink} />
      <RoleForm key={edited?.userID} user={edited} onClose={() => setEdited(undefined)} />
      <OnceShownSecret
        title={link?.title ?? 'The link'}
        parts={link && [{ label: 'Link', value: link.url }]}
        onClose={() => setLink(undefined)}
      />
    </Page>
  );
}

interface UserActionsProps {
  user: TeamUser;
  onEdit: (user: TeamUser) => void;
  onLink: (link: IssuedLink) => void;
}

/** Owners change their own password on their profile. Another owner changes their role, so that they cannot lock themselves out. */
function UserActions({ user, onEdit, onLink }: UserActionsProps) {
  const { userID, email } = user;
  const self = useSignedIn().user.userID;
  if (userID === self) return <Text c="dimmed">You</Text>;
  return (
    <>
      <IconButton label={`Change the role of ${email}`} icon={IconUserEdit} onClick={() => onEdit(user)} />
      <ResetLinkButton
        email={email}
        run={() => dashboardRequest<ResetLinkAnswer>('POST', userPath(userID, '/reset-link'), { body: {} })}
        onLink={url => onLink({ title: 'The reset link', url })}
      />
      <ConfirmButton
        label={`Remove ${email}`}
        icon={IconUserMinus}
        title="Remove this user?"
        text={`All sessions of ${email} end now. Invitations of ${email} are revoked. Keys that ${email} made go on working: revoke them on the page API keys.`}
        confirmLabel="Remove"
        run={() => dashboardRequest('DELETE', userPath(userID))}
        success="The user was removed."
        changes={changes}
      />
    </>
  );
}

interface InvitationFormProps {
  isOpen: boolean;
  onClose: () => void;
  onLink: (link: IssuedLink) => void;
}

function InvitationForm({ isOpen, onClose, onLink }: InvitationFormProps) {
  const initialValues: { email: string; role: AccountRole } = { email: '', role: 'developer' };
  const form = useForm({ initialValues, validate: { email: needed('Enter an email address.') } });
  return (
    <FormModal
      title="Invite"
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      run={({ email, role }) =>
        dashboardRequest<IssuedInvitationAnswer>('POST', '/invitations', { body: { email: email.trim(), role } })
      }
      onDone={({ invitation: { email, url } }) => onLink({ title: `The invitation link for ${email}`, url })}
      changes={changes}
      submitLabel="Make link"
    >
      <Text size="sm">The service sends no mail. You get a link that works once within seven days: pass it on.</Text>
      <TextInput label="Email" type="email" autoComplete="off" data-autofocus {...form.getInputProps('email')} />
      <RoleChoice value={form.values.role} input={form.getInputProps('role')} />
    </FormModal>
  );
}

interface RoleFormProps {
  /** undefined: the form is closed. */
  user: TeamUser | undefined;
  onClose: () => void;
}

function RoleForm({ user, onClose }: RoleFormProps) {
  const form = useForm({ initialValues: { role: user?.role ?? 'viewer' } });
  return (
    <FormModal
      title={`Change the role of ${user?.email ?? ''}`}
      isOpen={user !== undefined}
      onClose={onClose}
      form={form}
      run={body => dashboardRequest('POST', userPath(user?.userID ?? '', '/role'), { body })}
      success="The role was changed."
      changes={changes}
    >
      <RoleChoice value={form.values.role} input={form.getInputProps('role')} />
    </FormModal>
  );
}

function RoleChoice({ value, input }: { value: AccountRole; input: object }) {
  return (
    <Stack gap="xs">
      <SegmentedControl aria-label="Role" data={choicesOf(accountRoleNames)} {...input} />
      <Text size="sm" c="dimmed">
        {rights[value]}
      </Text>
    </Stack>
  );
}
