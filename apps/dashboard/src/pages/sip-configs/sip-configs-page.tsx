import { Button, Text } from '@mantine/core';
import { IconPencil, IconPhone, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { shownKey } from '../../api/query-keys.js';
import { ConfirmButton } from '../../parts/confirm-button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { IconButton } from '../../parts/icon-button.js';
import { Page } from '../../parts/page.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { StateBadge } from '../../parts/state-badge.js';
import { Time } from '../../parts/time.js';
import { sipConfigsTexts as texts } from '../../texts/sip-configs.js';
import { SipConfigForm } from './sip-config-form.js';
import { sipConfigs, type SipConfig } from './sip-configs-api.js';

const columns: readonly Column<SipConfig>[] = [
  {
    header: texts.contactNumber,
    cell: ({ contactNumber, provider }) => (
      <>
        <Text fw={500}>{contactNumber}</Text>
        <Text size="sm" c="dimmed">
          {provider}
        </Text>
      </>
    ),
  },
  {
    header: texts.supportSipActive,
    cell: ({ supportSipActive }) => (
      <StateBadge state={supportSipActive ? 'enabled' : 'disabled'} label={supportSipActive ? texts.on : texts.off} />
    ),
  },
  {
    header: texts.peer,
    cell: ({ peer }) => (peer ? `${peer.host}:${peer.port} ${peer.transport}` : '–'),
    visibleFrom: 'md',
  },
  {
    header: texts.allowOutgoing,
    cell: ({ allowOutgoing }) => (allowOutgoing ? texts.on : texts.off),
    visibleFrom: 'sm',
  },
  { header: texts.updatedAt, cell: ({ updatedAt }) => <Time value={updatedAt} />, visibleFrom: 'lg' },
];

export default function SipConfigsPage() {
  const [edited, setEdited] = useState<SipConfig | 'new'>();
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
      {texts.add}
    </Button>
  );
  return (
    <Page title={texts.title} description={texts.description} actions={add}>
      <ResourceTable
        label={texts.title}
        queryKey={shownKey('sipConfig', 'list')}
        list={(page, signal) => sipConfigs.list(page, {}, signal)}
        rowKey={({ sipConfigID }) => sipConfigID}
        columns={columns}
        rowActions={config => <ConfigActions config={config} onEdit={() => setEdited(config)} />}
        empty={<EmptyState icon={IconPhone} title={texts.emptyTitle} text={texts.emptyText} />}
      />
      <SipConfigForm edited={edited} onClose={() => setEdited(undefined)} />
    </Page>
  );
}

function ConfigActions({ config, onEdit }: { config: SipConfig; onEdit: () => void }) {
  const { sipConfigID, contactNumber } = config;
  return (
    <>
      <IconButton label={texts.edit(contactNumber)} icon={IconPencil} onClick={onEdit} />
      <ConfirmButton
        label={texts.delete(contactNumber)}
        title={texts.deleteTitle}
        text={texts.deleteText(contactNumber)}
        run={() => sipConfigs.remove(sipConfigID)}
        success={texts.deleted}
        changes={['sipConfig']}
      />
    </>
  );
}
