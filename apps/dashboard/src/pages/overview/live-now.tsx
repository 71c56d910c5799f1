import { Badge, Card, Center, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { LiveAnswer, LiveSession } from '@rtms/contracts';
import { IconBroadcast, IconVideo } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { dashboardRequest } from '../../api/request.js';
import { shownKey } from '../../api/resource.js';
import { SessionHealth } from '../../media/session-statistics.js';
import { EmptyState, Loaded, Section } from '../../parts/page.js';
import { counted, durationText } from '../../parts/formats.js';
import { FirstSteps } from './first-steps.js';

/** Also the interval of the pictures. */
const refetchMs = 10_000;

function useLive() {
  return useQuery({
    queryKey: shownKey('overview', 'live'),
    queryFn: async ({ signal }) => (await dashboardRequest<LiveAnswer>('GET', '/overview/live', { signal })).live,
    refetchInterval: refetchMs,
  });
}

/** The sessions that send media, and the first steps until the first broadcast. */
export function LiveNow() {
  return (
    <Loaded query={useLive()} height={240}>
      {live => (
        <>
          {!live.steps.broadcast && <FirstSteps steps={live.steps} />}
          <LiveSessions {...live} />
        </>
      )}
    </Loaded>
  );
}

function LiveSessions({ sessions, total }: Pick<LiveAnswer['live'], 'sessions' | 'total'>) {
  const now = useNow();
  const rest = total - sessions.length;
  return (
    <Section title="Live now">
      {sessions.length === 0 && (
        <Card>
          <EmptyState
            icon={IconBroadcast}
            title="Nothing is live"
            text="Cameras and encoders appear here as soon as they send."
          />
        </Card>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3, xl: 4 }}>
        {sessions.map(session => (
          <LiveCard key={session.sessionID} session={session} now={now} />
        ))}
      </SimpleGrid>
      {rest > 0 && (
        <Text size="sm" c="dimmed">
          {counted(rest, 'more session')} in other rooms. These are the newest.
        </Text>
      )}
    </Section>
  );
}

function LiveCard({ session, now }: { session: LiveSession; now: number }) {
  const { meetingID, displayName, roomName, health, viewers, broadcasts, recordings, activatedAt, thumbnail } = session;
  const seconds = Math.max(0, (now - Date.parse(activatedAt)) / 1000);
  return (
    <Card component={Link} href={`/rooms/${meetingID}/sessions/${session.sessionID}`} padding="sm">
      <Card.Section>
        <Picture src={thumbnail} name={displayName} />
      </Card.Section>
      <Stack gap={4} mt="sm">
        <Group justify="space-between" wrap="nowrap">
          <Text fw={600} truncate>
            {displayName}
          </Text>
          <Text size="sm" className="even-digits">
            {durationText(seconds)}
          </Text>
        </Group>
        <Text size="sm" c="dimmed" truncate>
          {roomName ?? 'Unnamed room'} · {counted(viewers, 'viewer')}
        </Text>
        <Group gap={4}>
          <SessionHealth session={{ state: 'active', health }} />
          {broadcasts > 0 && <Running name="HLS" />}
          {recordings > 0 && <Running name="Recording" />}
        </Group>
      </Stack>
    </Card>
  );
}

function Running({ name }: { name: string }) {
  return (
    <Badge variant="outline" color="gray" tt="none">
      {name}
    </Badge>
  );
}

/**
 * A picture of the source. Each answer has a new address; this one changes every ten seconds, however many answers come. It
 * stays while its picture is on the way: another address would cancel the request, and a slow node would never show one.
 */
function Picture({ src, name }: { src: string | null; name: string }) {
  const [shown, setShown] = useState(src);
  const [settled, setSettled] = useState<{ src: string; isBroken: boolean } | null>(null);
  const shownAt = useRef(0);
  const isComing = shown !== null && settled?.src !== shown;
  useEffect(() => {
    if (shownAt.current === 0) shownAt.current = Date.now();
    if (isComing) return undefined;
    const change = () => {
      shownAt.current = Date.now();
      setShown(src);
    };
    const timer = setTimeout(change, Math.max(0, shownAt.current + refetchMs - Date.now()));
    return () => clearTimeout(timer);
  }, [src, isComing]);
  if (shown === null || (settled?.src === shown && settled.isBroken)) {
    return (
      <Center className="picture">
        <IconVideo size={32} stroke={1.5} aria-hidden />
      </Center>
    );
  }
  const settle = (isBroken: boolean) => () => setSettled({ src: shown, isBroken });
  return (
    <img className="picture" src={shown} alt={`Picture of ${name}`} onLoad={settle(false)} onError={settle(true)} />
  );
}

/** The time, each second. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
