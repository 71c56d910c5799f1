import { Anchor, Text } from '@mantine/core';
import { IconLink, IconLockOpen, IconShieldX, IconUserShield } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { shownKey } from '../../api/query-keys.js';
import { useSignedIn } from '../../api/session.js';
import { ConfirmButton } from '../../parts/confirm-button.js';
import { AddButton } from '../../parts/editable-list.js';
import { EmptyState } from '../../parts/empty-state.js';
import { OnceShownSecret } from '../../parts/once-shown-secret.js';
import { Page } from '../../parts/page.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { StateBadge } from '../../parts/state-badge.js';
import { Time } from '../../parts/time.js';
import { usersTexts as texts } from '../../texts/users.js';
import { UserForm } from './user-form.js';
import {
  deleteUser,
  listUsers,
  makeResetLink,
  resetPassword,
  resetSecondFactor,
  type IssuedUser,
  type User,
} from './users-api.js';

const columns: readonly Column<User>[] = [
  { header: texts.email, cell: ({ email }) => <Text fw={500}>{email}</Text> },
  { header: texts.role, cell: ({ role }) => texts.roles[role], visibleFrom: 'sm' },
  {
    header: texts.account,
    cell: ({ accountID, email }) =>
      accountID !== null && (
        <Anchor component={Link} href={`/accounts/${accountID}`} aria-label={texts.openAccount(email)}>
          {texts.open}
        </Anchor>
      ),
    visibleFrom: 'md',
  },
  {
    header: texts.secondFactor,
    cell: ({ totpEnabled }) => (
      <StateBadge state={totpEnabled ? 'enabled' : 'disabled'} label={totpEnabled ? texts.on : texts.off} />
    ),
    visibleFrom: 'md',
  },
  { header: texts.createdAt, cell: ({ createdAt }) => <Time value={createdAt} />, visibleFrom: 'lg' },
];

export default function UsersPage() {
  const [isAdding, setIsAdding] = useState(false);
  const [issued, setIssued] = useState<IssuedUser>();
  const [link, setLink] = useState<string>();
  const parts = issued && [
    { label: texts.email, value: issued.email },
    { label: texts.password, value: issued.password },
  ];
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={<AddButton label={texts.add} onClick={() => setIsAdding(true)} />}
    >
      <ResourceTable
        label={texts.title}
        queryKey={shownKey('admin', 'users')}
        list={listUsers}
        rowKey={({ userID }) => userID}
        columns={columns}
        rowActions={user => <UserActions user={user} onIssued={setIssued} onLink={setLink} />}
        empty={<EmptyState icon={IconUserShield} title={texts.emptyTitle} text={texts.emptyText} />}
      />
      <UserForm isOpen={isAdding} onClose={() => setIsAdding(false)} onIssued={setIssued} />
      <OnceShownSecret title={texts.issuedTitle} parts={parts} onClose={() => setIssued(undefined)} />
      <OnceShownSecret
        title={texts.linkTitle}
        parts={link === undefined ? undefined : [{ label: texts.link, value: link }]}
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

/** Whoever is signed in changes their own password and second factor on their profile, and cannot shut themselves out. */
function UserActions({ user: { userID, email, totpEnabled }, onIssued, onLink }: UserActionsProps) {
  const self = useSignedIn().user.userID;
  if (userID === self) return <Text c="dimmed">{texts.you}</Text>;
  const changes = ['admin'] as const;
  return (
    <>
      <ConfirmButton
        label={texts.resetLink(email)}
        icon={IconLink}
        title={texts.resetLinkTitle}
        text={texts.resetLinkText(email)}
        confirmLabel={texts.resetLinkShort}
        run={() => makeResetLink(userID)}
        onDone={answer => onLink(answer as string)}
        changes={changes}
      />
      <ConfirmButton
        label={texts.resetPassword(email)}
        icon={IconLockOpen}
        title={texts.resetPasswordTitle}
        text={texts.resetPasswordText(email)}
        confirmLabel={texts.resetPasswordShort}
        run={() => resetPassword(userID)}
        onDone={answer => onIssued(answer as IssuedUser)}
        changes={changes}
      />
      {totpEnabled && (
        <ConfirmButton
          label={texts.resetSecondFactor(email)}
          icon={IconShieldX}
          title={texts.resetSecondFactorTitle}
          text={texts.resetSecondFactorText(email)}
          confirmLabel={texts.resetSecondFactorShort}
          run={() => resetSecondFactor(userID)}
          success={texts.secondFactorReset}
          changes={changes}
        />
      )}
      <ConfirmButton
        label={texts.delete(email)}
        title={texts.deleteTitle}
        text={texts.deleteText(email)}
        run={() => deleteUser(userID)}
        success={texts.deleted}
        changes={changes}
      />
    </>
  );
}
