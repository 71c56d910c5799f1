import { IconPhone } from '@tabler/icons-react';
import { sipConfigs, type SipConfig } from '../../api/resource.js';
import { EditableList } from '../../parts/editable-list.js';
import type { Column } from '../../parts/resource-table.js';
import { OnOffBadge, Time, TwoLines } from '../../parts/values.js';
import { SipConfigForm } from './sip-config-form.js';

const columns: readonly Column<SipConfig>[] = [
  {
    header: 'Number',
    cell: ({ contactNumber, provider }) => <TwoLines first={contactNumber} second={provider} />,
  },
  { header: 'In use', cell: ({ supportSipActive }) => <OnOffBadge isOn={supportSipActive} /> },
  {
    header: 'SIP server',
    cell: ({ peer }) => (peer ? `${peer.host}:${peer.port} ${peer.transport}` : '–'),
    visibleFrom: 'md',
  },
  { header: 'Outgoing calls', cell: ({ allowOutgoing }) => (allowOutgoing ? 'On' : 'Off'), visibleFrom: 'sm' },
  { header: 'Last changed', cell: ({ updatedAt }) => <Time value={updatedAt} />, visibleFrom: 'lg' },
];

export default function SipConfigsPage() {
  return (
    <EditableList
      title="SIP numbers"
      description="Your own telephone numbers."
      storedOnly="The service keeps these numbers for your application. It neither answers nor places calls."
      icon={IconPhone}
      noun="number"
      resource={sipConfigs}
      columns={columns}
      nameOf={({ contactNumber }) => contactNumber}
      deleteText={number => `Your application can no longer read ${number}.`}
      emptyTitle="No numbers yet"
      emptyText="Add one of your numbers. Your application can then read it."
      form={props => <SipConfigForm {...props} />}
    />
  );
}
