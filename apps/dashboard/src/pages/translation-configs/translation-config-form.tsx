import { SegmentedControl, Select, Switch, TagsInput, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { choicesOf } from '../../parts/choices.js';
import { needed } from '../../parts/field-rules.js';
import { FormModal } from '../../parts/form-modal.js';
import { translationConfigsTexts as texts } from '../../texts/translation-configs.js';
import { translationConfigs, useCredentialNames, type TranslationConfig } from './translation-configs-api.js';

const mostLanguages = 64;

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

function isLanguage(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

function languagesProblem(languages: readonly string[]): string | null {
  return languages.length <= mostLanguages && languages.every(isLanguage) ? null : texts.languagesWrong;
}

function save(config: TranslationConfig | undefined, values: Values): Promise<TranslationConfig> {
  const fields = { ...values, sttNickName: values.sttNickName ?? '', llmNickName: values.llmNickName ?? '' };
  if (!config) return translationConfigs.create(fields);
  return translationConfigs.update({ translationConfigID: config.translationConfigID, ...fields });
}

const chosen = (nickName: string | null) => (nickName === null ? texts.credentialNeeded : null);

const rules = {
  nickName: needed(texts.nickNameNeeded),
  sttNickName: chosen,
  llmNickName: chosen,
  ttsNickName: (nickName: string | null, { outputMode }: Values) =>
    outputMode === 'audio' && nickName === null ? texts.voiceNeeded : null,
  spokenLanguages: (languages: string[], { autoDetectSpokenLanguage }: Values) =>
    autoDetectSpokenLanguage || languages.length > 0 ? languagesProblem(languages) : texts.languageNeeded,
  listenLanguages: languagesProblem,
};

interface TranslationConfigFormProps {
  edited: TranslationConfig | 'new' | undefined;
  onClose: () => void;
}

export function TranslationConfigForm({ edited, onClose }: TranslationConfigFormProps) {
  const config = typeof edited === 'object' ? edited : undefined;
  const isOpen = edited !== undefined;
  return <Form key={config?.translationConfigID ?? 'new'} config={config} isOpen={isOpen} onClose={onClose} />;
}

interface FormProps {
  config: TranslationConfig | undefined;
  isOpen: boolean;
  onClose: () => void;
}

function Form({ config, isOpen, onClose }: FormProps) {
  const form = useForm<Values>({ initialValues: config ? valuesOf(config) : blank, validate: rules });
  const languages = { description: texts.languagesHint, maxTags: mostLanguages };
  return (
    <FormModal
      title={config ? texts.change : texts.add}
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      run={values => save(config, values)}
      success={config ? texts.changed : texts.added}
      changes={['translationConfig']}
    >
      <TextInput
        label={texts.nickName}
        description={texts.nickNameHint}
        data-autofocus
        maxLength={64}
        {...form.getInputProps('nickName')}
      />
      <CredentialChoice form={form} kind="stt" />
      <CredentialChoice form={form} kind="llm" />
      <SegmentedControl
        aria-label={texts.outputMode}
        data={choicesOf(texts.outputModes)}
        {...form.getInputProps('outputMode')}
      />
      <CredentialChoice form={form} kind="tts" hint={texts.ttsHint} />
      <Switch label={texts.autoDetect} {...form.getInputProps('autoDetectSpokenLanguage', { type: 'checkbox' })} />
      <TagsInput label={texts.spokenLanguages} {...languages} {...form.getInputProps('spokenLanguages')} />
      <TagsInput label={texts.listenLanguages} {...languages} {...form.getInputProps('listenLanguages')} />
    </FormModal>
  );
}

interface CredentialChoiceProps {
  form: UseFormReturnType<Values>;
  kind: 'stt' | 'llm' | 'tts';
  hint?: string;
}

function CredentialChoice({ form, kind, hint }: CredentialChoiceProps) {
  const { data: nickNames } = useCredentialNames(kind);
  const description = nickNames?.length === 0 ? texts.noCredential : hint;
  return (
    <Select
      label={texts[kind]}
      data={nickNames ?? []}
      clearable={kind === 'tts'}
      {...(description !== undefined && { description })}
      {...form.getInputProps(`${kind}NickName`)}
    />
  );
}
