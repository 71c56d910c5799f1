import { Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormModal } from '../../parts/form-modal.js';
import { domainsTexts as texts } from '../../texts/domains.js';
import { domains, type Domain } from './domains-api.js';

interface DomainFormProps {
  /** Nothing: the form is closed. */
  edited: Domain | 'new' | undefined;
  onClose: () => void;
}

function problemOf(domain: string): string | null {
  if (domain.trim() === '') return texts.domainNeeded;
  return /[/:\s]/.test(domain.trim()) ? texts.noAddress : null;
}

/** The key makes it a new form for each domain, so that it starts from that domain's values. */
export function DomainForm({ edited, onClose }: DomainFormProps) {
  const domain = typeof edited === 'object' ? edited : undefined;
  return <Form key={domain?.domainID ?? 'new'} domain={domain} isOpen={edited !== undefined} onClose={onClose} />;
}

interface FormProps {
  domain: Domain | undefined;
  isOpen: boolean;
  onClose: () => void;
}

function Form({ domain, isOpen, onClose }: FormProps) {
  const form = useForm({
    initialValues: { domain: domain?.domain ?? '', enabled: domain?.enabled ?? true },
    validate: { domain: problemOf },
  });
  return (
    <FormModal
      title={domain ? texts.change : texts.add}
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      run={values => (domain ? domains.update({ domainID: domain.domainID, ...values }) : domains.create(values))}
      success={domain ? texts.changed : texts.added}
      changes={['domain']}
    >
      <TextInput label={texts.domain} description={texts.domainHint} data-autofocus {...form.getInputProps('domain')} />
      <Switch
        label={texts.enabled}
        description={texts.enabledHint}
        {...form.getInputProps('enabled', { type: 'checkbox' })}
      />
    </FormModal>
  );
}
