import { Alert, Anchor, Badge, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { shownKey } from '../../api/query-keys.js';
import { CopyButton } from '../../parts/copy-button.js';
import { LoadFailure } from '../../parts/load-failure.js';
import { Page } from '../../parts/page.js';
import { StateBadge } from '../../parts/state-badge.js';
import { Time } from '../../parts/time.js';
import { Waiting } from '../../parts/waiting.js';
import { frameTexts } from '../../texts/frame.js';
import { roomsTexts as texts } from '../../texts/rooms.js';
import { BroadcastsSection } from './broadcasts-section.js';
import { EndRoomButton } from './end-room-button.js';
import { HlsPanel } from './hls-panel.js';
import { MembersSection } from './members-section.js';
import { PlaybacksSection } from './playbacks-section.js';
import { PublishPanel } from './publish-panel.js';
import { RecordingsSection } from './recordings-section.js';
import { rooms, type Room } from './rooms-api.js';
import { SessionsSection } from './sessions-section.js';
import { WhepPanel } from './whep-panel.js';

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
    <Page title={texts.room}>
      {error ? <LoadFailure error={error} onRetry={() => void refetch()} /> : <Waiting h={320} />}
    </Page>
  );
}

function LoadedRoom({ room }: { room: Room }) {
  return (
    <Page
      title={room.roomName ?? texts.unnamed}
      description={<RoomSummary room={room} />}
      actions={room.state === 'active' && <EndRoomButton room={room} withLabel />}
    >
      <RoomContent room={room} />
    </Page>
  );
}

function RoomSummary({ room }: { room: Room }) {
  const { meetingID, state, eventType, keyType, participantCount, capacity, expiresAt, endedAt } = room;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <StateBadge state={state} label={texts.states[state]} />
        <Badge variant="outline" color="gray" tt="none">
          {texts.eventTypes[eventType]}
        </Badge>
        <Badge variant="outline" color="gray" tt="none">
          {frameTexts.environments[keyType]}
        </Badge>
        <Text size="sm">
          {texts.people}: {texts.peopleOf(participantCount, capacity)}
        </Text>
        <Text size="sm">
          {endedAt === null ? texts.expiresAt : texts.endedAt} <Time value={endedAt ?? expiresAt} />
        </Text>
      </Group>
      <Group gap={4} wrap="nowrap">
        <Text size="sm" ff="monospace" truncate>
          {meetingID}
        </Text>
        <CopyButton value={meetingID} what={texts.meetingID} />
        <Anchor component={Link} href="/rooms" size="sm" ml="md">
          {texts.backToRooms}
        </Anchor>
      </Group>
    </Stack>
  );
}

function RoomContent({ room: { meetingID, state } }: { room: Room }) {
  const isOpen = state === 'active';
  return (
    <Stack gap="xl">
      {isOpen ? (
        <SimpleGrid cols={{ base: 1, md: 3 }}>
          <PublishPanel meetingID={meetingID} />
          <WhepPanel meetingID={meetingID} />
          <HlsPanel meetingID={meetingID} />
        </SimpleGrid>
      ) : (
        <Alert color="gray">{texts.roomEndedNote}</Alert>
      )}
      <SessionsSection meetingID={meetingID} isOpen={isOpen} />
      <PlaybacksSection meetingID={meetingID} />
      <BroadcastsSection meetingID={meetingID} />
      <RecordingsSection meetingID={meetingID} />
      <MembersSection meetingID={meetingID} />
    </Stack>
  );
}
