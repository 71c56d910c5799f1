import { Anchor, SegmentedControl } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconVideo } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { rooms, shownKey, type Room } from '../../api/resource.js';
import { useMay } from '../../api/session.js';
import { useAddressChoice } from '../../parts/address-choice.js';
import { AddButton } from '../../parts/buttons.js';
import { numberText, placesText } from '../../parts/formats.js';
import { choicesOf } from '../../parts/forms.js';
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
    header: 'Places taken',
    cell: placesText,
    visibleFrom: 'sm',
  },
  {
    header: 'External sessions',
    cell: ({ externalSessionCount }) => numberText(externalSessionCount),
    visibleFrom: 'md',
  },
  {
    header: 'Environment',
    cell: ({ keyType }) => <OutlineBadge>{environmentNames[keyType]}</OutlineBadge>,
    visibleFrom: 'lg',
  },
  { header: 'Created', cell: ({ createdAt }) => <Time value={createdAt} />, visibleFrom: 'sm' },
];

const stateNames = { active: 'Active', ended: 'Ended', all: 'All' } as const;
const states = ['active', 'ended', 'all'] as const;

export default function RoomsPage() {
  const [state, setState] = useAddressChoice({ name: 'state', values: states, initial: 'active' });
  const [isCreating, { open, close }] = useDisclosure();
  const [, navigate] = useLocation();
  const mayCreate = useMay('createRoom');
  return (
    <Page
      title="Rooms"
      description="Meetings, streams and calls all run inside a room."
      actions={mayCreate && <AddButton label="Create room" onClick={open} />}
    >
      <SegmentedControl
        aria-label="State"
        data={choicesOf(stateNames)}
        value={state}
        onChange={setState}
        w="fit-content"
      />
      <ResourceTable
        key={state}
        label="Rooms"
        queryKey={shownKey('room', 'list', state)}
        list={(page, signal) => rooms.list(page, { state: state === 'all' ? undefined : state }, signal)}
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
