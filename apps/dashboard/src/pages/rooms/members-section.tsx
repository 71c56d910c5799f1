import { Text } from '@mantine/core';
import type { RoomMember } from '@rtms/contracts';
import { IconUsers } from '@tabler/icons-react';
import { shownKey } from '../../api/query-keys.js';
import { EmptyState } from '../../parts/empty-state.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { Section } from '../../parts/section.js';
import { StateBadge } from '../../parts/state-badge.js';
import { Time } from '../../parts/time.js';
import { roomTexts as texts } from '../../texts/rooms.js';
import { readLive } from './meeting-api.js';

const pageSize = 200;

const columns: readonly Column<RoomMember>[] = [
  {
    header: texts.name,
    cell: ({ userName }) => (
      <Text size="sm" fw={500}>
        {userName}
      </Text>
    ),
  },
  { header: texts.role, cell: ({ role }) => role },
  { header: texts.state, cell: ({ state }) => <StateBadge state={state} /> },
  { header: texts.since, cell: ({ createdAt }) => <Time value={createdAt} />, visibleFrom: 'sm' },
];

/** Everybody at once: the service tells no more than this of a room. */
async function listMembers(meetingID: string, signal: AbortSignal) {
  const { members } = await readLive(meetingID, signal);
  return { items: members, total: members.length, startIndex: 0, pageSize };
}

export function MembersSection({ meetingID }: { meetingID: string }) {
  return (
    <Section title={texts.members}>
      <ResourceTable
        label={texts.members}
        queryKey={shownKey('participant', 'live', meetingID)}
        list={(_, signal) => listMembers(meetingID, signal)}
        rowKey={({ participantID }) => participantID}
        columns={columns}
        empty={<EmptyState icon={IconUsers} title={texts.membersEmpty} text={texts.membersEmptyText} />}
        pageSize={pageSize}
      />
    </Section>
  );
}
