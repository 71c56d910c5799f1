import { Text } from '@mantine/core';
import { IconLanguage } from '@tabler/icons-react';
import { EditableList } from '../../parts/editable-list.js';
import type { Column } from '../../parts/resource-table.js';
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
  return (
    <EditableList
      texts={texts}
      kind="translationConfig"
      icon={IconLanguage}
      resource={translationConfigs}
      idOf={({ translationConfigID }) => translationConfigID}
      nameOf={({ nickName }) => nickName}
      columns={columns}
      form={TranslationConfigForm}
    />
  );
}
