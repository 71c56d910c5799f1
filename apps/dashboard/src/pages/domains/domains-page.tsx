import { Text } from '@mantine/core';
import { IconWorld } from '@tabler/icons-react';
import { EditableList } from '../../parts/editable-list.js';
import type { Column } from '../../parts/resource-table.js';
import { StateBadge } from '../../parts/state-badge.js';
import { Time } from '../../parts/time.js';
import { domainsTexts as texts } from '../../texts/domains.js';
import { DomainForm } from './domain-form.js';
import { domains, type Domain } from './domains-api.js';

const columns: readonly Column<Domain>[] = [
  {
    header: texts.domain,
    cell: ({ domain }) => (
      <Text size="sm" fw={500}>
        {domain}
      </Text>
    ),
  },
  {
    header: texts.enabled,
    cell: ({ enabled }) => (
      <StateBadge state={enabled ? 'enabled' : 'disabled'} label={enabled ? texts.enabled : texts.disabled} />
    ),
  },
  { header: texts.createdAt, cell: ({ createdAt }) => <Time value={createdAt} />, visibleFrom: 'sm' },
];

export default function DomainsPage() {
  return (
    <EditableList
      texts={texts}
      kind="domain"
      icon={IconWorld}
      resource={domains}
      idOf={({ domainID }) => domainID}
      nameOf={({ domain }) => domain}
      columns={columns}
      form={DomainForm}
    />
  );
}
