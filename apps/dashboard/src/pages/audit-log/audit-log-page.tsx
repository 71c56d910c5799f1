import { Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { listOf, shownKey, type ApiRecord } from '../../api/resource.js';
import { useSignedIn } from '../../api/session.js';
import { Page } from '../../parts/page.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { StateBadge, Time, TwoLines } from '../../parts/values.js';

type AuditEntry = ApiRecord<'AuditEntry'>;

/** No event announces entries of other users and keys. */
const refetchMs = 10_000;

const descriptions = {
  owner: 'Changes to keys, settings and users of this account, and its sign-ins. Newest first.',
  administrator: 'Every administrative action on the platform. Newest first.',
} as const;

const actorKinds = {
  administrator: 'Administrator',
  user: 'Dashboard user',
  main: 'Main key',
  subUser: 'Key of a sub-user',
  disposable: 'Disposable key',
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

/** Owners see the entries of their account, administrators see all. */
export default function AuditLogPage() {
  const { role } = useSignedIn().user;
  const path = role === 'administrator' ? '/admin/v1/audit-log' : '/v1/audit-log';
  return (
    <Page title="Audit log" description={descriptions[role]}>
      <ResourceTable
        label="Audit log"
        queryKey={shownKey('log', 'audit')}
        list={(page, signal) => listOf<AuditEntry>(path, 'entries', { ...page }, signal)}
        rowKey={({ entryID }) => entryID}
        columns={columns}
        empty={{ icon: IconHistory, title: 'No entries yet', text: 'Each administrative action leaves an entry here.' }}
        refetchMs={refetchMs}
      />
    </Page>
  );
}

function detailsText(details: AuditEntry['details']): string {
  return Object.entries(details)
    .map(([field, value]) => `${field}: ${String(value)}`)
    .join(', ');
}
