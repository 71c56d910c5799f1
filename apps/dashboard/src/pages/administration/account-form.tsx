import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormModal } from '../../parts/form-modal.js';
import { administrationTexts as texts } from '../../texts/administration.js';
import { createAccount } from './administration-api.js';

export function AccountForm({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const form = useForm({
    initialValues: { name: '', apiUserName: '' },
    validate: {
      name: name => (/^.{1,64}$/u.test(name.trim()) ? null : texts.nameNeeded),
      apiUserName: name => (name === '' || /^[A-Za-z0-9]{6,32}$/.test(name) ? null : texts.apiUserNameWrong),
    },
  });
  return (
    <FormModal
      title={texts.addAccount}
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      run={({ name, apiUserName }) => createAccount({ name: name.trim(), ...(apiUserName !== '' && { apiUserName }) })}
      success={texts.accountAdded}
      changes={['admin']}
    >
      <TextInput label={texts.name} data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label={texts.apiUserName}
        description={texts.apiUserNameHint}
        autoComplete="off"
        {...form.getInputProps('apiUserName')}
      />
    </FormModal>
  );
}
