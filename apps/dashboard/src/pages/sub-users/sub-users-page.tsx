import { SegmentedControl, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconRefresh, IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { subUsers, type ActionFields, type ApiRecord, type SubUser } from '../../api/resource.js';
import { IconButton } from '../../parts/buttons.js';
import { EditableList, type RecordFormProps } from '../../parts/editable-list.js';
import { OperationChoice, SwitchField } from '../../parts/fields.js';
import { choicesOf, FormModal, needed } from '../../parts/forms.js';
import { operationCount, OverlapField, overlapRule } from '../../parts/keys.js';
import type { Column } from '../../parts/resource-table.js';
import { OnceShownSecret, type SecretPart } from '../../parts/secrets.js';
import { environmentNames, Monospace, StateBadge, Time, TwoLines } from '../../parts/values.js';

type IssuedSubUser = ApiRecord<'IssuedSubUser'>;
type IssuedKey = ApiRecord<'IssuedKey'>;

/** The response holds both keys, once. */
export async function addSubUser(fields: ActionFields<'CreateSubUserBody'>): Promise<IssuedSubUser> {
  return (await subUsers.act<{ subUser: IssuedSubUser }>('create', fields)).subUser;
}

/** The response holds the new key, once. */
export async function rotateSubUserKey(fields: ActionFields<'RotateSubUserKeyBody'>): Promise<IssuedKey> {
  return (await subUsers.act<{ key: IssuedKey }>('rotateKey', fields)).key;
}

const roles = { member: 'Member', parent: 'Parent' } as const;
const states = { active: 'Active', disabled: 'Disabled' } as const;

const columns: readonly Column<SubUser>[] = [
  { header: 'Name', cell: ({ name, email }) => <TwoLines first={name} second={email} /> },
  { header: 'Role', cell: ({ role }) => roles[role], visibleFrom: 'sm' },
  { header: 'State', cell: ({ state }) => <StateBadge state={state} label={states[state]} />, visibleFrom: 'sm' },
  {
    header: 'Permissions',
    cell: ({ permissions }) => <span title={permissions.join(', ')}>{operationCount(permissions)}</span>,
    visibleFrom: 'md',
  },
  { header: 'API username', cell: ({ apiUserName }) => <Monospace>{apiUserName}</Monospace>, visibleFrom: 'lg' },
  { header: 'Added', cell: ({ createdAt }) => <Time value={createdAt} />, visibleFrom: 'lg' },
];

interface Issued {
  title: string;
  parts: SecretPart[];
}

function keysOf({ apiUserName, apiKeys }: IssuedSubUser): Issued {
  const parts = [{ label: 'API username', value: apiUserName }];
  if (apiKeys.sandbox) parts.push({ label: 'Sandbox key', value: apiKeys.sandbox });
  if (apiKeys.production) parts.push({ label: 'Production key', value: apiKeys.production });
  return { title: 'The keys of the new sub-user', parts };
}

function keyOf({ apiUserName, apiKey }: IssuedKey): Issued {
  return {
    title: 'The new key',
    parts: [
      { label: 'API username', value: apiUserName },
      { label: 'API key', value: apiKey },
    ],
  };
}

export default function SubUsersPage() {
  const [rotated, setRotated] = useState<SubUser>();
  const [issued, setIssued] = useState<Issued>();
  return (
    <>
      <EditableList
        title="Sub-users"
        description="Each sub-user has keys of its own for the API. The account pays for the minutes. People who sign in to the dashboard are on the page Team."
        icon={IconUsers}
        noun="sub-user"
        resource={subUsers}
        columns={columns}
        nameOf={({ name }) => name}
        deleteText={name => `The gateway refuses the keys of ${name} from now on. This cannot be undone.`}
        emptyTitle="No sub-users yet"
        emptyText="Add one for each server or service. Grant each only the operations that it needs."
        rowActions={subUser => (
          <IconButton
            label={`Rotate a key of ${subUser.name}`}
            icon={IconRefresh}
            onClick={() => setRotated(subUser)}
          />
        )}
        form={props => <SubUserForm {...props} onIssued={added => setIssued(keysOf(added))} />}
      />
      <RotateKeyForm subUser={rotated} onClose={() => setRotated(undefined)} onIssued={key => setIssued(keyOf(key))} />
      <OnceShownSecret
        title={issued?.title ?? 'The new key'}
        parts={issued?.parts}
        onClose={() => setIssued(undefined)}
      />
    </>
  );
}

interface SubUserFormProps extends RecordFormProps<SubUser> {
  onIssued: (subUser: IssuedSubUser) => void;
}

interface Values extends Pick<SubUser, 'name' | 'email' | 'role' | 'permissions'> {
  isActive: boolean;
}

function initialValues(subUser: SubUser | undefined): Values {
  if (!subUser) return { name: '', email: '', role: 'member', permissions: [], isActive: true };
  const { name, email, role, permissions, state } = subUser;
  return { name, email, role, permissions, isActive: state === 'active' };
}

function save(subUser: SubUser | undefined, { isActive, ...fields }: Values): Promise<SubUser | IssuedSubUser> {
  if (!subUser) return addSubUser(fields);
  return subUsers.update(subUser, { ...fields, state: isActive ? 'active' : 'disabled' });
}

function SubUserForm({ record, modal, onIssued }: SubUserFormProps) {
  const form = useForm<Values>({
    initialValues: initialValues(record),
    validate: {
      name: needed('Enter a name.'),
      email: email => (/^\S+@\S+\.\S+$/.test(email.trim()) ? null : 'Enter an email address.'),
    },
  });
  return (
    <FormModal
      {...modal}
      size="lg"
      form={form}
      run={values => save(record, values)}
      onDone={answer => 'apiKeys' in answer && onIssued(answer)}
    >
      <TextInput label="Name" data-autofocus maxLength={64} {...form.getInputProps('name')} />
      <TextInput label="Email" type="email" maxLength={254} {...form.getInputProps('email')} />
      <Select
        label="Role"
        description="A parent also has their own event and recording settings."
        data={choicesOf(roles)}
        allowDeselect={false}
        {...form.getInputProps('role')}
      />
      {record && (
        <SwitchField
          form={form}
          name="isActive"
          label="Active"
          description="The gateway refuses the keys of a disabled sub-user."
        />
      )}
      <OperationChoice
        form={form}
        name="permissions"
        label="Permissions"
        description="The operations that the keys of this sub-user may use."
      />
    </FormModal>
  );
}

interface RotateKeyFormProps {
  /** undefined: the form is closed. */
  subUser: SubUser | undefined;
  onClose: () => void;
  onIssued: (key: IssuedKey) => void;
}

function RotateKeyForm({ subUser, onClose, onIssued }: RotateKeyFormProps) {
  const form = useForm<{ type: IssuedKey['type']; overlapHours: number }>({
    initialValues: { type: 'sandbox', overlapHours: 24 },
    validate: { overlapHours: overlapRule },
  });
  const { sandbox, production } = environmentNames;
  return (
    <FormModal
      title={subUser ? `Rotate a key of ${subUser.name}` : 'Rotate a key'}
      isOpen={subUser !== undefined}
      onClose={onClose}
      form={form}
      run={values => rotateSubUserKey({ subUserID: subUser?.subUserID ?? '', ...values })}
      onDone={onIssued}
      changes={['subUser']}
      submitLabel="Rotate"
    >
      <SegmentedControl aria-label="Key" data={choicesOf({ sandbox, production })} {...form.getInputProps('type')} />
      <OverlapField input={form.getInputProps('overlapHours')} />
    </FormModal>
  );
}
