import { Anchor, Button, Text } from '@mantine/core';
import { IconBuilding, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { shownKey } from '../../api/query-keys.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Page } from '../../parts/page.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { StateBadge } from '../../parts/state-badge.js';
import { Time } from '../../parts/time.js';
import { administrationTexts as texts } from '../../texts/administration.js';
import { AccountForm } from './account-form.js';
import { AccountSwitch } from './account-switch.js';
import { listAccounts, type Account } from './administration-api.js';

const columns: readonly Column<Account>[] = [
  {
    header: texts.name,
    cell: ({ accountID, name }) => (
      <Anchor component={Link} href={`/accounts/${accountID}`} fw={500} aria-label={texts.open(name)}>
        {name}
      </Anchor>
    ),
  },
  {
    header: texts.apiUserName,
    cell: ({ apiUserName }) => <Text ff="monospace">{apiUserName}</Text>,
    visibleFrom: 'sm',
  },
  { header: texts.state, cell: ({ state }) => <StateBadge state={state} /> },
  { header: texts.createdAt, cell: ({ createdAt }) => <Time value={createdAt} />, visibleFrom: 'md' },
];

export default function AccountsPage() {
  const [isAdding, setIsAdding] = useState(false);
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsAdding(true)}>
      {texts.addAccount}
    </Button>
  );
  return (
    <Page title={texts.accounts} description={texts.accountsDescription} actions={add}>
      <ResourceTable
        label={texts.accounts}
        queryKey={shownKey('admin', 'accounts')}
        list={listAccounts}
        rowKey={({ accountID }) => accountID}
        columns={columns}
        rowActions={account => account.state !== 'deleted' && <AccountSwitch account={account} />}
        empty={<EmptyState icon={IconBuilding} title={texts.accountsEmpty} text={texts.accountsEmptyText} />}
      />
      <AccountForm isOpen={isAdding} onClose={() => setIsAdding(false)} />
    </Page>
  );
}
