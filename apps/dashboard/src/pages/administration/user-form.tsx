import { SegmentedControl, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { DashboardRole } from '@rtms/contracts';
import { useQuery } from '@tanstack/react-query';
import { shownKey } from '../../api/query-keys.js';
import { choicesOf } from '../../parts/choices.js';
import { needed } from '../../parts/field-rules.js';
import { FormModal } from '../../parts/form-modal.js';
import { usersTexts as texts } from '../../texts/users.js';
import { listAccounts } from './administration-api.js';
import { createUser, type IssuedUser } from './users-api.js';

interface UserFormProps {
  isOpen: boolean;
  onClose: () => void;
  onIssued: (user: IssuedUser) => void;
}

interface Values {
  email: string;
  role: DashboardRole;
  accountID: string | null;
}

const rules = {
  email: needed(texts.emailNeeded),
  accountID: (accountID: string | null, { role }: Values) =>
    role === 'owner' && accountID === null ? texts.accountNeeded : null,
};

export function UserForm({ isOpen, onClose, onIssued }: UserFormProps) {
  const initialValues: Values = { email: '', role: 'owner', accountID: null };
  const form = useForm<Values>({ initialValues, validate: rules });
  return (
    <FormModal
      title={texts.add}
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      run={({ email, role, accountID }) =>
        createUser({ email: email.trim(), role, ...(role === 'owner' && accountID !== null && { accountID }) })
      }
      onDone={onIssued}
      changes={['admin']}
      submitLabel={texts.add}
    >
      <TextInput label={texts.email} type="email" autoComplete="off" data-autofocus {...form.getInputProps('email')} />
      <SegmentedControl aria-label={texts.role} data={choicesOf(texts.roles)} {...form.getInputProps('role')} />
      {form.values.role === 'owner' && <AccountChoice input={form.getInputProps('accountID')} />}
    </FormModal>
  );
}

/** Of the newest hundred, by name. */
function AccountChoice({ input }: { input: object }) {
  const { data } = useQuery({
    queryKey: shownKey('admin', 'accounts', 'choice'),
    queryFn: ({ signal }) => listAccounts({ startIndex: 0, pageSize: 100 }, signal),
  });
  const choices = data?.items.map(({ accountID, name, apiUserName }) => ({
    value: accountID,
    label: `${name} (${apiUserName})`,
  }));
  return <Select label={texts.account} data={choices ?? []} searchable {...input} />;
}
