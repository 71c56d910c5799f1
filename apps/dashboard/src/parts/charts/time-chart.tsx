import { Box, Button, Card, ColorSwatch, Group, Paper, Table, Text, Title } from '@mantine/core';
import { useDisclosure, useElementSize } from '@mantine/hooks';
import { Fragment, useState, type PointerEvent } from 'react';
import { axisNumberText, numberText, timeText, timeZone } from '../formats.js';
import { knownParts, scaleTo, shownLabels, stacked } from './time-scale.js';

export interface ChartSeries {
  label: string;
  color: string;
  /** null: unknown. Areas have a gap there. */
  values: readonly (number | null)[];
}

/** The times of the points. `utcDay`: the points are days, which the gateway cuts in UTC. */
export interface TimeAxis {
  times: readonly Date[];
  unit: 'clock' | 'utcDay';
}

/** A point in words, with its day. */
function momentText({ times, unit }: TimeAxis, index: number): string {
  return timeText(times[index] ?? new Date(0), unit === 'clock' ? 'moment' : unit);
}

interface TimeChartProps {
  kind: 'areas' | 'stackedBars';
  axis: TimeAxis;
  series: readonly ChartSeries[];
}

export interface ChartProps extends TimeChartProps {
  title: string;
}

/** A chart with its numbers in words. Users who cannot read a chart can show its numbers as a table. */
export function ChartCard({ title, summary, ...chart }: ChartProps & { summary: string }) {
  const [isTable, { toggle }] = useDisclosure();
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
        {summary}
      </Text>
      {isTable ? (
        <NumbersTable title={title} {...chart} />
      ) : (
        <div aria-hidden>
          <TimeChart {...chart} />
        </div>
      )}
    </Card>
  );
}

function NumbersTable({ title, axis, series }: ChartProps) {
  return (
    <Table.ScrollContainer minWidth={0} mah={240} type="native" tabIndex={0} role="region" aria-label={title}>
      <Table verticalSpacing={4} aria-label={title}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{axis.unit === 'clock' ? 'From' : 'Day (UTC)'}</Table.Th>
            {series.map(({ label }) => (
              <Table.Th key={label} scope="col">
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {axis.times.map((_, index) => (
            <Table.Tr key={index}>
              <Table.Th scope="row" fw={400}>
                {momentText(axis, index)}
              </Table.Th>
              {series.map(({ label, values }) => (
                <Table.Td key={label}>{textOf(values[index])}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function textOf(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : numberText(value);
}

/** With the legend. */
const chartHeight = 240;
const legendHeight = 24;
const margin = { top: 8, right: 8, bottom: 22, left: 44 };
const labelWidth = 64;

/** Draws numbers over time. */
function TimeChart({ kind, axis, series }: TimeChartProps) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const count = axis.times.length;
  const [pointed, setPointed] = useState<number>();
  const rows = series.map(({ values }) => values.map(value => value ?? 0));
  const starts = kind === 'stackedBars' ? stacked(rows) : rows.map(row => row.map(() => 0));
  const most = Math.max(0, ...rows.flatMap((row, index) => row.map((value, at) => value + (starts[index]?.[at] ?? 0))));
  const lines = scaleTo(most);
  const plot = plotOf(width, count, lines.at(-1) ?? 1);
  const point = (event: PointerEvent<HTMLDivElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - margin.left;
    const index = Math.floor(x / plot.step);
    setPointed(index >= 0 && index < count ? index : undefined);
  };
  return (
    <Box>
      <Box
        ref={ref}
        h={chartHeight - legendHeight}
        pos="relative"
        onPointerMove={point}
        onPointerLeave={() => setPointed(undefined)}
      >
        {width > 0 && (
          <svg width={width} height={chartHeight - legendHeight} display="block">
            <Axes plot={plot} lines={lines} axis={axis} />
            {series.map(({ label, color, values }, index) => {
              const marks = { plot, color, values, starts: starts[index] ?? [] };
              return kind === 'areas' ? <AreaMarks key={label} {...marks} /> : <BarMarks key={label} {...marks} />;
            })}
            {pointed !== undefined && <Pointer plot={plot} index={pointed} />}
          </svg>
        )}
        {pointed !== undefined && <Values axis={axis} series={series} index={pointed} isRight={pointed * 2 < count} />}
      </Box>
      <Group mih={legendHeight} gap={4} justify="space-between" align="flex-end">
        <Text size="xs" c="dimmed" mr="md">
          {axis.unit === 'clock' ? `Time in ${timeZone()}` : 'Days in UTC'}
        </Text>
        <Group gap="md">
          {series.map(({ label, color }) => (
            <Group key={label} gap={6}>
              <ColorSwatch color={color} size={10} withShadow={false} />
              <Text size="xs">{label}</Text>
            </Group>
          ))}
        </Group>
      </Group>
    </Box>
  );
}

function plotOf(width: number, count: number, top: number): Plot {
  const inner = Math.max(0, width - margin.left - margin.right);
  const bottom = chartHeight - legendHeight - margin.bottom;
  const step = inner / Math.max(1, count);
  return {
    left: margin.left,
    bottom,
    top: margin.top,
    width: inner,
    step,
    x: index => margin.left + (index + 0.5) * step,
    y: value => bottom - (value / top) * (bottom - margin.top),
  };
}

interface AxesProps {
  plot: Plot;
  lines: readonly number[];
  axis: TimeAxis;
}

function Axes({ plot: { left, width, x, y, bottom }, lines, axis: { times, unit } }: AxesProps) {
  const text = { fill: 'var(--mantine-color-dimmed)', fontSize: 12 };
  // A label is at most 40 pixels wide. The last one must not leave the chart.
  const lastLabelX = left + width + margin.right - 20;
  return (
    <>
      {lines.map(value => (
        <g key={value}>
          <line x1={left} x2={left + width} y1={y(value)} y2={y(value)} stroke="var(--mantine-color-default-border)" />
          <text {...text} x={left - 8} y={y(value)} textAnchor="end" dominantBaseline="middle">
            {axisNumberText(value)}
          </text>
        </g>
      ))}
      {shownLabels(times.length, width, labelWidth).map(index => (
        <text key={index} {...text} x={Math.min(x(index), lastLabelX)} y={bottom + 16} textAnchor="middle">
          {timeText(times[index] ?? new Date(0), unit)}
        </text>
      ))}
    </>
  );
}

function Pointer({ plot: { x, top, bottom }, index }: { plot: Plot; index: number }) {
  return (
    <line x1={x(index)} x2={x(index)} y1={top} y2={bottom} stroke="var(--mantine-color-dimmed)" strokeDasharray="3 3" />
  );
}

interface ValuesProps {
  axis: TimeAxis;
  series: readonly ChartSeries[];
  index: number;
  /** The values are shown on the side that does not cover the pointer. */
  isRight: boolean;
}

function Values({ axis, series, index, isRight }: ValuesProps) {
  return (
    <Paper
      withBorder
      shadow="sm"
      p="xs"
      pos="absolute"
      top={margin.top}
      style={isRight ? { right: 8 } : { left: margin.left }}
    >
      <Text size="xs" fw={600}>
        {momentText(axis, index)}
      </Text>
      {series.map(({ label, color, values }) => (
        <Group key={label} gap={6} wrap="nowrap">
          <ColorSwatch color={color} size={8} withShadow={false} />
          <Text size="xs">
            {label}: {textOf(values[index])}
          </Text>
        </Group>
      ))}
    </Paper>
  );
}

/** Positions within a chart, in pixels. */
interface Plot {
  left: number;
  top: number;
  bottom: number;
  width: number;
  /** The width of one point on the time axis. */
  step: number;
  x: (index: number) => number;
  y: (value: number) => number;
}

interface MarksProps {
  plot: Plot;
  color: string;
  values: ChartSeries['values'];
  /** The lower end of each bar. */
  starts: readonly number[];
}

const widestBar = 40;

function AreaMarks({ plot: { x, y, bottom }, color, values }: MarksProps) {
  return knownParts(values).map(part => {
    const line = part.map(([index, value], at) => `${at === 0 ? 'M' : 'L'}${x(index)} ${y(value)}`).join('');
    const start = x(part[0]?.[0] ?? 0);
    return (
      <Fragment key={start}>
        <path d={`${line}V${bottom}H${start}Z`} fill={color} fillOpacity={0.2} />
        <path d={line} fill="none" stroke={color} strokeWidth={2} strokeLinejoin="round" strokeLinecap="round" />
      </Fragment>
    );
  });
}

function BarMarks({ plot: { x, y, step }, color, values, starts }: MarksProps) {
  const width = Math.max(1, Math.min(widestBar, step * 0.7));
  return values.map((value, index) => {
    const start = starts[index] ?? 0;
    if (value === null || value === 0) return null;
    const top = y(start + value);
    return <rect key={index} x={x(index) - width / 2} y={top} width={width} height={y(start) - top} fill={color} />;
  });
}
