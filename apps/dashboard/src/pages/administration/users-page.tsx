import { Anchor, SegmentedControl, Select, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { isAccountRole, type DashboardRole } from '@rtms/contracts';
import { IconLockOpen, IconShieldX, IconUserShield } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { shownKey } from '../../api/resource.js';
import { useSignedIn } from '../../api/session.js';
import { AddButton, ConfirmButton } from '../../parts/buttons.js';
import { choicesOf, FormModal, needed } from '../../parts/forms.js';
import { Page } from '../../parts/page.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { OnceShownSecret, ResetLinkButton } from '../../parts/secrets.js';
import { OnOffBadge, roleNames, Time, TwoLines } from '../../parts/values.js';
import {
  createUser,
  deleteUser,
  listAccounts,
  listUsers,
  makeResetLink,
  resetPassword,
  resetSecondFactor,
  type IssuedUser,
  type User,
} from './administration-api.js';

const columns: readonly Column<User>[] = [
  { header: 'Email', cell: ({ email }) => <TwoLines first={email} /> },
  { header: 'Role', cell: ({ role }) => roleNames[role], visibleFrom: 'sm' },
  {
    header: 'Account',
    cell: ({ accountID, email }) =>
      accountID !== null && (
        <Anchor component={Link} href={`/accounts/${accountID}`} aria-label={`Open the account of ${email}`}>
          Open
        </Anchor>
      ),
    visibleFrom: 'md',
  },
  { header: 'Second factor', cell: ({ totpEnabled }) => <OnOffBadge isOn={totpEnabled} />, visibleFrom: 'md' },
  { header: 'Created', cell: ({ createdAt }) => <Time value={createdAt} />, visibleFrom: 'lg' },
];

export default function UsersPage() {
  const [isAdding, setIsAdding] = useState(false);
  const [issued, setIssued] = useState<IssuedUser>();
  const [link, setLink] = useState<string>();
  const parts = issued && [
    { label: 'Email', value: issued.email },
    { label: 'Password', value: issued.password },
  ];
  return (
    <Page
      title="Dashboard users"
      description="The users of this dashboard: users of an account, and administrators of the platform. Owners manage the users of their account on the page Team."
      actions={<AddButton label="New user" onClick={() => setIsAdding(true)} />}
    >
      <ResourceTable
        label="Dashboard users"
        queryKey={shownKey('admin', 'users')}
        list={listUsers}
        rowKey={({ userID }) => userID}
        columns={columns}
        rowActions={user => <UserActions user={user} onIssued={setIssued} onLink={setLink} />}
        empty={{
          icon: IconUserShield,
          title: 'No users yet',
          text: 'Create a user for each account that needs the dashboard.',
        }}
      />
      <UserForm isOpen={isAdding} onClose={() => setIsAdding(false)} onIssued={setIssued} />
      <OnceShownSecret title="The new password" parts={parts} onClose={() => setIssued(undefined)} />
      <OnceShownSecret
        title="The reset link"
        parts={link === undefined ? undefined : [{ label: 'Link', value: link }]}
        onClose={() => setLink(undefined)}
      />
    </Page>
  );
}

interface UserActionsProps {
  user: User;
  onIssued: (user: IssuedUser) => void;
  onLink: (link: string) => void;
}

/** Administrators change their own password and second factor on their profile, so that they cannot lock themselves out. */
function UserActions({ user: { userID, email, totpEnabled }, onIssued, onLink }: UserActionsProps) {
  const self = useSignedIn().user.userID;
  if (userID === self) return <Text c="dimmed">You</Text>;
  const changes = ['admin'] as const;
  return (
    <>
      <ResetLinkButton email={email} run={() => makeResetLink(userID)} onLink={onLink} changes={changes} />
      <ConfirmButton
        label={`Reset the password of ${email}`}
        icon={IconLockOpen}
        title="Reset this password?"
        text={`All sessions of ${email} end. The next dialog shows the new password.`}
        confirmLabel="Reset"
        run={() => resetPassword(userID)}
        onDone={answer => onIssued(answer.user)}
        changes={changes}
      />
      {totpEnabled && (
        <ConfirmButton
          label={`Switch off the second factor of ${email}`}
          icon={IconShieldX}
          title="Switch off this second factor?"
          text={`${email} then signs in with the password alone. The recovery codes stop working.`}
          confirmLabel="Switch off"
          run={() => resetSecondFactor(userID)}
          success="The second factor was switched off."
          changes={changes}
        />
      )}
      <ConfirmButton
        label={`Delete ${email}`}
        title="Delete this user?"
        text={`All sessions of ${email} end, and the user cannot sign in again. The account stays.`}
        run={() => deleteUser(userID)}
        success="The user was deleted."
        changes={changes}
      />
    </>
  );
}

interface UserFormProps {
  isOpen: boolean;
  onClose: () => void;
  onIssued: (user: IssuedUser) => void;
}

interface Values {
  email: string;
  role: DashboardRole;
  accountID: string | null;
}

const rules = {
  email: needed('Enter an email address.'),
  accountID: (accountID: string | null, { role }: Values) =>
    isAccountRole(role) && accountID === null ? 'Choose the account of the user.' : null,
};

function UserForm({ isOpen, onClose, onIssued }: UserFormProps) {
  const initialValues: Values = { email: '', role: 'owner', accountID: null };
  const form = useForm<Values>({ initialValues, validate: rules });
  return (
    <FormModal
      title="New user"
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      run={({ email, role, accountID }) =>
        createUser({ email: email.trim(), role, ...(isAccountRole(role) && accountID !== null && { accountID }) })
      }
      onDone={answer => onIssued(answer.user)}
      changes={['admin']}
      submitLabel="New user"
    >
      <TextInput label="Email" type="email" autoComplete="off" data-autofocus {...form.getInputProps('email')} />
      <SegmentedControl aria-label="Role" data={choicesOf(roleNames)} {...form.getInputProps('role')} />
      {isAccountRole(form.values.role) && <AccountChoice input={form.getInputProps('accountID')} />}
    </FormModal>
  );
}

/** Offers the newest 100 accounts. */
function AccountChoice({ input }: { input: object }) {
  const { data } = useQuery({
    queryKey: shownKey('admin', 'accounts', 'choice'),
    queryFn: ({ signal }) => listAccounts({ startIndex: 0, pageSize: 100 }, signal),
  });
  const choices = data?.items.map(({ accountID, name, apiUserName }) => ({
    value: accountID,
    label: `${name} (${apiUserName})`,
  }));
  return <Select label="Account" data={choices ?? []} allowDeselect={false} searchable {...input} />;
}
