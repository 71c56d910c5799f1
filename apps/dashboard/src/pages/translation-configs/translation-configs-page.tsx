import { SegmentedControl, Select, TagsInput, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { IconLanguage } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { aiCredentials, shownKey, translationConfigs, type TranslationConfig } from '../../api/resource.js';
import { EditableList, type RecordFormProps } from '../../parts/editable-list.js';
import { SwitchField } from '../../parts/fields.js';
import { choicesOf, FormModal, needed } from '../../parts/forms.js';
import type { Column } from '../../parts/resource-table.js';
import { aiKindNames, Time, TwoLines } from '../../parts/values.js';

const outputModes = { text: 'Text', audio: 'Speech' } as const;

const columns: readonly Column<TranslationConfig>[] = [
  { header: 'Nickname', cell: ({ nickName }) => <TwoLines first={nickName} /> },
  { header: 'Output', cell: ({ outputMode }) => outputModes[outputMode] },
  { header: aiKindNames.stt, cell: ({ sttNickName }) => sttNickName, visibleFrom: 'sm' },
  { header: aiKindNames.llm, cell: ({ llmNickName }) => llmNickName, visibleFrom: 'sm' },
  { header: aiKindNames.tts, cell: ({ ttsNickName }) => ttsNickName ?? '–', visibleFrom: 'md' },
  {
    header: 'Spoken languages',
    cell: ({ autoDetectSpokenLanguage, spokenLanguages }) =>
      [...spokenLanguages, ...(autoDetectSpokenLanguage ? ['Detected'] : [])].join(', '),
    visibleFrom: 'lg',
  },
  { header: 'Languages to listen in', cell: ({ listenLanguages }) => listenLanguages.join(', '), visibleFrom: 'xl' },
  { header: 'Last changed', cell: ({ updatedAt }) => <Time value={updatedAt} />, visibleFrom: 'xl' },
];

export default function TranslationConfigsPage() {
  return (
    <EditableList
      title="Translation"
      description="Each configuration names the AI credentials that listen, think and speak."
      storedOnly="The service keeps these configurations for your application. It translates nothing and writes no notes."
      icon={IconLanguage}
      noun="configuration"
      resource={translationConfigs}
      columns={columns}
      nameOf={({ nickName }) => nickName}
      deleteText={name => `New rooms can no longer use ${name}. You cannot delete a configuration in use.`}
      emptyTitle="No translation configurations yet"
      emptyText="Add AI credentials first. Then choose here which of them work together."
      form={props => <TranslationConfigForm {...props} />}
    />
  );
}

interface Values extends Omit<
  TranslationConfig,
  'translationConfigID' | 'createdAt' | 'updatedAt' | 'sttNickName' | 'llmNickName'
> {
  sttNickName: string | null;
  llmNickName: string | null;
}

const blank: Values = {
  nickName: '',
  sttNickName: null,
  llmNickName: null,
  ttsNickName: null,
  spokenLanguages: [],
  listenLanguages: [],
  outputMode: 'text',
  autoDetectSpokenLanguage: true,
};

function valuesOf(config: TranslationConfig): Values {
  const names = Object.keys(blank) as (keyof Values)[];
  return Object.fromEntries(names.map(name => [name, config[name]])) as unknown as Values;
}

const mostLanguages = 64;

function isLanguage(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

function languagesProblem(languages: readonly string[]): string | null {
  const isFine = languages.length <= mostLanguages && languages.every(isLanguage);
  return isFine ? null : 'Enter at most 64 languages, such as en or pt-BR.';
}

const credentialRule = (nickName: string | null) => (nickName === null ? 'Choose a credential.' : null);

const rules = {
  nickName: needed('Enter a nickname.'),
  sttNickName: credentialRule,
  llmNickName: credentialRule,
  ttsNickName: (nickName: string | null, { outputMode }: Values) =>
    outputMode === 'audio' && nickName === null ? 'Spoken output needs a text-to-speech credential.' : null,
  spokenLanguages: (languages: string[], { autoDetectSpokenLanguage }: Values) =>
    autoDetectSpokenLanguage || languages.length > 0
      ? languagesProblem(languages)
      : 'Enter a language, or let the service detect it.',
  listenLanguages: languagesProblem,
};

function TranslationConfigForm({ record, modal }: RecordFormProps<TranslationConfig>) {
  const form = useForm<Values>({ initialValues: record ? valuesOf(record) : blank, validate: rules });
  const languages = { description: 'Such as en or pt-BR. Press Enter after each.', maxTags: mostLanguages };
  const save = ({ sttNickName, llmNickName, ...rest }: Values) => {
    const fields = { ...rest, sttNickName: sttNickName ?? '', llmNickName: llmNickName ?? '' };
    return record ? translationConfigs.update(record, fields) : translationConfigs.create(fields);
  };
  return (
    <FormModal {...modal} form={form} run={save}>
      <TextInput
        label="Nickname"
        description="Unique. Event settings refer to it."
        data-autofocus
        maxLength={64}
        {...form.getInputProps('nickName')}
      />
      <CredentialChoice form={form} kind="stt" />
      <CredentialChoice form={form} kind="llm" />
      <SegmentedControl aria-label="Output" data={choicesOf(outputModes)} {...form.getInputProps('outputMode')} />
      <CredentialChoice form={form} kind="tts" hint="Only for spoken output." />
      <SwitchField form={form} name="autoDetectSpokenLanguage" label="Detect the spoken language" />
      <TagsInput label="Spoken languages" {...languages} {...form.getInputProps('spokenLanguages')} />
      <TagsInput label="Languages to listen in" {...languages} {...form.getInputProps('listenLanguages')} />
    </FormModal>
  );
}

interface CredentialChoiceProps {
  form: UseFormReturnType<Values>;
  kind: 'stt' | 'llm' | 'tts';
  hint?: string;
}

function CredentialChoice({ form, kind, hint }: CredentialChoiceProps) {
  const { data: credentials } = useQuery({
    queryKey: shownKey('aiCredential', 'newest', kind),
    queryFn: ({ signal }) => aiCredentials.newest(signal, { kind }),
  });
  const description = credentials?.length === 0 ? 'None yet. Add one on the page “AI credentials”.' : hint;
  return (
    <Select
      label={aiKindNames[kind]}
      data={credentials?.map(({ nickName }) => nickName) ?? []}
      clearable={kind === 'tts'}
      allowDeselect={kind === 'tts'}
      {...(description !== undefined && { description })}
      {...form.getInputProps(`${kind}NickName`)}
    />
  );
}
