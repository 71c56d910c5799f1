import { Button, Text } from '@mantine/core';
import { IconLanguage, IconPencil, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { shownKey } from '../../api/query-keys.js';
import { ConfirmButton } from '../../parts/confirm-button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { IconButton } from '../../parts/icon-button.js';
import { Page } from '../../parts/page.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { Time } from '../../parts/time.js';
import { translationConfigsTexts as texts } from '../../texts/translation-configs.js';
import { TranslationConfigForm } from './translation-config-form.js';
import { translationConfigs, type TranslationConfig } from './translation-configs-api.js';

const columns: readonly Column<TranslationConfig>[] = [
  { header: texts.nickName, cell: ({ nickName }) => <Text fw={500}>{nickName}</Text> },
  { header: texts.outputMode, cell: ({ outputMode }) => texts.outputModes[outputMode] },
  { header: texts.stt, cell: ({ sttNickName }) => sttNickName, visibleFrom: 'sm' },
  { header: texts.llm, cell: ({ llmNickName }) => llmNickName, visibleFrom: 'sm' },
  { header: texts.tts, cell: ({ ttsNickName }) => ttsNickName ?? '–', visibleFrom: 'md' },
  { header: texts.spokenLanguages, cell: spokenOf, visibleFrom: 'lg' },
  { header: texts.listenLanguages, cell: ({ listenLanguages }) => listenLanguages.join(', '), visibleFrom: 'xl' },
  { header: texts.updatedAt, cell: ({ updatedAt }) => <Time value={updatedAt} />, visibleFrom: 'xl' },
];

function spokenOf({ autoDetectSpokenLanguage, spokenLanguages }: TranslationConfig): string {
  return [...spokenLanguages, ...(autoDetectSpokenLanguage ? [texts.detected] : [])].join(', ');
}

export default function TranslationConfigsPage() {
  const [edited, setEdited] = useState<TranslationConfig | 'new'>();
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
      {texts.add}
    </Button>
  );
  return (
    <Page title={texts.title} description={texts.description} actions={add}>
      <ResourceTable
        label={texts.title}
        queryKey={shownKey('translationConfig', 'list')}
        list={(page, signal) => translationConfigs.list(page, {}, signal)}
        rowKey={({ translationConfigID }) => translationConfigID}
        columns={columns}
        rowActions={config => <ConfigActions config={config} onEdit={() => setEdited(config)} />}
        empty={<EmptyState icon={IconLanguage} title={texts.emptyTitle} text={texts.emptyText} />}
      />
      <TranslationConfigForm edited={edited} onClose={() => setEdited(undefined)} />
    </Page>
  );
}

function ConfigActions({ config, onEdit }: { config: TranslationConfig; onEdit: () => void }) {
  const { translationConfigID, nickName } = config;
  return (
    <>
      <IconButton label={texts.edit(nickName)} icon={IconPencil} onClick={onEdit} />
      <ConfirmButton
        label={texts.delete(nickName)}
        title={texts.deleteTitle}
        text={texts.deleteText(nickName)}
        run={() => translationConfigs.remove(translationConfigID)}
        success={texts.deleted}
        changes={['translationConfig']}
      />
    </>
  );
}
