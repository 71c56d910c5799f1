import {
  Fieldset,
  NumberInput,
  PasswordInput,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { agents, shownKey, sipConfigs, type ActionFields, type ApiRecord, type SipConfig } from '../../api/resource.js';
import type { RecordFormProps } from '../../parts/editable-list.js';
import { SwitchField } from '../../parts/fields.js';
import { FormModal, needed, wholeNumber } from '../../parts/forms.js';

type SipPeer = ApiRecord<'SipPeer'>;
type SipFields = ActionFields<'CreateSipConfigBody'>;
type PeerName = 'peer' | 'backupPeer';

interface PeerValues extends Pick<SipPeer, 'host' | 'port' | 'transport' | 'register'> {
  isUsed: boolean;
  username: string;
  /** Empty: the stored password stays. */
  password: string;
}

interface Values extends Omit<SipConfig, 'sipConfigID' | 'provider' | 'createdAt' | 'updatedAt' | PeerName> {
  provider: string;
  peer: PeerValues;
  backupPeer: PeerValues;
}

const switches = {
  supportSipActive: 'In use',
  allowOutgoing: 'Outgoing calls',
  audioOnly: 'Sound only',
  autoRecordSip: 'Record every call',
  preferPCMA: 'Prefer PCMA',
} as const;
const switchNames = Object.keys(switches) as (keyof typeof switches)[];
const mostNetworks = 64;

const blankPeer: PeerValues = {
  isUsed: false,
  host: '',
  port: 5060,
  transport: 'UDP',
  register: false,
  username: '',
  password: '',
};

const blank: Values = {
  contactNumber: '',
  provider: '',
  supportSipActive: true,
  allowOutgoing: true,
  audioOnly: false,
  autoRecordSip: false,
  preferPCMA: false,
  allowedIPs: [],
  agentID: null,
  peer: blankPeer,
  backupPeer: blankPeer,
};

function valuesOf(config: SipConfig | undefined): Values {
  if (!config) return blank;
  const { provider, peer, backupPeer, ...same } = config;
  return { ...same, provider: provider ?? '', peer: peerValuesOf(peer), backupPeer: peerValuesOf(backupPeer) };
}

function peerValuesOf(peer: SipPeer | null): PeerValues {
  if (!peer) return blankPeer;
  const { host, port, transport, register, username } = peer;
  return { isUsed: true, host, port, transport, register, username: username ?? '', password: '' };
}

function fieldsOf(values: Values): SipFields {
  const { contactNumber, provider, agentID, allowedIPs, peer, backupPeer } = values;
  const { supportSipActive, allowOutgoing, audioOnly, autoRecordSip, preferPCMA } = values;
  return {
    ...{ supportSipActive, allowOutgoing, audioOnly, autoRecordSip, preferPCMA, allowedIPs, agentID },
    contactNumber: contactNumber.trim(),
    provider: provider.trim() || null,
    peer: peerFieldsOf(peer),
    backupPeer: peerFieldsOf(backupPeer),
  };
}

/** The gateway keeps a password that is left out, unless host or username change. */
function peerFieldsOf({ isUsed, password, username, ...rest }: PeerValues): NonNullable<SipFields['peer']> | null {
  if (!isUsed) return null;
  return { ...rest, username: username.trim() || null, ...(password !== '' && { password }) };
}

function whenUsed<Value>(which: PeerName, rule: (value: Value) => string | null) {
  return (value: Value, values: Values) => (values[which].isUsed ? rule(value) : null);
}

const peerRules = (which: PeerName) => ({
  host: whenUsed(which, needed('Enter a host name or an IP address.')),
  port: whenUsed(which, wholeNumber(1, 65_535, 'Enter a whole number from 1 to 65535.')),
});

const rules = {
  contactNumber: (number: string) =>
    /^\+[1-9]\d{1,14}$/.test(number.trim()) ? null : 'Enter a number such as +14155550100.',
  peer: peerRules('peer'),
  backupPeer: peerRules('backupPeer'),
};

export function SipConfigForm({ record, modal }: RecordFormProps<SipConfig>) {
  const form = useForm<Values>({ initialValues: valuesOf(record), validate: rules });
  const { data: choices = [] } = useQuery({
    queryKey: shownKey('agent', 'newest'),
    queryFn: ({ signal }) => agents.newest(signal),
  });
  const save = (values: Values) =>
    record ? sipConfigs.update(record, fieldsOf(values)) : sipConfigs.create(fieldsOf(values));
  return (
    <FormModal {...modal} size="lg" form={form} run={save}>
      <TextInput
        label="Number"
        description="With its country code, such as +14155550100."
        type="tel"
        data-autofocus
        {...form.getInputProps('contactNumber')}
      />
      <TextInput label="Provider" placeholder="Optional" maxLength={64} {...form.getInputProps('provider')} />
      <Select
        label="Agent"
        description="The agent that answers. Add agents on the page “Agents”."
        placeholder="Optional"
        data={choices.map(({ agentID, name }) => ({ value: agentID, label: name }))}
        clearable
        searchable
        {...form.getInputProps('agentID')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {switchNames.map(name => (
          <SwitchField key={name} form={form} name={name} label={switches[name]} />
        ))}
      </SimpleGrid>
      <TagsInput
        label="Only from these networks"
        description="Such as 192.0.2.0/24. Press Enter after each. If empty, calls may come from anywhere."
        maxTags={mostNetworks}
        {...form.getInputProps('allowedIPs')}
      />
      <PeerFields form={form} which="peer" legend="SIP server" stored={record?.peer} />
      <PeerFields form={form} which="backupPeer" legend="Backup SIP server" stored={record?.backupPeer} />
    </FormModal>
  );
}

interface PeerFieldsProps {
  form: UseFormReturnType<Values>;
  which: PeerName;
  legend: string;
  stored: SipPeer | null | undefined;
}

function PeerFields({ form, which, legend, stored }: PeerFieldsProps) {
  return (
    <Fieldset legend={legend}>
      <Stack>
        <Switch
          label={which === 'peer' ? 'Use your own SIP server' : 'Use a backup SIP server'}
          {...form.getInputProps(`${which}.isUsed`, { type: 'checkbox' })}
        />
        {form.values[which].isUsed && <UsedPeerFields form={form} which={which} stored={stored} />}
      </Stack>
    </Fieldset>
  );
}

function UsedPeerFields({ form, which, stored }: Omit<PeerFieldsProps, 'legend'>) {
  const masked = stored?.maskedPassword ?? null;
  const hint =
    masked === null
      ? 'Stored encrypted. The dashboard never shows it again.'
      : `Leave empty to keep ${masked}. A change of host or username deletes it.`;
  return (
    <>
      <TextInput label="Host" {...form.getInputProps(`${which}.host`)} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberInput label="Port" thousandSeparator="" min={1} max={65_535} {...form.getInputProps(`${which}.port`)} />
        <Select
          label="Transport"
          data={['UDP', 'TCP', 'TLS']}
          allowDeselect={false}
          {...form.getInputProps(`${which}.transport`)}
        />
        <TextInput
          label="Username"
          maxLength={128}
          placeholder="Optional"
          autoComplete="off"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.getInputProps(`${which}.username`)}
        />
        <PasswordInput
          label="Password"
          description={hint}
          maxLength={256}
          autoComplete="new-password"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.getInputProps(`${which}.password`)}
        />
      </SimpleGrid>
      <Switch label="Register there" {...form.getInputProps(`${which}.register`, { type: 'checkbox' })} />
    </>
  );
}
