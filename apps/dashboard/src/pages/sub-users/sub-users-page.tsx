import { Text } from '@mantine/core';
import { IconRefresh, IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { shownKey } from '../../api/query-keys.js';
import { AddButton, RecordActions } from '../../parts/editable-list.js';
import { EmptyState } from '../../parts/empty-state.js';
import { IconButton } from '../../parts/icon-button.js';
import { OnceShownSecret, type SecretPart } from '../../parts/once-shown-secret.js';
import { Page } from '../../parts/page.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { StateBadge } from '../../parts/state-badge.js';
import { Time } from '../../parts/time.js';
import { subUsersTexts as texts } from '../../texts/sub-users.js';
import { RotateKeyForm } from './rotate-key-form.js';
import { SubUserForm } from './sub-user-form.js';
import { subUsers, type IssuedKey, type IssuedSubUser, type SubUser } from './sub-users-api.js';

const columns: readonly Column<SubUser>[] = [
  {
    header: texts.name,
    cell: ({ name, email }) => (
      <>
        <Text fw={500}>{name}</Text>
        <Text size="sm" c="dimmed">
          {email}
        </Text>
      </>
    ),
  },
  { header: texts.role, cell: ({ role }) => texts.roles[role], visibleFrom: 'sm' },
  {
    header: texts.state,
    cell: ({ state }) => <StateBadge state={state} label={texts.states[state]} />,
    visibleFrom: 'sm',
  },
  {
    header: texts.permissions,
    cell: ({ permissions }) => <span title={permissions.join(', ')}>{texts.permissionCount(permissions.length)}</span>,
    visibleFrom: 'md',
  },
  {
    header: texts.apiUserName,
    cell: ({ apiUserName }) => <Text ff="monospace">{apiUserName}</Text>,
    visibleFrom: 'lg',
  },
  { header: texts.createdAt, cell: ({ createdAt }) => <Time value={createdAt} />, visibleFrom: 'lg' },
];

interface Issued {
  title: string;
  parts: SecretPart[];
}

const secretsOf = {
  subUser: ({ apiUserName, apiKeys }: IssuedSubUser): Issued => ({
    title: texts.issuedTitle,
    parts: [
      { label: texts.apiUserName, value: apiUserName },
      ...(apiKeys.sandbox ? [{ label: texts.sandboxKey, value: apiKeys.sandbox }] : []),
      ...(apiKeys.production ? [{ label: texts.productionKey, value: apiKeys.production }] : []),
    ],
  }),
  key: ({ apiUserName, apiKey }: IssuedKey): Issued => ({
    title: texts.newKeyTitle,
    parts: [
      { label: texts.apiUserName, value: apiUserName },
      { label: texts.apiKey, value: apiKey },
    ],
  }),
};

export default function SubUsersPage() {
  const [edited, setEdited] = useState<SubUser | 'new'>();
  const [rotated, setRotated] = useState<SubUser>();
  const [issued, setIssued] = useState<Issued>();
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={<AddButton label={texts.add} onClick={() => setEdited('new')} />}
    >
      <ResourceTable
        label={texts.title}
        queryKey={shownKey('subUser', 'list')}
        list={(page, signal) => subUsers.list(page, {}, signal)}
        rowKey={({ subUserID }) => subUserID}
        columns={columns}
        rowActions={subUser => (
          <RecordActions
            texts={texts}
            kind="subUser"
            name={subUser.name}
            onEdit={() => setEdited(subUser)}
            remove={() => subUsers.remove(subUser.subUserID)}
          >
            <IconButton label={texts.rotate(subUser.name)} icon={IconRefresh} onClick={() => setRotated(subUser)} />
          </RecordActions>
        )}
        empty={<EmptyState icon={IconUsers} title={texts.emptyTitle} text={texts.emptyText} />}
      />
      <SubUserForm
        edited={edited}
        onClose={() => setEdited(undefined)}
        onIssued={subUser => setIssued(secretsOf.subUser(subUser))}
      />
      <RotateKeyForm
        subUser={rotated}
        onClose={() => setRotated(undefined)}
        onIssued={key => setIssued(secretsOf.key(key))}
      />
      <OnceShownSecret
        title={issued?.title ?? texts.newKeyTitle}
        parts={issued?.parts}
        onClose={() => setIssued(undefined)}
      />
    </Page>
  );
}
