import { Button, Select, Text } from '@mantine/core';
import { IconPencil, IconPlus, IconSparkles } from '@tabler/icons-react';
import { useState } from 'react';
import { shownKey } from '../../api/query-keys.js';
import { choicesOf } from '../../parts/choices.js';
import { ConfirmButton } from '../../parts/confirm-button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { IconButton } from '../../parts/icon-button.js';
import { Page } from '../../parts/page.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { Time } from '../../parts/time.js';
import { aiCredentialsTexts as texts } from '../../texts/ai-credentials.js';
import { AiCredentialForm } from './ai-credential-form.js';
import { aiCredentials, type AiCredential } from './ai-credentials-api.js';

const columns: readonly Column<AiCredential>[] = [
  { header: texts.nickName, cell: ({ nickName }) => <Text fw={500}>{nickName}</Text> },
  { header: texts.kind, cell: ({ kind }) => texts.kinds[kind] },
  { header: texts.provider, cell: ({ provider }) => provider, visibleFrom: 'sm' },
  { header: texts.model, cell: ({ model }) => model ?? '–', visibleFrom: 'md' },
  {
    header: texts.apiKey,
    cell: ({ maskedApiKey }) => (
      <Text size="sm" ff="monospace">
        {maskedApiKey}
      </Text>
    ),
    visibleFrom: 'md',
  },
  { header: texts.updatedAt, cell: ({ updatedAt }) => <Time value={updatedAt} />, visibleFrom: 'lg' },
];

export default function AiCredentialsPage() {
  const [edited, setEdited] = useState<AiCredential | 'new'>();
  const [kind, setKind] = useState<AiCredential['kind'] | null>(null);
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
      {texts.add}
    </Button>
  );
  return (
    <Page title={texts.title} description={texts.description} actions={add}>
      <Select
        aria-label={texts.kind}
        placeholder={texts.allKinds}
        data={choicesOf(texts.kinds)}
        value={kind}
        onChange={setKind}
        clearable
        w={220}
      />
      <ResourceTable
        key={kind}
        label={texts.title}
        queryKey={shownKey('aiCredential', 'list', kind)}
        list={(page, signal) => aiCredentials.list(page, { kind }, signal)}
        rowKey={({ aiCredentialID }) => aiCredentialID}
        columns={columns}
        rowActions={credential => <CredentialActions credential={credential} onEdit={() => setEdited(credential)} />}
        empty={
          <EmptyState
            icon={IconSparkles}
            title={kind === null ? texts.emptyTitle : texts.emptyKind}
            text={texts.emptyText}
          />
        }
      />
      <AiCredentialForm edited={edited} onClose={() => setEdited(undefined)} />
    </Page>
  );
}

function CredentialActions({ credential, onEdit }: { credential: AiCredential; onEdit: () => void }) {
  const { aiCredentialID, nickName } = credential;
  return (
    <>
      <IconButton label={texts.edit(nickName)} icon={IconPencil} onClick={onEdit} />
      <ConfirmButton
        label={texts.delete(nickName)}
        title={texts.deleteTitle}
        text={texts.deleteText(nickName)}
        run={() => aiCredentials.remove(aiCredentialID)}
        success={texts.deleted}
        changes={['aiCredential']}
      />
    </>
  );
}
