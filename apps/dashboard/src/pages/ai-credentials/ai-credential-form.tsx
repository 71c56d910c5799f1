import { JsonInput, PasswordInput, Select, SimpleGrid, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { choicesOf } from '../../parts/choices.js';
import { needed } from '../../parts/field-rules.js';
import { FormModal } from '../../parts/form-modal.js';
import { aiCredentialsTexts as texts } from '../../texts/ai-credentials.js';
import {
  addressProblem,
  optionsProblem,
  saveCredential,
  valuesOf,
  type AiCredentialValues,
} from './ai-credential-values.js';
import type { AiCredential } from './ai-credentials-api.js';

interface AiCredentialFormProps {
  edited: AiCredential | 'new' | undefined;
  onClose: () => void;
}

export function AiCredentialForm({ edited, onClose }: AiCredentialFormProps) {
  const credential = typeof edited === 'object' ? edited : undefined;
  const isOpen = edited !== undefined;
  return <Form key={credential?.aiCredentialID ?? 'new'} credential={credential} isOpen={isOpen} onClose={onClose} />;
}

interface FormProps {
  credential: AiCredential | undefined;
  isOpen: boolean;
  onClose: () => void;
}

function Form({ credential, isOpen, onClose }: FormProps) {
  const form = useForm<AiCredentialValues>({
    initialValues: valuesOf(credential),
    validate: {
      nickName: needed(texts.nickNameNeeded),
      provider: needed(texts.providerNeeded),
      apiKey: credential ? () => null : needed(texts.apiKeyNeeded),
      baseUrl: addressProblem,
      options: optionsProblem,
    },
  });
  return (
    <FormModal
      title={credential ? texts.change : texts.add}
      size="lg"
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      run={values => saveCredential(credential, values)}
      success={credential ? texts.changed : texts.added}
      changes={['aiCredential', 'translationConfig']}
    >
      <TextInput
        label={texts.nickName}
        description={texts.nickNameHint}
        data-autofocus
        maxLength={64}
        {...form.getInputProps('nickName')}
      />
      <ProviderFields form={form} />
      <PasswordInput
        label={texts.apiKey}
        description={credential ? texts.apiKeyKept(credential.maskedApiKey) : texts.apiKeyHint}
        maxLength={4096}
        autoComplete="off"
        {...form.getInputProps('apiKey')}
      />
      <TextInput
        label={texts.baseUrl}
        description={texts.baseUrlHint}
        type="url"
        maxLength={2048}
        {...form.getInputProps('baseUrl')}
      />
      <JsonInput
        label={texts.options}
        description={texts.optionsHint}
        autosize
        minRows={2}
        maxRows={10}
        {...form.getInputProps('options')}
      />
    </FormModal>
  );
}

function ProviderFields({ form }: { form: UseFormReturnType<AiCredentialValues> }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }}>
      <Select label={texts.kind} data={choicesOf(texts.kinds)} allowDeselect={false} {...form.getInputProps('kind')} />
      <TextInput label={texts.provider} maxLength={64} {...form.getInputProps('provider')} />
      <TextInput label={texts.model} placeholder={texts.optional} maxLength={128} {...form.getInputProps('model')} />
    </SimpleGrid>
  );
}
