import { Button, Group, Stack } from '@mantine/core';
import { IconKeyOff, IconPencil, IconPlus, IconTicket } from '@tabler/icons-react';
import { useState } from 'react';
import { shownKey } from '../../api/query-keys.js';
import { ConfirmButton } from '../../parts/confirm-button.js';
import { disposableKeyColumns } from '../../parts/disposable-key-columns.js';
import { EmptyState } from '../../parts/empty-state.js';
import { IconButton } from '../../parts/icon-button.js';
import type { IssuedCredential } from '../../parts/issued-credential.js';
import { ResourceTable } from '../../parts/resource-table.js';
import { apiKeysTexts as texts } from '../../texts/api-keys.js';
import { DisposableKeyForm } from './disposable-key-form.js';
import { disposableKeys, type DisposableKey } from './disposable-keys-api.js';

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
        columns={disposableKeyColumns}
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
