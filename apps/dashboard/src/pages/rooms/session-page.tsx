import { Alert, Anchor, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link, useParams } from 'wouter';
import { isOver, sessions, type ExternalSession } from '../../api/meetings.js';
import { shownKey } from '../../api/resource.js';
import { useMay } from '../../api/session.js';
import { EncoderDialog, EncoderSection } from '../../media/hand-over/encoder-access.js';
import { BroadcastsSection } from '../../media/outputs/broadcasts-section.js';
import { PlaybacksSection, RecordingsSection } from '../../media/media-lists.js';
import { PlayerSection } from '../../media/hand-over/player-access.js';
import { RestreamsSection } from '../../media/outputs/restreams-section.js';
import { endTexts, problemTexts } from '../../media/reasons.js';
import { SessionActions } from '../../media/session-actions.js';
import { SessionBitrate, SessionHealth, SessionLoss, SessionMedia } from '../../media/session-statistics.js';
import { CopyButton } from '../../parts/buttons.js';
import { LoadFailure, Page, Waiting } from '../../parts/page.js';
import { OutlineBadge, protocolNames, StateBadge, Time } from '../../parts/values.js';
import { SessionHistorySections } from './session-history.js';

/** No event announces a session's health. */
const refetchMs = 10_000;

export default function SessionPage() {
  const { meetingID, sessionID } = useParams<{ meetingID: string; sessionID: string }>();
  const { data, error, refetch } = useQuery({
    queryKey: shownKey('externalSession', 'page', meetingID, sessionID),
    queryFn: ({ signal }) => sessions.find(meetingID, sessionID, signal),
    refetchInterval: refetchMs,
  });
  // Forms and issued secrets belong to one session.
  if (data) return <LoadedSession key={sessionID} session={data} />;
  return (
    <Page title="External session">
      {error ? <LoadFailure error={error} onRetry={() => void refetch()} /> : <Waiting h={320} />}
    </Page>
  );
}

function LoadedSession({ session }: { session: ExternalSession }) {
  const [issued, setIssued] = useState<ExternalSession>();
  const [mayPublish, mayPlay] = [useMay('ingestMedia'), useMay('playMedia')];
  const { meetingID, sessionID, ingest, state } = session;
  const media = { meetingID, sourceSessionID: sessionID };
  return (
    <Page
      title={session.displayName}
      description={<Summary session={session} />}
      actions={
        mayPublish && (
          <Group gap={4}>
            <SessionActions session={session} onToken={setIssued} withLabel />
          </Group>
        )
      }
    >
      <Stack gap="xl">
        {ingest.problem && !isOver(session) && (
          <Alert color="yellow" role="status" title="Why the last encoder failed">
            {problemTexts[ingest.problem]}
          </Alert>
        )}
        {state === 'active' && <Now session={session} />}
        <SessionHistorySections session={session} />
        {mayPublish && !isOver(session) && ingest.protocol !== 'service-webrtc' && <EncoderSection session={session} />}
        {mayPlay && state === 'active' && <PlayerSection session={session} />}
        <PlaybacksSection {...media} />
        <BroadcastsSection {...media} isOpen={state === 'active'} />
        <RestreamsSection {...media} isOpen={state === 'active'} />
        <RecordingsSection {...media} />
      </Stack>
      <EncoderDialog issued={issued} onIssued={setIssued} onClose={() => setIssued(undefined)} />
    </Page>
  );
}

function Summary({ session }: { session: ExternalSession }) {
  const { meetingID, sessionID, state, ingest, createdAt, endedAt, endReason, reason } = session;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <StateBadge state={state} />
        <OutlineBadge>{protocolNames[ingest.protocol]}</OutlineBadge>
        <Text size="sm">
          Created <Time value={createdAt} />
        </Text>
        {endedAt !== null && (
          <Text size="sm">
            Ended <Time value={endedAt} />
          </Text>
        )}
      </Group>
      {endReason !== null && (
        <Text size="sm">
          Why it ended: {endTexts[endReason]}
          {reason !== null && reason !== '' && ` Note: ${reason}`}
        </Text>
      )}
      <Group gap={4} wrap="nowrap">
        <Text size="sm" ff="monospace" truncate>
          {sessionID}
        </Text>
        <CopyButton value={sessionID} what="Session ID" />
        <Anchor component={Link} href={`/rooms/${meetingID}`} size="sm" ml="md">
          Its room
        </Anchor>
      </Group>
    </Stack>
  );
}

function Now({ session }: { session: ExternalSession }) {
  return (
    <SimpleGrid component="section" aria-label="Now" cols={{ base: 2, sm: 4 }}>
      <Value label="Media">
        <SessionMedia session={session} />
      </Value>
      <Value label="Bitrate">
        <SessionBitrate session={session} />
      </Value>
      <Value label="Loss">
        <SessionLoss session={session} />
      </Value>
      <Value label="Health">
        <SessionHealth session={session} />
      </Value>
    </SimpleGrid>
  );
}

function Value({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Card padding="md">
      <Text size="sm" c="dimmed" fw={500}>
        {label}
      </Text>
      <Text component="div" fw={600} mt="xs">
        {children}
      </Text>
    </Card>
  );
}
