import { Alert, Anchor, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconCircleDot } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { recordRoom } from '../../api/meetings.js';
import { rooms, shownKey, type Room } from '../../api/resource.js';
import { useMay } from '../../api/session.js';
import { useAction } from '../../parts/actions.js';
import { CopyButton } from '../../parts/buttons.js';
import { placesText } from '../../parts/formats.js';
import { LoadFailure, Page, Waiting } from '../../parts/page.js';
import { environmentNames, eventTypeNames, OutlineBadge, StateBadge, Time } from '../../parts/values.js';
import { EndRoomButton } from './end-room-button.js';
import { endTexts } from '../../media/reasons.js';
import { HlsPanel, WhepPanel } from '../../media/players.js';
import { PublishPanel } from '../../media/publish-panel.js';
import { BroadcastsSection } from '../../media/outputs/broadcasts-section.js';
import { MembersSection, PlaybacksSection, RecordingsSection } from '../../media/media-lists.js';
import { useStartsPlayers } from '../../media/publishing.js';
import { RestreamsSection } from '../../media/outputs/restreams-section.js';
import { SessionsSection } from './sessions-section.js';

export default function RoomPage() {
  const { meetingID } = useParams<{ meetingID: string }>();
  const {
    data: room,
    error,
    refetch,
  } = useQuery({
    queryKey: shownKey('room', meetingID),
    queryFn: ({ signal }) => rooms.find(meetingID, signal),
  });
  if (room) return <LoadedRoom room={room} />;
  return (
    <Page title="Room">
      {error ? <LoadFailure error={error} onRetry={() => void refetch()} /> : <Waiting h={320} />}
    </Page>
  );
}

function LoadedRoom({ room }: { room: Room }) {
  return (
    <Page
      title={room.roomName ?? 'Unnamed room'}
      description={<RoomSummary room={room} />}
      actions={room.state === 'active' && <RoomActions room={room} />}
    >
      <RoomContent room={room} />
    </Page>
  );
}

function RoomActions({ room }: { room: Room }) {
  const mayRecord = useMay('manageRecordings');
  const record = useAction({
    run: () => recordRoom(room.meetingID),
    success: 'The recording of the room starts.',
    changes: ['recording'],
  });
  return (
    <>
      {mayRecord && (
        <Button
          variant="default"
          leftSection={<IconCircleDot size={16} aria-hidden />}
          loading={record.isPending}
          onClick={() => record.mutate()}
        >
          Record room
        </Button>
      )}
      <EndRoomButton room={room} withLabel />
    </>
  );
}

function RoomSummary({ room }: { room: Room }) {
  const { meetingID, state, eventType, keyType, expiresAt, endedAt } = room;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <StateBadge state={state} />
        <OutlineBadge>{eventTypeNames[eventType]}</OutlineBadge>
        <OutlineBadge>{environmentNames[keyType]}</OutlineBadge>
        <Text size="sm">{`Places taken: ${placesText(room)}`}</Text>
        <Text size="sm">
          {endedAt === null ? 'Ends' : 'Ended'} <Time value={endedAt ?? expiresAt} />
        </Text>
      </Group>
      <Group gap={4} wrap="nowrap">
        <Text size="sm" ff="monospace" truncate>
          {meetingID}
        </Text>
        <CopyButton value={meetingID} what="Meeting ID" />
        <Anchor component={Link} href="/rooms" size="sm" ml="md">
          All rooms
        </Anchor>
      </Group>
    </Stack>
  );
}

function RoomContent({ room: { meetingID, state, endReason } }: { room: Room }) {
  const isOpen = state === 'active';
  const mayPublish = useMay('ingestMedia');
  const startsPlayers = useStartsPlayers(meetingID);
  return (
    <Stack gap="xl">
      {!isOpen && (
        <Alert color="gray" role="status" title="This room has ended">
          {endReason !== null && `${endTexts[endReason]} `}Its sessions and media stay listed.
        </Alert>
      )}
      {isOpen && mayPublish && (
        <SimpleGrid cols={{ base: 1, md: 3 }}>
          <PublishPanel meetingID={meetingID} />
          <WhepPanel meetingID={meetingID} startsItself={startsPlayers} />
          <HlsPanel meetingID={meetingID} startsItself={startsPlayers} />
        </SimpleGrid>
      )}
      <SessionsSection meetingID={meetingID} isOpen={isOpen && mayPublish} />
      <PlaybacksSection meetingID={meetingID} />
      <BroadcastsSection meetingID={meetingID} isOpen={isOpen} />
      <RestreamsSection meetingID={meetingID} isOpen={isOpen} />
      <RecordingsSection meetingID={meetingID} />
      <MembersSection meetingID={meetingID} />
    </Stack>
  );
}
