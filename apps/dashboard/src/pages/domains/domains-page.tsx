import { Button, Text } from '@mantine/core';
import { IconPencil, IconPlus, IconWorld } from '@tabler/icons-react';
import { useState } from 'react';
import { shownKey } from '../../api/query-keys.js';
import { ConfirmButton } from '../../parts/confirm-button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { IconButton } from '../../parts/icon-button.js';
import { Page } from '../../parts/page.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
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
  const [edited, setEdited] = useState<Domain | 'new'>();
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
      {texts.add}
    </Button>
  );
  return (
    <Page title={texts.title} description={texts.description} actions={add}>
      <ResourceTable
        label={texts.title}
        queryKey={shownKey('domain', 'list')}
        list={(page, signal) => domains.list(page, {}, signal)}
        rowKey={({ domainID }) => domainID}
        columns={columns}
        rowActions={domain => <DomainActions domain={domain} onEdit={() => setEdited(domain)} />}
        empty={<EmptyState icon={IconWorld} title={texts.emptyTitle} text={texts.emptyText} />}
      />
      <DomainForm edited={edited} onClose={() => setEdited(undefined)} />
    </Page>
  );
}

function DomainActions({ domain: { domainID, domain }, onEdit }: { domain: Domain; onEdit: () => void }) {
  return (
    <>
      <IconButton label={texts.edit(domain)} icon={IconPencil} onClick={onEdit} />
      <ConfirmButton
        label={texts.delete(domain)}
        title={texts.deleteTitle}
        text={texts.deleteText(domain)}
        run={() => domains.remove(domainID)}
        success={texts.deleted}
        changes={['domain']}
      />
    </>
  );
}
