import { NumberInput, SimpleGrid, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { shownKey } from '../../api/resource.js';
import { numberText } from '../../parts/formats.js';
import { FormCard, useRefetched } from '../../parts/forms.js';
import { Loaded, Section } from '../../parts/page.js';
import { environmentNames } from '../../parts/values.js';
import {
  readBalance,
  readLimits,
  setLimits,
  setMinutes,
  type Balance,
  type Limit,
  type Limits,
} from './administration-api.js';

const mostMinutes = 1_000_000_000;

export function AccountMinutes({ accountID }: { accountID: string }) {
  const query = useQuery({
    queryKey: shownKey('admin', 'balance', accountID),
    queryFn: ({ signal }) => readBalance(accountID, signal),
  });
  return (
    <Section title="Minutes left" text="The minutes that are left now. A number that you set replaces them.">
      <Loaded query={query} height={160}>
        {balance => (
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
            {(['sandbox', 'production'] as const).map(type => {
              return <MinutesForm key={type} accountID={accountID} type={type} minutes={balance[type]} />;
            })}
          </SimpleGrid>
        )}
      </Loaded>
    </Section>
  );
}

interface MinutesFormProps {
  accountID: string;
  type: keyof Balance;
  minutes: Balance['sandbox'];
}

function minutesProblem(minutes: number): string | null {
  return Number.isInteger(minutes) && minutes >= 0 && minutes <= mostMinutes
    ? null
    : 'Enter whole minutes from 0 to 1,000,000,000.';
}

function MinutesForm({ accountID, type, minutes }: MinutesFormProps) {
  const form = useForm({
    initialValues: { ...minutes },
    validate: { meetingMinutes: minutesProblem, recordingMinutes: minutesProblem },
  });
  useRefetched(form, minutes);
  const bounds = { min: 0, max: mostMinutes, allowDecimal: false };
  return (
    <FormCard
      label={environmentNames[type]}
      form={form}
      submitLabel={`Set ${type} minutes`}
      run={values => setMinutes(accountID, { type, ...values })}
      success="The minutes were set."
      changes={['admin']}
    >
      <Text fw={600}>{environmentNames[type]}</Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberInput label="Meeting minutes" {...bounds} {...form.getInputProps('meetingMinutes')} />
        <NumberInput label="Recording minutes" {...bounds} {...form.getInputProps('recordingMinutes')} />
      </SimpleGrid>
    </FormCard>
  );
}

const limitNames = {
  activeRooms: 'Active rooms',
  keys: 'Disposable keys and keys of sub-users',
  users: 'Dashboard users and open invitations',
  webhooks: 'Webhooks',
  sessionsPerRoom: 'External sessions of one room',
  sessionsPerAccount: 'External sessions of the account',
  encoderPlaces: 'Places of SRT and RTMP sessions',
  viewersPerPlayback: 'Viewers of one playback',
  viewersPerAccount: 'Viewers of all playbacks',
  restreamsPerSession: 'Restreams of one external session',
  restreamsPerAccount: 'Restreams of the account',
  compositionsPerAccount: 'Recordings and broadcasts of whole rooms',
  sourcePixels: 'Pixels of an encoded picture',
  sourcePixelsPerSecond: 'Encoded pixels a second',
} as const;

const names = Object.keys(limitNames) as Limit[];

export function AccountLimits({ accountID }: { accountID: string }) {
  const query = useQuery({
    queryKey: shownKey('admin', 'limits', accountID),
    queryFn: ({ signal }) => readLimits(accountID, signal),
  });
  return (
    <Section
      title="Limits"
      text="The most that the account may have at one time. An empty field means the plan’s default."
    >
      <Loaded query={query} height={120}>
        {limits => <LimitsForm accountID={accountID} limits={limits} />}
      </Loaded>
    </Section>
  );
}

/** A number field without a number holds an empty text. */
type Field = number | '';
type Fields = Record<Limit, Field>;

function forEachName<Value>(valueOf: (name: Limit) => Value): Record<Limit, Value> {
  return Object.fromEntries(names.map(name => [name, valueOf(name)])) as Record<Limit, Value>;
}

function limitProblem(value: Field): string | null {
  return value === '' || (Number.isInteger(value) && value >= 0)
    ? null
    : 'Enter a whole number of at least 0, or leave the field empty.';
}

function LimitsForm({ accountID, limits }: { accountID: string; limits: Limits }) {
  const fieldOf = (name: Limit): Field => (limits[name].value === limits[name].default ? '' : limits[name].value);
  const stored = forEachName(fieldOf);
  const form = useForm<Fields>({ initialValues: stored, validate: forEachName(() => limitProblem) });
  useRefetched(form, stored);
  const save = (values: Fields) => {
    const changes = forEachName(name => (values[name] === '' ? null : values[name]));
    return setLimits(accountID, changes);
  };
  return (
    <FormCard
      label="Limits"
      form={form}
      submitLabel="Set limits"
      run={save}
      success="The limits were set."
      changes={['admin']}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {names.map(name => (
          <NumberInput
            key={name}
            label={limitNames[name]}
            placeholder={`Plan: ${numberText(limits[name].default)}`}
            min={0}
            allowDecimal={false}
            {...form.getInputProps(name)}
          />
        ))}
      </SimpleGrid>
    </FormCard>
  );
}
