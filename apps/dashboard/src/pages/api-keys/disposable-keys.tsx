import { Button, Group, Stack, Text, Tooltip } from '@mantine/core';
import { IconKeyOff, IconPencil, IconPlus, IconTicket } from '@tabler/icons-react';
import { useState } from 'react';
import { shownKey } from '../../api/query-keys.js';
import { ConfirmButton } from '../../parts/confirm-button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { IconButton } from '../../parts/icon-button.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { StateBadge } from '../../parts/state-badge.js';
import { Time } from '../../parts/time.js';
import { apiKeysTexts as texts } from '../../texts/api-keys.js';
import type { IssuedCredential } from './api-keys-page.js';
import { DisposableKeyForm } from './disposable-key-form.js';
import { disposableKeys, type DisposableKey } from './disposable-keys-api.js';

const columns: readonly Column<DisposableKey>[] = [
  {
    header: texts.name,
    cell: ({ name, maskedKey }) => (
      <>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <Text size="sm" c="dimmed" ff="monospace">
          {maskedKey}…
        </Text>
      </>
    ),
  },
  { header: texts.type, cell: ({ type }) => texts.types[type], visibleFrom: 'sm' },
  { header: texts.state, cell: ({ state }) => <StateBadge state={state} /> },
  {
    header: texts.operations,
    cell: ({ operations }) => (
      <Tooltip label={operations.join(', ')} multiline maw={320}>
        <Text size="sm" tabIndex={0} w="fit-content">
          {texts.operationCount(operations.length)}
        </Text>
      </Tooltip>
    ),
    visibleFrom: 'md',
  },
  { header: texts.expiresAt, cell: ({ expiresAt }) => <Time value={expiresAt} />, visibleFrom: 'sm' },
  { header: texts.lastUsedAt, cell: ({ lastUsedAt }) => <Time value={lastUsedAt} />, visibleFrom: 'lg' },
];

export function DisposableKeys({ onIssued }: { onIssued: (key: IssuedCredential) => void }) {
  const [edited, setEdited] = useState<DisposableKey | 'new'>();
  return (
    <Stack>
      <Group justify="flex-end">
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
          {texts.addDisposable}
        </Button>
      </Group>
      <ResourceTable
        label={texts.tabs.disposable}
        queryKey={shownKey('disposableKey', 'list')}
        list={(page, signal) => disposableKeys.list(page, {}, signal)}
        rowKey={({ keyID }) => keyID}
        columns={columns}
        rowActions={key => key.state === 'active' && <KeyActions disposableKey={key} onEdit={() => setEdited(key)} />}
        empty={<EmptyState icon={IconTicket} title={texts.disposableEmpty} text={texts.disposableEmptyText} />}
      />
      <DisposableKeyForm edited={edited} onClose={() => setEdited(undefined)} onIssued={onIssued} />
    </Stack>
  );
}

function KeyActions({ disposableKey: { keyID, name }, onEdit }: { disposableKey: DisposableKey; onEdit: () => void }) {
  return (
    <>
      <IconButton label={texts.edit(name)} icon={IconPencil} onClick={onEdit} />
      <ConfirmButton
        label={texts.revoke(name)}
        icon={IconKeyOff}
        title={texts.revokeTitle}
        text={texts.revokeText(name)}
        confirmLabel={texts.revokeConfirm}
        run={() => disposableKeys.remove(keyID)}
        success={texts.revoked}
        changes={['disposableKey']}
      />
    </>
  );
}
