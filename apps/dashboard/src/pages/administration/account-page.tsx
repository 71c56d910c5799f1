import { Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconPencil, IconTicket } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'wouter';
import { listOf, shownKey, type DisposableKey } from '../../api/resource.js';
import { useAction } from '../../parts/actions.js';
import { ConfirmButton, CopyButton } from '../../parts/buttons.js';
import { FormModal, useRefetched } from '../../parts/forms.js';
import { disposableKeyColumns, MainKeys } from '../../parts/keys.js';
import { BackLink, LoadFailure, Page, Section, Waiting } from '../../parts/page.js';
import { TableSection } from '../../parts/resource-table.js';
import { entitlementNames, StateBadge } from '../../parts/values.js';
import { AccountLimits, AccountMinutes } from './account-limits.js';
import { AccountSwitch } from './account-switch.js';
import {
  accountPath,
  deleteAccount,
  findAccount,
  readEntitlements,
  readFeatures,
  renameAccount,
  restoreAccount,
  setEntitlement,
  setFeature,
  type Account,
} from './administration-api.js';
import { featureNames, SwitchList } from './switch-list.js';

export default function AccountPage() {
  const { accountID = '' } = useParams();
  const {
    data: account,
    error,
    refetch,
  } = useQuery({
    queryKey: shownKey('admin', 'account', accountID),
    queryFn: ({ signal }) => findAccount(accountID, signal),
  });
  return (
    <Page
      title={account?.name ?? 'Account'}
      description={<Description account={account} isLoading={!error} />}
      actions={account && <AccountActions account={account} />}
    >
      {error && !account ? (
        <LoadFailure error={error} onRetry={() => void refetch()} />
      ) : (
        <Parts accountID={accountID} />
      )}
    </Page>
  );
}

function Description({ account, isLoading }: { account: Account | undefined; isLoading: boolean }) {
  return (
    <Stack gap={4}>
      <BackLink href="/accounts" label="Accounts" />
      {account && (
        <Group gap="xs">
          <StateBadge state={account.state} />
          <Text ff="monospace" size="sm">
            {account.accountID}
          </Text>
          <CopyButton value={account.accountID} what="Account ID" />
        </Group>
      )}
      {!account && isLoading && <Waiting h={18} w={240} />}
    </Stack>
  );
}

function Parts({ accountID }: { accountID: string }) {
  return (
    <Stack gap="lg">
      <AccountMinutes accountID={accountID} />
      <AccountLimits accountID={accountID} />
      <AccountKeys accountID={accountID} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Section title="Entitlements" text="The media features that the account may use.">
          <SwitchList
            label="Entitlements"
            queryKey={shownKey('admin', 'entitlements', accountID)}
            read={signal => readEntitlements(accountID, signal)}
            write={(entitlement, isGranted) => setEntitlement(accountID, entitlement, isGranted)}
            names={entitlementNames}
          />
        </Section>
        <Section title="Features of this account" text="A feature that is off for the platform is off here, too.">
          <SwitchList
            label="Features of this account"
            queryKey={shownKey('admin', 'features', accountID)}
            read={signal => readFeatures(accountID, signal)}
            write={(feature, isOn) => setFeature(accountID, feature, isOn)}
            names={featureNames}
          />
        </Section>
      </SimpleGrid>
    </Stack>
  );
}

function AccountActions({ account }: { account: Account }) {
  const [isRenaming, setIsRenaming] = useState(false);
  const { accountID, name, state } = account;
  const restore = useAction({
    run: () => restoreAccount(accountID),
    success: 'The account was restored. It stays disabled until you enable it.',
    changes: ['admin'],
  });
  return (
    <Group>
      <Button
        variant="light"
        leftSection={<IconPencil size={16} aria-hidden />}
        onClick={() => setIsRenaming(true)}
        aria-label={`Rename ${name}`}
      >
        Rename
      </Button>
      {state === 'deleted' ? (
        <Button variant="light" loading={restore.isPending} onClick={() => restore.mutate()}>
          {`Restore ${name}`}
        </Button>
      ) : (
        <>
          <AccountSwitch account={account} withLabel />
          <ConfirmButton
            label={`Delete ${name}`}
            withLabel
            title="Delete this account?"
            text={`The gateway refuses the keys of ${name} from now on, and ends its rooms. After the retention period (30 days by default) it removes all data of the account. Until then you can restore the account.`}
            run={() => deleteAccount(accountID)}
            success="The account was deleted."
            changes={['admin']}
          />
        </>
      )}
      <RenameForm account={account} isOpen={isRenaming} onClose={() => setIsRenaming(false)} />
    </Group>
  );
}

interface RenameFormProps {
  account: Account;
  isOpen: boolean;
  onClose: () => void;
}

function RenameForm({ account: { accountID, name }, isOpen, onClose }: RenameFormProps) {
  const form = useForm({
    initialValues: { name },
    validate: { name: text => (/^.{1,64}$/u.test(text.trim()) ? null : 'Enter a name of at most 64 characters.') },
  });
  useRefetched(form, { name });
  return (
    <FormModal
      title={`Rename ${name}`}
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      run={values => renameAccount(accountID, values.name.trim())}
      success="The account was renamed."
      changes={['admin']}
    >
      <TextInput label="Name" data-autofocus {...form.getInputProps('name')} />
    </FormModal>
  );
}

function AccountKeys({ accountID }: { accountID: string }) {
  return (
    <>
      <Section title="Main keys">
        <MainKeys path={accountPath(accountID, '/keys')} kind="admin" />
      </Section>
      <TableSection
        title="Disposable keys"
        queryKey={shownKey('admin', 'disposableKeys', accountID)}
        list={(page, signal) =>
          listOf<DisposableKey>(accountPath(accountID, '/disposable-keys'), 'disposableKeys', { ...page }, signal)
        }
        rowKey={({ keyID }) => keyID}
        columns={disposableKeyColumns}
        empty={{
          icon: IconTicket,
          title: 'No disposable keys',
          text: 'The owner of the account creates and revokes disposable keys.',
        }}
      />
    </>
  );
}
