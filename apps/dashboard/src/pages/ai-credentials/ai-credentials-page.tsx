import { Select, Text } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { useState } from 'react';
import { shownKey } from '../../api/query-keys.js';
import { choicesOf } from '../../parts/choices.js';
import { AddButton, RecordActions } from '../../parts/editable-list.js';
import { EmptyState } from '../../parts/empty-state.js';
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
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={<AddButton label={texts.add} onClick={() => setEdited('new')} />}
    >
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
        rowActions={credential => (
          <RecordActions
            texts={texts}
            kind="aiCredential"
            name={credential.nickName}
            onEdit={() => setEdited(credential)}
            remove={() => aiCredentials.remove(credential.aiCredentialID)}
          />
        )}
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
