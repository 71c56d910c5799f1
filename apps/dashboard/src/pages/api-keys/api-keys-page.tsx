import { Group, NumberInput, SegmentedControl, Stack, Tabs, TagsInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { dashboardApi, keyValidityDays, type Operation } from '@rtms/contracts';
import { IconKeyOff, IconPencil, IconTicket } from '@tabler/icons-react';
import { useState } from 'react';
import { disposableKeys, shownKey, type ActionFields, type ApiRecord, type DisposableKey } from '../../api/resource.js';
import { useHasRole, useSignedIn } from '../../api/session.js';
import { useAddressChoice } from '../../parts/address-choice.js';
import { AddButton, ConfirmButton, CopyButton, IconButton } from '../../parts/buttons.js';
import { OperationChoice } from '../../parts/fields.js';
import { choicesOf, FormModal, needed } from '../../parts/forms.js';
import { disposableKeyColumns, MainKeys } from '../../parts/keys.js';
import { Page } from '../../parts/page.js';
import { ResourceTable } from '../../parts/resource-table.js';
import { IssuedCredentialDialog, type IssuedCredential } from '../../parts/secrets.js';
import { environmentNames } from '../../parts/values.js';

type IssuedDisposableKey = ApiRecord<'IssuedDisposableKey'>;
type Creating = ActionFields<'CreateDisposableKeyBody'>;

const ownerTabs = ['main', 'disposable'] as const;
const developerTabs = ['disposable'] as const;

/** The main keys belong to owners. */
export default function ApiKeysPage() {
  const isOwner = useHasRole('owner');
  const values = isOwner ? ownerTabs : developerTabs;
  const [tab, setTab] = useAddressChoice({ name: 'tab', values, initial: isOwner ? 'main' : 'disposable' });
  return (
    <Page
      title="API keys"
      description="Your servers send your API username and a key. Keep both out of pages and apps."
    >
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List mb="lg">
          {isOwner && <Tabs.Tab value="main">Main keys</Tabs.Tab>}
          <Tabs.Tab value="disposable">Disposable keys</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="main">
          <Stack>
            <ApiUserName />
            <MainKeys path={`${dashboardApi}/keys`} kind="key" />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="disposable">
          <DisposableKeys />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function ApiUserName() {
  const name = useSignedIn().account?.apiUserName ?? '';
  return (
    <Group gap={4}>
      <Text size="sm" c="dimmed">
        API username
      </Text>
      <Text ff="monospace" fw={600}>
        {name}
      </Text>
      <CopyButton value={name} what="API username" />
    </Group>
  );
}

function DisposableKeys() {
  const [edited, setEdited] = useState<DisposableKey | 'new'>();
  const [issued, setIssued] = useState<IssuedCredential>();
  return (
    <Stack>
      <Group justify="flex-end">
        <AddButton label="Create disposable key" onClick={() => setEdited('new')} />
      </Group>
      <ResourceTable
        label="Disposable keys"
        queryKey={shownKey('disposableKey', 'list')}
        list={(page, signal) => disposableKeys.list(page, {}, signal)}
        rowKey={disposableKeys.idOf}
        columns={disposableKeyColumns}
        rowActions={key =>
          key.state === 'active' && (
            <>
              <IconButton label={`Change ${key.name}`} icon={IconPencil} onClick={() => setEdited(key)} />
              <ConfirmButton
                label={`Revoke ${key.name}`}
                icon={IconKeyOff}
                title="Revoke this key?"
                text={`The gateway refuses ${key.name} from now on. This cannot be undone.`}
                confirmLabel="Revoke"
                run={() => disposableKeys.remove(key)}
                success="The key was revoked."
                changes={['disposableKey']}
              />
            </>
          )
        }
        empty={{
          icon: IconTicket,
          title: 'No disposable keys yet',
          text: 'Short-lived keys for widgets and integrations, with only the operations that you grant.',
        }}
      />
      <DisposableKeyForm
        key={typeof edited === 'object' ? edited.keyID : 'new'}
        edited={edited}
        onClose={() => setEdited(undefined)}
        onIssued={setIssued}
      />
      <IssuedCredentialDialog issued={issued} onClose={() => setIssued(undefined)} />
    </Stack>
  );
}

interface Values {
  name: string;
  type: DisposableKey['type'];
  /** A number field without a number holds an empty text. */
  validityDays: number | '';
  operations: Operation[];
  domains: string[];
}

function initialValues(key: DisposableKey | undefined): Values {
  if (!key) return { name: '', type: 'sandbox', validityDays: 30, operations: [], domains: [] };
  const { name, type, validityDays, operations, domains } = key;
  return { name, type, validityDays: validityDays ?? '', operations, domains: domains ?? [] };
}

function daysProblem(days: number | ''): string | null {
  const isFine = days === '' || (Number.isInteger(days) && days >= keyValidityDays.min && days <= keyValidityDays.max);
  return isFine ? null : 'Enter whole days from 1 to 3,650, or nothing.';
}

/** The response holds the key itself, once. */
export async function issueDisposableKey(fields: Creating): Promise<IssuedDisposableKey> {
  return (await disposableKeys.act<{ disposableKey: IssuedDisposableKey }>('create', fields)).disposableKey;
}

function save(key: DisposableKey | undefined, { type, ...rest }: Values): Promise<DisposableKey | IssuedDisposableKey> {
  const validityDays = rest.validityDays === '' ? null : rest.validityDays;
  const fields = { ...rest, validityDays, domains: rest.domains.length === 0 ? null : rest.domains };
  return key ? disposableKeys.update(key, fields) : issueDisposableKey({ type, ...fields });
}

interface DisposableKeyFormProps {
  /** undefined: the form is closed. */
  edited: DisposableKey | 'new' | undefined;
  onClose: () => void;
  onIssued: (key: IssuedCredential) => void;
}

function DisposableKeyForm({ edited, onClose, onIssued }: DisposableKeyFormProps) {
  const key = typeof edited === 'object' ? edited : undefined;
  const { sandbox, production } = environmentNames;
  const form = useForm<Values>({
    initialValues: initialValues(key),
    validate: {
      name: needed('Enter a name.'),
      validityDays: daysProblem,
      operations: chosen => (chosen.length === 0 ? 'Choose at least one operation.' : null),
    },
  });
  return (
    <FormModal
      title={key ? 'Change disposable key' : 'Create disposable key'}
      size="lg"
      isOpen={edited !== undefined}
      onClose={onClose}
      form={form}
      run={values => save(key, values)}
      success={key && 'The key was changed.'}
      onDone={answer => 'apiKey' in answer && onIssued(answer)}
      changes={['disposableKey']}
    >
      <TextInput label="Name" data-autofocus maxLength={64} {...form.getInputProps('name')} />
      {!key && (
        <SegmentedControl aria-label="Type" data={choicesOf({ sandbox, production })} {...form.getInputProps('type')} />
      )}
      <NumberInput
        label="Valid for (days)"
        description="Leave empty for a key that never expires."
        {...keyValidityDays}
        {...form.getInputProps('validityDays')}
      />
      <OperationChoice
        form={form}
        name="operations"
        label="Operations"
        description="Grant only the operations that the key needs."
      />
      <TagsInput
        label="Only from these domains"
        description="Optional. Host names; press Enter after each."
        {...form.getInputProps('domains')}
      />
    </FormModal>
  );
}
