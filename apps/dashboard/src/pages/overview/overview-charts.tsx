import { Button, Card, Group, SimpleGrid, Table, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { OverviewBucket, OverviewPoint } from '@rtms/contracts';
import type { ReactNode } from 'react';
import { TimeChart } from './time-chart.js';

const minutes: readonly Series[] = [
  { name: 'participantMinutes', label: 'Participant minutes', color: 'var(--mantine-color-indigo-6)' },
  { name: 'recordingMinutes', label: 'Recording minutes', color: 'var(--mantine-color-teal-6)' },
];
const started: readonly Series[] = [
  { name: 'roomsCreated', label: 'Rooms', color: 'var(--mantine-color-indigo-6)' },
  { name: 'externalSessionsCreated', label: 'External sessions', color: 'var(--mantine-color-cyan-6)' },
  { name: 'broadcastsCreated', label: 'Broadcasts', color: 'var(--mantine-color-orange-6)' },
];

/** The labels of the time axis. */
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
      <ChartCard title="Minutes" rows={rows} series={minutes}>
        <TimeChart kind="areas" labels={labels} series={seriesOf(minutes)} />
      </ChartCard>
      <ChartCard title="Started" rows={rows} series={started}>
        <TimeChart kind="stackedBars" labels={labels} series={seriesOf(started)} />
      </ChartCard>
    </SimpleGrid>
  );
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

interface ChartCardProps {
  title: string;
  rows: readonly OverviewPoint[];
  series: readonly Series[];
  children: ReactNode;
}

const format = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** A chart with its sums as text. Users who cannot read a chart can show its numbers as a table. */
function ChartCard({ title, rows, series, children }: ChartCardProps) {
  const [isTable, { toggle }] = useDisclosure();
  const sums = series.map(({ name, label }) => `${label}: ${format.format(sumOf(rows, name))}`).join(' · ');
  return (
    <Card component="section" aria-label={title}>
      <Group justify="space-between" mb={4}>
        <Title order={2} size="h4">
          {title}
        </Title>
        <Button size="compact-xs" variant="subtle" onClick={toggle} aria-pressed={isTable}>
          {isTable ? 'Show as a chart' : 'Show as a table'}
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mb="md">
        {sums}
      </Text>
      {isTable ? <NumbersTable title={title} rows={rows} series={series} /> : <div aria-hidden>{children}</div>}
    </Card>
  );
}

function sumOf(rows: readonly OverviewPoint[], name: Series['name']): number {
  return rows.reduce((sum, row) => sum + row[name], 0);
}

function NumbersTable({ title, rows, series }: Omit<ChartCardProps, 'children'>) {
  return (
    <Table.ScrollContainer minWidth={0} mah={240} type="native" tabIndex={0} role="region" aria-label={title}>
      <Table verticalSpacing={4} aria-label={title}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">From</Table.Th>
            {series.map(({ name, label }) => (
              <Table.Th key={name} scope="col">
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, index) => (
            <Table.Tr key={index}>
              <Table.Th scope="row" fw={400}>
                {row.start}
              </Table.Th>
              {series.map(({ name }) => (
                <Table.Td key={name}>{format.format(row[name])}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
