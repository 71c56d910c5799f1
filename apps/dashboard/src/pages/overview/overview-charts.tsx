import '@mantine/charts/styles.css';
import { AreaChart, BarChart } from '@mantine/charts';
import { SimpleGrid } from '@mantine/core';
import type { OverviewBucket, OverviewPoint } from '@rtms/contracts';
import { overviewTexts as texts } from '../../texts/overview.js';
import { ChartCard, type Series } from './chart-card.js';

const minutes: readonly Series[] = [
  { name: 'participantMinutes', label: texts.participantMinutes, color: 'indigo.6' },
  { name: 'recordingMinutes', label: texts.recordingMinutes, color: 'teal.6' },
];
const started: readonly Series[] = [
  { name: 'roomsCreated', label: texts.roomsCreated, color: 'indigo.6' },
  { name: 'externalSessionsCreated', label: texts.externalSessionsCreated, color: 'cyan.6' },
  { name: 'broadcastsCreated', label: texts.broadcastsCreated, color: 'orange.6' },
];
const height = 240;
/** The table beside it is what a screen reader reads. */
const isNotRead = { accessibilityLayer: false };

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

export default function OverviewCharts({ points, bucket }: OverviewChartsProps) {
  const rows = points.map(point => ({ ...rounded(point), start: formats[bucket].format(new Date(point.start)) }));
  const shared = {
    h: height,
    data: rows,
    dataKey: 'start',
    tickLine: 'none',
    gridAxis: 'x',
    withLegend: true,
  } as const;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <ChartCard title={texts.minutesTitle} rows={rows} series={minutes}>
        <AreaChart
          {...shared}
          areaChartProps={isNotRead}
          series={[...minutes]}
          curveType="monotone"
          withDots={false}
          fillOpacity={0.25}
        />
      </ChartCard>
      <ChartCard title={texts.startedTitle} rows={rows} series={started}>
        <BarChart
          {...shared}
          barChartProps={isNotRead}
          type="stacked"
          yAxisProps={{ allowDecimals: false }}
          series={[...started]}
        />
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
