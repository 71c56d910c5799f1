import { SimpleGrid } from '@mantine/core';
import type { OverviewBucket, OverviewPoint } from '@rtms/contracts';
import { numberText } from '../../parts/formats.js';
import { ChartCard, type ChartProps, type ChartSeries, type TimeAxis } from '../../parts/charts/time-chart.js';

const minutes: readonly Series[] = [
  { name: 'participantMinutes', label: 'Participant minutes', color: 'var(--mantine-color-indigo-6)' },
  { name: 'recordingMinutes', label: 'Recording minutes', color: 'var(--mantine-color-teal-6)' },
];
const started: readonly Series[] = [
  { name: 'roomsCreated', label: 'Rooms', color: 'var(--mantine-color-indigo-6)' },
  { name: 'externalSessionsCreated', label: 'External sessions', color: 'var(--mantine-color-cyan-6)' },
  { name: 'broadcastsCreated', label: 'Broadcasts', color: 'var(--mantine-color-orange-6)' },
];

interface OverviewChartsProps {
  points: readonly OverviewPoint[];
  bucket: OverviewBucket;
}

export function OverviewCharts({ points, bucket }: OverviewChartsProps) {
  const rows = points.map(rounded);
  const axis: TimeAxis = {
    times: rows.map(({ start }) => new Date(start)),
    unit: bucket === 'day' ? 'utcDay' : 'clock',
  };
  const seriesOf = (shown: readonly Series[]) =>
    shown.map(({ name, label, color }) => ({ label, color, values: rows.map(row => row[name]) }));
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <SummedChart title="Minutes" kind="areas" axis={axis} series={seriesOf(minutes)} />
      <SummedChart title="Started" kind="stackedBars" axis={axis} series={seriesOf(started)} />
    </SimpleGrid>
  );
}

function SummedChart(chart: ChartProps) {
  const sums = chart.series.map(({ label, values }) => `${label}: ${numberText(sumOf(values))}`).join(' · ');
  return <ChartCard {...chart} summary={sums} />;
}

/** Rounds minutes to tenths. */
function rounded(point: OverviewPoint): OverviewPoint {
  const { participantMinutes, recordingMinutes } = point;
  return {
    ...point,
    participantMinutes: Math.round(participantMinutes * 10) / 10,
    recordingMinutes: Math.round(recordingMinutes * 10) / 10,
  };
}

interface Series {
  name: Exclude<keyof OverviewPoint, 'start'>;
  label: string;
  color: string;
}

function sumOf(values: ChartSeries['values']): number {
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}
