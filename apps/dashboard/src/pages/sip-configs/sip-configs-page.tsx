import { Text } from '@mantine/core';
import { IconPhone } from '@tabler/icons-react';
import { EditableList } from '../../parts/editable-list.js';
import type { Column } from '../../parts/resource-table.js';
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
  return (
    <EditableList
      texts={texts}
      kind="sipConfig"
      icon={IconPhone}
      resource={sipConfigs}
      idOf={({ sipConfigID }) => sipConfigID}
      nameOf={({ contactNumber }) => contactNumber}
      columns={columns}
      form={SipConfigForm}
    />
  );
}
