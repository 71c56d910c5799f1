import { NativeSelect, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { listOf, shownKey, type ApiRecord } from '../../api/resource.js';
import { useSignedIn } from '../../api/session.js';
import { useAddressChoice } from '../../parts/address-choice.js';
import { choicesOf } from '../../parts/forms.js';
import { Page } from '../../parts/page.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { StateBadge, Time, TwoLines } from '../../parts/values.js';

type AuditEntry = ApiRecord<'AuditEntry'>;

/** No event announces entries of other users and keys. */
const refetchMs = 10_000;

const ofAccount = 'Changes to keys, settings and users of this account, and its sign-ins. Newest first.';
const ofPlatform = 'Every administrative action on the platform. Newest first.';

const actorKinds = {
  administrator: 'Administrator',
  user: 'Dashboard user',
  main: 'Main key',
  subUser: 'Key of a sub-user',
  disposable: 'Disposable key',
  platform: 'The platform',
} as const;

const outcomes = { unknown: 'Unknown', succeeded: 'Done', failed: 'Failed', repeated: 'Repeated' } as const;

const columns: readonly Column<AuditEntry>[] = [
  { header: 'Time', cell: ({ at }) => <Time value={at} /> },
  {
    header: 'Actor',
    cell: ({ actor }) => (
      <TwoLines
        first={actor.name ?? actorKinds[actor.kind]}
        second={actor.name === null ? null : actorKinds[actor.kind]}
      />
    ),
    visibleFrom: 'sm',
  },
  {
    header: 'Action',
    cell: ({ action, details }) => (
      <>
        <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {action}
        </Text>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {detailsText(details)}
        </Text>
      </>
    ),
  },
  { header: 'Address', cell: ({ address }) => address ?? 'Not shown', visibleFrom: 'lg' },
  {
    header: 'Result',
    cell: ({ outcome, reason }) => (
      <>
        <StateBadge state={outcome} label={outcomes[outcome]} />
        {reason !== null && (
          <Text size="sm" c="dimmed">
            {reason.replaceAll('_', ' ')}
          </Text>
        )}
      </>
    ),
    visibleFrom: 'md',
  },
];

const periods = { all: 'Any time', day: 'Last 24 hours', week: 'Last 7 days', month: 'Last 30 days' } as const;
const days = { all: undefined, day: 1, week: 7, month: 30 } as const;
type Period = keyof typeof periods;

const periodValues = Object.keys(periods) as Period[];

/** Empty: any result. */
type Outcome = keyof typeof outcomes | '';
const outcomeValues = ['', ...Object.keys(outcomes)] as Outcome[];

interface FiltersProps {
  filter: { outcome: Outcome; actor: string; period: Period };
  onOutcome: (outcome: string) => void;
  onActor: (actor: string) => void;
  onPeriod: (period: string) => void;
}

/** Waits until the user has stopped typing. */
const typingMs = 300;

/** Users of an account see its entries, administrators see all. */
export default function AuditLogPage() {
  const { role } = useSignedIn().user;
  const isPlatform = role === 'administrator';
  const path = isPlatform ? '/admin/v1/audit-log' : '/v1/audit-log';
  const [typed, setTyped] = useState('');
  const [actor] = useDebouncedValue(typed.trim(), typingMs);
  const [outcome, setOutcome] = useAddressChoice<Outcome>({ name: 'result', values: outcomeValues, initial: '' });
  const [period, setPeriod] = useAddressChoice<Period>({ name: 'time', values: periodValues, initial: 'all' });
  const isFiltered = outcome !== '' || actor !== '' || period !== 'all';
  return (
    <Page title="Audit log" description={isPlatform ? ofPlatform : ofAccount}>
      <Filters
        filter={{ outcome, actor: typed, period }}
        onOutcome={setOutcome}
        onActor={setTyped}
        onPeriod={setPeriod}
      />
      <ResourceTable
        key={JSON.stringify([outcome, actor, period])}
        label="Audit log"
        queryKey={shownKey('log', 'audit', outcome, actor, period)}
        list={(page, signal) =>
          listOf<AuditEntry>(path, 'entries', { outcome, actor, from: beginOf(period), ...page }, signal)
        }
        rowKey={({ entryID }) => entryID}
        columns={columns}
        empty={
          isFiltered
            ? { icon: IconHistory, title: 'No entry matches', text: 'Choose another result, actor or time.' }
            : { icon: IconHistory, title: 'No entries yet', text: 'Each administrative action leaves an entry here.' }
        }
        refetchMs={refetchMs}
      />
    </Page>
  );
}

function beginOf(period: Period): string | undefined {
  const span = days[period];
  return span === undefined ? undefined : new Date(Date.now() - span * 86_400_000).toISOString();
}

function Filters({ filter, onOutcome, onActor, onPeriod }: FiltersProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <TextInput
        label="Actor"
        placeholder="Whole email address or API username"
        value={filter.actor}
        onChange={event => onActor(event.currentTarget.value)}
      />
      <NativeSelect
        label="Result"
        data={choicesOf({ '': 'Any result', ...outcomes })}
        value={filter.outcome}
        onChange={event => onOutcome(event.currentTarget.value)}
      />
      <NativeSelect
        label="Time"
        data={choicesOf(periods)}
        value={filter.period}
        onChange={event => onPeriod(event.currentTarget.value)}
      />
    </SimpleGrid>
  );
}

function detailsText(details: AuditEntry['details']): string {
  return Object.entries(details)
    .map(([field, value]) => `${field}: ${String(value)}`)
    .join(', ');
}
