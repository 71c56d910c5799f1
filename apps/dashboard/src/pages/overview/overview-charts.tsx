import { SimpleGrid } from '@mantine/core';
import type { OverviewBucket, OverviewPoint } from '@rtms/contracts';
import { overviewTexts as texts } from '../../texts/overview.js';
import { ChartCard, type Series } from './chart-card.js';
import { TimeChart } from './time-chart.js';

const minutes: readonly Series[] = [
  { name: 'participantMinutes', label: texts.participantMinutes, color: 'var(--mantine-color-indigo-6)' },
  { name: 'recordingMinutes', label: texts.recordingMinutes, color: 'var(--mantine-color-teal-6)' },
];
const started: readonly Series[] = [
  { name: 'roomsCreated', label: texts.roomsCreated, color: 'var(--mantine-color-indigo-6)' },
  { name: 'externalSessionsCreated', label: texts.externalSessionsCreated, color: 'var(--mantine-color-cyan-6)' },
  { name: 'broadcastsCreated', label: texts.broadcastsCreated, color: 'var(--mantine-color-orange-6)' },
];

/** How the start of a bucket is written under an axis. */
const formats: Record<OverviewBucket, Intl.DateTimeFormat> = {
  minute: new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' }),
  hour: new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' }),
  day: new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' }),
};

interface OverviewChartsProps {
  points: readonly OverviewPoint[];
  bucket: OverviewBucket;
}

export function OverviewCharts({ points, bucket }: OverviewChartsProps) {
  const rows = points.map(point => ({ ...rounded(point), start: formats[bucket].format(new Date(point.start)) }));
  const labels = rows.map(({ start }) => start);
  const seriesOf = (shown: readonly Series[]) =>
    shown.map(({ name, label, color }) => ({ label, color, values: rows.map(row => row[name]) }));
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <ChartCard title={texts.minutesTitle} rows={rows} series={minutes}>
        <TimeChart kind="areas" labels={labels} series={seriesOf(minutes)} />
      </ChartCard>
      <ChartCard title={texts.startedTitle} rows={rows} series={started}>
        <TimeChart kind="stackedBars" labels={labels} series={seriesOf(started)} />
      </ChartCard>
    </SimpleGrid>
  );
}

/** Tenths of a minute are enough to see. */
function rounded(point: OverviewPoint): OverviewPoint {
  const { participantMinutes, recordingMinutes } = point;
  return {
    ...point,
    participantMinutes: Math.round(participantMinutes * 10) / 10,
    recordingMinutes: Math.round(recordingMinutes * 10) / 10,
  };
}
