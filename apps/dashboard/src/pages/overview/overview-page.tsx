import { Card, Group, SegmentedControl, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { OverviewAnswer, OverviewBucket, OverviewNow } from '@rtms/contracts';
import {
  IconBroadcast,
  IconCircleDot,
  IconDeviceTv,
  IconPlugConnected,
  IconUsers,
  IconVideo,
} from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { dashboardRequest } from '../../api/request.js';
import { shownKey } from '../../api/resource.js';
import { useMay } from '../../api/session.js';
import { useAddressChoice } from '../../parts/address-choice.js';
import { LoadFailure, Page, Section } from '../../parts/page.js';
import { numberText } from '../../parts/formats.js';
import { environmentNames, NumberCard } from '../../parts/values.js';
import { GoLiveButton } from './go-live-button.js';
import { LiveNow } from './live-now.js';
import { OverviewCharts } from './overview-charts.js';

const minuteMs = 60_000;
const refetchMs = 15_000;

/** The spans to choose from, and the step of the charts for each. */
const ranges = {
  hour: { label: 'Last hour', spanMs: 60 * minuteMs, bucket: 'minute' },
  day: { label: 'Last 24 hours', spanMs: 24 * 60 * minuteMs, bucket: 'hour' },
  month: { label: 'Last 30 days', spanMs: 30 * 24 * 60 * minuteMs, bucket: 'day' },
} as const satisfies Record<string, { label: string; spanMs: number; bucket: OverviewBucket }>;

type Range = keyof typeof ranges;
const rangeNames = Object.keys(ranges) as Range[];
const rangeChoices = rangeNames.map(value => ({ value, label: ranges[value].label }));

function useOverview(range: Range) {
  return useQuery({
    queryKey: shownKey('overview', range),
    queryFn: async ({ signal }) => {
      const { spanMs, bucket } = ranges[range];
      const to = Date.now();
      const query = { from: new Date(to - spanMs).toISOString(), to: new Date(to).toISOString(), bucket };
      const { overview } = await dashboardRequest<OverviewAnswer>('GET', '/overview', { query, signal });
      return overview;
    },
    placeholderData: keepPreviousData,
    refetchInterval: refetchMs,
  });
}

export default function OverviewPage() {
  const [range, setRange] = useAddressChoice<Range>({ name: 'range', values: rangeNames, initial: 'day' });
  const { data, error, refetch } = useOverview(range);
  const [mayCreate, mayPublish] = [useMay('createRoom'), useMay('ingestMedia')];
  const mayGoLive = mayCreate && mayPublish;
  const choice = <SegmentedControl aria-label="Time range" data={rangeChoices} value={range} onChange={setRange} />;
  return (
    <Page
      title="Overview"
      description="Rooms and media that run now, and their history."
      actions={mayGoLive && <GoLiveButton />}
    >
      <LiveNow />
      {error && !data ? (
        <LoadFailure error={error} onRetry={() => void refetch()} />
      ) : (
        <Content overview={data} choice={choice} />
      )}
    </Page>
  );
}

interface ContentProps {
  overview: OverviewAnswer['overview'] | undefined;
  /** The field for the time range of the charts. */
  choice: ReactNode;
}

function Content({ overview, choice }: ContentProps) {
  if (!overview) return <Placeholders />;
  return (
    <Stack gap="lg">
      <NowCards now={overview.now} />
      <Section title="History" actions={choice}>
        <OverviewCharts points={overview.points} bucket={overview.bucket} />
      </Section>
      <BalanceCards minutesLeft={overview.now.minutesLeft} />
    </Stack>
  );
}

/** The same heights as the content, so that nothing moves when it arrives. */
const heights = { card: 104, chart: 348 };

function Placeholders() {
  return (
    <Stack gap="lg" role="progressbar" aria-label="Loading">
      <SimpleGrid cols={{ base: 2, sm: 3, xl: 6 }}>
        {counts.map(({ name }) => (
          <Skeleton key={name} h={heights.card} />
        ))}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Skeleton h={heights.chart} />
        <Skeleton h={heights.chart} />
      </SimpleGrid>
    </Stack>
  );
}

const counts = [
  { name: 'roomsActive', label: 'Rooms', icon: IconVideo, href: '/rooms' },
  { name: 'participants', label: 'Participants', icon: IconUsers, href: '/rooms' },
  { name: 'externalSessionsActive', label: 'External sessions', icon: IconPlugConnected, href: '/rooms' },
  { name: 'viewers', label: 'Viewers', icon: IconDeviceTv, href: '/rooms' },
  { name: 'broadcastsActive', label: 'Broadcasts', icon: IconBroadcast, href: '/rooms' },
  { name: 'recordingsRunning', label: 'Recordings', icon: IconCircleDot, href: '/logs' },
] as const;

function NowCards({ now }: { now: OverviewNow }) {
  return (
    <SimpleGrid component="section" aria-label="Now" cols={{ base: 2, sm: 3, xl: 6 }}>
      {counts.map(({ name, ...card }) => (
        <NumberCard key={name} value={now[name]} {...card} />
      ))}
    </SimpleGrid>
  );
}

function BalanceCards({ minutesLeft }: Pick<OverviewNow, 'minutesLeft'>) {
  return (
    <Section title="Minutes left">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {(['sandbox', 'production'] as const).map(environment => (
          <Card key={environment} component={Link} href="/balance">
            <Title order={3} size="h5" mb="sm">
              {environmentNames[environment]}
            </Title>
            <Line label="Meeting minutes" value={minutesLeft[environment].meetingMinutes} />
            <Line label="Recording minutes" value={minutesLeft[environment].recordingMinutes} />
          </Card>
        ))}
      </SimpleGrid>
    </Section>
  );
}

function Line({ label, value }: { label: string; value: number }) {
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fw={600}>{numberText(value)}</Text>
    </Group>
  );
}
