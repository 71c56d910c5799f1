import { Anchor, Badge, Button, SegmentedControl, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconVideo } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { shownKey } from '../../api/query-keys.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Page } from '../../parts/page.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { StateBadge } from '../../parts/state-badge.js';
import { Time } from '../../parts/time.js';
import { frameTexts } from '../../texts/frame.js';
import { roomsTexts as texts } from '../../texts/rooms.js';
import { CreateRoomForm } from './create-room-form.js';
import { EndRoomButton } from './end-room-button.js';
import { rooms, type Room } from './rooms-api.js';

const columns: readonly Column<Room>[] = [
  {
    header: texts.room,
    cell: ({ meetingID, roomName, hostName }) => (
      <>
        <Anchor component={Link} href={`/rooms/${meetingID}`} size="sm" fw={500}>
          {roomName ?? texts.unnamed}
        </Anchor>
        <Text size="sm" c="dimmed">
          {hostName}
        </Text>
      </>
    ),
  },
  { header: texts.state, cell: ({ state }) => <StateBadge state={state} label={texts.states[state]} /> },
  { header: texts.eventType, cell: ({ eventType }) => texts.eventTypes[eventType], visibleFrom: 'md' },
  {
    header: texts.people,
    cell: ({ participantCount, capacity }) => texts.peopleOf(participantCount, capacity),
    visibleFrom: 'sm',
  },
  { header: texts.sessions, cell: ({ externalSessionCount }) => externalSessionCount, visibleFrom: 'md' },
  {
    header: texts.environment,
    cell: ({ keyType }) => (
      <Badge variant="outline" color="gray" tt="none">
        {frameTexts.environments[keyType]}
      </Badge>
    ),
    visibleFrom: 'lg',
  },
  { header: texts.createdAt, cell: ({ createdAt }) => <Time value={createdAt} />, visibleFrom: 'sm' },
];

const filters = [
  { value: 'active', label: texts.states.active },
  { value: 'ended', label: texts.states.ended },
  { value: '', label: texts.allStates },
];

export default function RoomsPage() {
  const [state, setState] = useState('active');
  const [isCreating, { open, close }] = useDisclosure();
  const [, navigate] = useLocation();
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
      {texts.create}
    </Button>
  );
  return (
    <Page title={texts.title} description={texts.description} actions={create}>
      <SegmentedControl aria-label={texts.state} data={filters} value={state} onChange={setState} w="fit-content" />
      <ResourceTable
        key={state}
        label={texts.title}
        queryKey={shownKey('room', 'list', state)}
        list={(page, signal) => rooms.list(page, { state }, signal)}
        rowKey={({ meetingID }) => meetingID}
        columns={columns}
        rowActions={room => room.state === 'active' && <EndRoomButton room={room} />}
        empty={
          <EmptyState
            icon={IconVideo}
            title={state === 'ended' ? texts.emptyFiltered : texts.emptyTitle}
            text={texts.emptyText}
          />
        }
      />
      <CreateRoomForm
        isOpen={isCreating}
        onClose={close}
        onCreated={({ meetingID }) => navigate(`/rooms/${meetingID}`)}
      />
    </Page>
  );
}
