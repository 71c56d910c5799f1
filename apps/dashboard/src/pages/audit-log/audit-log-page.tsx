import { Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { shownKey } from '../../api/query-keys.js';
import type { ApiRecord } from '../../api/records.js';
import { listOf } from '../../api/resource.js';
import { useSignedIn } from '../../api/session.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Page } from '../../parts/page.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { StateBadge } from '../../parts/state-badge.js';
import { Time } from '../../parts/time.js';
import { auditLogTexts as texts } from '../../texts/audit-log.js';

type AuditEntry = ApiRecord<'AuditEntry'>;

/** Nothing announces entries of other browsers and keys. */
const refetchMs = 10_000;

const columns: readonly Column<AuditEntry>[] = [
  { header: texts.at, cell: ({ at }) => <Time value={at} /> },
  {
    header: texts.actor,
    cell: ({ actor }) => (
      <>
        <Text size="sm">{actor.name ?? texts.actors[actor.kind]}</Text>
        {actor.name !== null && (
          <Text size="sm" c="dimmed">
            {texts.actors[actor.kind]}
          </Text>
        )}
      </>
    ),
    visibleFrom: 'sm',
  },
  {
    header: texts.action,
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
  { header: texts.address, cell: ({ address }) => address ?? texts.hidden, visibleFrom: 'lg' },
  {
    header: texts.outcome,
    cell: ({ outcome, reason }) => (
      <>
        <StateBadge state={outcome} label={texts.outcomes[outcome]} />
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

/** The account's own entries, or for an administrator all of them. */
export default function AuditLogPage() {
  const { role } = useSignedIn().user;
  const path = role === 'administrator' ? '/admin/v1/audit-log' : '/v1/audit-log';
  return (
    <Page title={texts.title} description={texts.descriptions[role]}>
      <ResourceTable
        label={texts.title}
        queryKey={shownKey('log', 'audit')}
        list={(page, signal) => listOf<AuditEntry>(path, 'entries', { ...page }, signal)}
        rowKey={({ entryID }) => entryID}
        columns={columns}
        empty={<EmptyState icon={IconHistory} title={texts.emptyTitle} text={texts.emptyText} />}
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
