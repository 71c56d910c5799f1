import { IconBroadcast, IconBroadcastOff } from '@tabler/icons-react';
import { shownKey } from '../../api/query-keys.js';
import { ConfirmButton } from '../../parts/confirm-button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { Section } from '../../parts/section.js';
import { ShortID } from '../../parts/short-id.js';
import { StateBadge } from '../../parts/state-badge.js';
import { Time } from '../../parts/time.js';
import { roomTexts as texts } from '../../texts/rooms.js';
import { broadcasts, type Broadcast } from './meeting-api.js';

const pageSize = 5;

const columns: readonly Column<Broadcast>[] = [
  { header: texts.broadcast, cell: ({ broadcastID }) => <ShortID value={broadcastID} what={texts.broadcast} /> },
  { header: texts.state, cell: ({ state }) => <StateBadge state={state} /> },
  {
    header: texts.renditions,
    cell: ({ renditions }) => renditions.map(({ name }) => name).join(', ') || texts.notMeasured,
    visibleFrom: 'sm',
  },
  { header: texts.created, cell: ({ createdAt }) => <Time value={createdAt} />, visibleFrom: 'md' },
];

function isOver({ state }: Broadcast): boolean {
  return state === 'ended' || state === 'failed';
}

export function BroadcastsSection({ meetingID }: { meetingID: string }) {
  return (
    <Section title={texts.broadcasts}>
      <ResourceTable
        label={texts.broadcasts}
        queryKey={shownKey('broadcast', 'list', meetingID)}
        list={(page, signal) => broadcasts.list(meetingID, page, signal)}
        rowKey={({ broadcastID }) => broadcastID}
        columns={columns}
        rowActions={broadcast => !isOver(broadcast) && <EndBroadcast broadcast={broadcast} />}
        empty={<EmptyState icon={IconBroadcast} title={texts.broadcastsEmpty} text={texts.broadcastsEmptyText} />}
        pageSize={pageSize}
      />
    </Section>
  );
}

function EndBroadcast({ broadcast: { meetingID, broadcastID } }: { broadcast: Broadcast }) {
  return (
    <ConfirmButton
      label={texts.endBroadcast(broadcastID)}
      icon={IconBroadcastOff}
      title={texts.endBroadcastTitle}
      text={texts.endBroadcastText}
      confirmLabel={texts.endIt}
      run={() => broadcasts.end(meetingID, broadcastID)}
      success={texts.broadcastEnded}
      changes={['broadcast']}
    />
  );
}
