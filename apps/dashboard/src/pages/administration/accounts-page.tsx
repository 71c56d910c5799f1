import { Anchor, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconBuilding } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { shownKey } from '../../api/resource.js';
import { AddButton } from '../../parts/buttons.js';
import { FormModal } from '../../parts/forms.js';
import { Page } from '../../parts/page.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { Monospace, StateBadge, Time } from '../../parts/values.js';
import { AccountSwitch } from './account-switch.js';
import { createAccount, listAccounts, type Account } from './administration-api.js';

const columns: readonly Column<Account>[] = [
  {
    header: 'Name',
    cell: ({ accountID, name }) => (
      <Anchor component={Link} href={`/accounts/${accountID}`} fw={500} aria-label={`Open ${name}`}>
        {name}
      </Anchor>
    ),
  },
  { header: 'API username', cell: ({ apiUserName }) => <Monospace>{apiUserName}</Monospace>, visibleFrom: 'sm' },
  { header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { header: 'Created', cell: ({ createdAt }) => <Time value={createdAt} />, visibleFrom: 'md' },
];

export default function AccountsPage() {
  const [isAdding, setIsAdding] = useState(false);
  return (
    <Page
      title="Accounts"
      description="All accounts of this platform. The gateway refuses the keys of a disabled account and ends its rooms."
      actions={<AddButton label="New account" onClick={() => setIsAdding(true)} />}
    >
      <ResourceTable
        label="Accounts"
        queryKey={shownKey('admin', 'accounts')}
        list={listAccounts}
        rowKey={({ accountID }) => accountID}
        columns={columns}
        rowActions={account => account.state !== 'deleted' && <AccountSwitch account={account} />}
        empty={{
          icon: IconBuilding,
          title: 'No accounts yet',
          text: 'Create an account, then a dashboard user who owns it.',
        }}
      />
      <AccountForm isOpen={isAdding} onClose={() => setIsAdding(false)} />
    </Page>
  );
}

function AccountForm({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const form = useForm({
    initialValues: { name: '', apiUserName: '' },
    validate: {
      name: name => (/^.{1,64}$/u.test(name.trim()) ? null : 'Enter a name of at most 64 characters.'),
      apiUserName: name =>
        name === '' || /^[A-Za-z0-9]{6,32}$/.test(name) ? null : 'Enter 6 to 32 letters and digits.',
    },
  });
  return (
    <FormModal
      title="New account"
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      run={({ name, apiUserName }) => createAccount({ name: name.trim(), ...(apiUserName !== '' && { apiUserName }) })}
      success="The account was created."
      changes={['admin']}
    >
      <TextInput label="Name" data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label="API username"
        description="6 to 32 letters and digits. If empty, the service makes one."
        autoComplete="off"
        {...form.getInputProps('apiUserName')}
      />
    </FormModal>
  );
}
