import { NumberInput, SegmentedControl, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { keyValidityDays, type Operation } from '@rtms/contracts';
import { FormModal } from '../../parts/form-modal.js';
import type { IssuedCredential } from '../../parts/issued-credential.js';
import { OperationChoice } from '../../parts/operation-choice.js';
import { apiKeysTexts as texts } from '../../texts/api-keys.js';
import {
  disposableKeys,
  issueDisposableKey,
  type DisposableKey,
  type IssuedDisposableKey,
} from './disposable-keys-api.js';

const types = (['sandbox', 'production'] as const).map(value => ({ value, label: texts.types[value] }));

interface Values {
  name: string;
  type: DisposableKey['type'];
  /** Empty text is what a number field without a number holds. */
  validityDays: number | '';
  operations: Operation[];
  domains: string[];
}

interface DisposableKeyFormProps {
  edited: DisposableKey | 'new' | undefined;
  onClose: () => void;
  onIssued: (key: IssuedCredential) => void;
}

export function DisposableKeyForm(props: DisposableKeyFormProps) {
  const key = typeof props.edited === 'object' ? props.edited : undefined;
  return <Form {...props} key={key?.keyID ?? 'new'} disposableKey={key} />;
}

const newKey: Values = { name: '', type: 'sandbox', validityDays: 30, operations: [], domains: [] };

function initialValues(key: DisposableKey | undefined): Values {
  if (!key) return newKey;
  const { name, type, validityDays, operations: granted, domains } = key;
  return { name, type, validityDays: validityDays ?? '', operations: granted, domains: domains ?? [] };
}

function daysProblem(days: number | ''): string | null {
  const isFine = days === '' || (Number.isInteger(days) && days >= keyValidityDays.min && days <= keyValidityDays.max);
  return isFine ? null : texts.validityWrong;
}

function save(key: DisposableKey | undefined, values: Values): Promise<DisposableKey | IssuedDisposableKey> {
  const { type, ...rest } = values;
  const validityDays = values.validityDays === '' ? null : values.validityDays;
  const fields = { ...rest, validityDays, domains: values.domains.length === 0 ? null : values.domains };
  return key ? disposableKeys.update({ keyID: key.keyID, ...fields }) : issueDisposableKey({ type, ...fields });
}

function Form({
  edited,
  onClose,
  onIssued,
  disposableKey,
}: DisposableKeyFormProps & { disposableKey?: DisposableKey | undefined }) {
  const form = useForm<Values>({
    initialValues: initialValues(disposableKey),
    validate: {
      name: name => (name.trim() === '' ? texts.nameNeeded : null),
      validityDays: daysProblem,
      operations: chosen => (chosen.length === 0 ? texts.operationsNeeded : null),
    },
  });
  return (
    <FormModal
      title={disposableKey ? texts.changeDisposable : texts.addDisposable}
      size="lg"
      isOpen={edited !== undefined}
      onClose={onClose}
      form={form}
      run={values => save(disposableKey, values)}
      {...(disposableKey && { success: texts.disposableChanged })}
      onDone={answer => 'apiKey' in answer && onIssued(answer)}
      changes={['disposableKey']}
    >
      <TextInput label={texts.name} data-autofocus maxLength={64} {...form.getInputProps('name')} />
      {!disposableKey && <SegmentedControl aria-label={texts.type} data={types} {...form.getInputProps('type')} />}
      <NumberInput
        label={texts.validity}
        description={texts.validityHint}
        {...keyValidityDays}
        {...form.getInputProps('validityDays')}
      />
      <OperationChoice
        label={texts.operations}
        description={texts.operationsHint}
        input={form.getInputProps('operations')}
        onChoose={chosen => form.setFieldValue('operations', chosen)}
      />
      <TagsInput label={texts.domains} description={texts.domainsHint} {...form.getInputProps('domains')} />
    </FormModal>
  );
}
