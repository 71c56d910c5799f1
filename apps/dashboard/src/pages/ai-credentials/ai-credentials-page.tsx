import { JsonInput, PasswordInput, Select, SimpleGrid, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconSparkles } from '@tabler/icons-react';
import { useState } from 'react';
import { aiCredentials, type ActionFields, type AiCredential } from '../../api/resource.js';
import { EditableList, type RecordFormProps } from '../../parts/editable-list.js';
import { isHttpsAddress } from '../../parts/formats.js';
import { choicesOf, FormModal, needed } from '../../parts/forms.js';
import type { Column } from '../../parts/resource-table.js';
import { aiKindNames, Monospace, Time, TwoLines } from '../../parts/values.js';

const columns: readonly Column<AiCredential>[] = [
  { header: 'Nickname', cell: ({ nickName }) => <TwoLines first={nickName} /> },
  { header: 'Kind', cell: ({ kind }) => aiKindNames[kind] },
  { header: 'Provider', cell: ({ provider }) => provider, visibleFrom: 'sm' },
  { header: 'Model', cell: ({ model }) => model ?? '–', visibleFrom: 'md' },
  { header: 'API key', cell: ({ maskedApiKey }) => <Monospace>{maskedApiKey}</Monospace>, visibleFrom: 'md' },
  { header: 'Last changed', cell: ({ updatedAt }) => <Time value={updatedAt} />, visibleFrom: 'lg' },
];

export default function AiCredentialsPage() {
  const [kind, setKind] = useState<AiCredential['kind'] | null>(null);
  return (
    <EditableList
      title="AI credentials"
      description="Your own keys of AI providers. Nobody can read a key again."
      storedOnly="The service keeps these keys encrypted. It does not call AI providers yet."
      icon={IconSparkles}
      noun="credential"
      resource={aiCredentials}
      filter={{ kind }}
      columns={columns}
      nameOf={({ nickName }) => nickName}
      deleteText={name => `${name} and its key are deleted. You cannot delete a credential in use.`}
      emptyTitle={kind === null ? 'No AI credentials yet' : 'No credential of this kind'}
      emptyText="Add a provider’s key. Translation configurations can then name it."
      form={props => <AiCredentialForm {...props} />}
    >
      <Select
        aria-label="Kind"
        placeholder="All kinds"
        data={choicesOf(aiKindNames)}
        value={kind}
        onChange={setKind}
        clearable
        w={220}
      />
    </EditableList>
  );
}

interface Values {
  nickName: string;
  kind: AiCredential['kind'];
  provider: string;
  model: string;
  /** Empty: the stored key stays. */
  apiKey: string;
  baseUrl: string;
  /** JSON. */
  options: string;
}

const blank: Values = { nickName: '', kind: 'llm', provider: '', model: '', apiKey: '', baseUrl: '', options: '' };

function valuesOf({ nickName, kind, provider, model, baseUrl, options }: AiCredential): Values {
  const optionsText = Object.keys(options).length === 0 ? '' : JSON.stringify(options, null, 2);
  return { nickName, kind, provider, model: model ?? '', apiKey: '', baseUrl: baseUrl ?? '', options: optionsText };
}

function parsedOptions(text: string): object | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function baseUrlProblem(text: string): string | null {
  return text.trim() === '' || isHttpsAddress(text.trim()) ? null : 'Enter an address that begins with https://.';
}

function save(record: AiCredential | undefined, { apiKey, model, baseUrl, options, ...same }: Values) {
  const fields = {
    ...same,
    model: model.trim() || null,
    baseUrl: baseUrl.trim() || null,
    // The OpenAPI document leaves the fields of this object to the provider.
    options: (parsedOptions(options) ?? {}) as NonNullable<ActionFields<'CreateAiCredentialBody'>['options']>,
  };
  if (!record) return aiCredentials.create({ ...fields, apiKey });
  return aiCredentials.update(record, { ...fields, ...(apiKey !== '' && { apiKey }) });
}

function AiCredentialForm({ record, modal }: RecordFormProps<AiCredential>) {
  const form = useForm<Values>({
    initialValues: record ? valuesOf(record) : blank,
    validate: {
      nickName: needed('Enter a nickname.'),
      provider: needed('Enter the provider.'),
      apiKey: record ? () => null : needed('Enter the key.'),
      baseUrl: baseUrlProblem,
      options: text => (parsedOptions(text) ? null : 'Enter a JSON object.'),
    },
  });
  return (
    <FormModal
      {...modal}
      size="lg"
      form={form}
      run={values => save(record, values)}
      changes={['aiCredential', 'translationConfig']}
    >
      <TextInput
        label="Nickname"
        description="Unique. Translation configurations refer to it."
        data-autofocus
        maxLength={64}
        {...form.getInputProps('nickName')}
      />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <Select label="Kind" data={choicesOf(aiKindNames)} allowDeselect={false} {...form.getInputProps('kind')} />
        <TextInput label="Provider" maxLength={64} {...form.getInputProps('provider')} />
        <TextInput label="Model" placeholder="Optional" maxLength={128} {...form.getInputProps('model')} />
      </SimpleGrid>
      <PasswordInput
        label="Provider’s API key"
        description={
          record
            ? `Leave empty to keep ${record.maskedApiKey}.`
            : 'Stored encrypted. The dashboard never shows it again.'
        }
        maxLength={4096}
        autoComplete="off"
        {...form.getInputProps('apiKey')}
      />
      <TextInput
        label="Address"
        description="Optional, https. If you change the host, enter the key again."
        type="url"
        maxLength={2048}
        {...form.getInputProps('baseUrl')}
      />
      <JsonInput
        label="Options"
        description="Optional: a JSON object for the provider, at most 4 KiB."
        autosize
        minRows={2}
        maxRows={10}
        {...form.getInputProps('options')}
      />
    </FormModal>
  );
}
