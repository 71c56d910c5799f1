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
import { useState } from 'react';
import { dashboardRequest } from '../../api/request.js';
import { shownKey } from '../../api/resource.js';
import { LoadFailure, Page } from '../../parts/page.js';
import { environmentNames, NumberCard } from '../../parts/values.js';
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
  const [range, setRange] = useState<Range>('day');
  const { data, error, refetch } = useOverview(range);
  const choice = (
    <SegmentedControl aria-label="Time range" data={rangeChoices} value={range} onChange={value => setRange(value)} />
  );
  return (
    <Page title="Overview" description="Rooms and media that run now, and their history." actions={choice}>
      {error && !data ? <LoadFailure error={error} onRetry={() => void refetch()} /> : <Content overview={data} />}
    </Page>
  );
}

function Content({ overview }: { overview: OverviewAnswer['overview'] | undefined }) {
  if (!overview) return <Placeholders />;
  return (
    <Stack gap="lg">
      <NowCards now={overview.now} />
      <OverviewCharts points={overview.points} bucket={overview.bucket} />
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
  { name: 'roomsActive', label: 'Rooms', icon: IconVideo },
  { name: 'participants', label: 'Participants', icon: IconUsers },
  { name: 'externalSessionsActive', label: 'External sessions', icon: IconPlugConnected },
  { name: 'viewers', label: 'Viewers', icon: IconDeviceTv },
  { name: 'broadcastsActive', label: 'Broadcasts', icon: IconBroadcast },
  { name: 'recordingsRunning', label: 'Recordings', icon: IconCircleDot },
] as const;

function NowCards({ now }: { now: OverviewNow }) {
  return (
    <SimpleGrid component="section" aria-label="Now" cols={{ base: 2, sm: 3, xl: 6 }}>
      {counts.map(({ name, label, icon }) => (
        <NumberCard key={name} label={label} value={now[name]} icon={icon} />
      ))}
    </SimpleGrid>
  );
}

function BalanceCards({ minutesLeft }: Pick<OverviewNow, 'minutesLeft'>) {
  return (
    <Stack component="section" gap="sm">
      <Title order={2} size="h4">
        Minutes left
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {(['sandbox', 'production'] as const).map(environment => (
          <Card key={environment}>
            <Title order={3} size="h5" mb="sm">
              {environmentNames[environment]}
            </Title>
            <Line label="Meeting minutes" value={minutesLeft[environment].meetingMinutes} />
            <Line label="Recording minutes" value={minutesLeft[environment].recordingMinutes} />
          </Card>
        ))}
      </SimpleGrid>
    </Stack>
  );
}

function Line({ label, value }: { label: string; value: number }) {
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fw={600}>{value.toLocaleString()}</Text>
    </Group>
  );
}
