import { Anchor, SegmentedControl } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconVideo } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { rooms, shownKey, type Room } from '../../api/resource.js';
import { useMay } from '../../api/session.js';
import { AddButton } from '../../parts/buttons.js';
import { Page } from '../../parts/page.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { environmentNames, eventTypeNames, OutlineBadge, StateBadge, Time, TwoLines } from '../../parts/values.js';
import { CreateRoomForm } from './create-room-form.js';
import { EndRoomButton } from './end-room-button.js';

const columns: readonly Column<Room>[] = [
  {
    header: 'Room',
    cell: ({ meetingID, roomName, hostName }) => (
      <TwoLines
        first={
          <Anchor component={Link} href={`/rooms/${meetingID}`} inherit>
            {roomName ?? 'Unnamed room'}
          </Anchor>
        }
        second={hostName}
      />
    ),
  },
  { header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { header: 'Type', cell: ({ eventType }) => eventTypeNames[eventType], visibleFrom: 'md' },
  {
    header: 'Participants',
    cell: ({ participantCount, capacity }) => `${participantCount} of ${capacity}`,
    visibleFrom: 'sm',
  },
  { header: 'External sessions', cell: ({ externalSessionCount }) => externalSessionCount, visibleFrom: 'md' },
  {
    header: 'Environment',
    cell: ({ keyType }) => <OutlineBadge>{environmentNames[keyType]}</OutlineBadge>,
    visibleFrom: 'lg',
  },
  { header: 'Created', cell: ({ createdAt }) => <Time value={createdAt} />, visibleFrom: 'sm' },
];

const filters = [
  { value: 'active', label: 'Active' },
  { value: 'ended', label: 'Ended' },
  { value: '', label: 'All' },
];

export default function RoomsPage() {
  const [state, setState] = useState('active');
  const [isCreating, { open, close }] = useDisclosure();
  const [, navigate] = useLocation();
  const mayCreate = useMay('createRoom');
  return (
    <Page
      title="Rooms"
      description="Meetings, streams and calls all run inside a room."
      actions={mayCreate && <AddButton label="Create room" onClick={open} />}
    >
      <SegmentedControl aria-label="State" data={filters} value={state} onChange={setState} w="fit-content" />
      <ResourceTable
        key={state}
        label="Rooms"
        queryKey={shownKey('room', 'list', state)}
        list={(page, signal) => rooms.list(page, { state }, signal)}
        rowKey={rooms.idOf}
        columns={columns}
        rowActions={room => room.state === 'active' && <EndRoomButton room={room} />}
        empty={{
          icon: IconVideo,
          title: state === 'ended' ? 'No room is in this state' : 'No rooms yet',
          text: mayCreate
            ? 'Create a room. On its page you can publish your camera and watch it.'
            : 'Rooms appear here when a developer or an application creates them.',
        }}
      />
      <CreateRoomForm
        isOpen={isCreating}
        onClose={close}
        onCreated={({ meetingID }) => navigate(`/rooms/${meetingID}`)}
      />
    </Page>
  );
}
