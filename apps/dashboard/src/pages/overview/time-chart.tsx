import { Box, ColorSwatch, Group, Paper, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useState, type PointerEvent } from 'react';
import { scaleTo, shownLabels, stacked } from './time-scale.js';

interface ChartSeries {
  label: string;
  color: string;
  values: readonly number[];
}

interface TimeChartProps {
  kind: 'areas' | 'stackedBars';
  /** One label for each point. */
  labels: readonly string[];
  series: readonly ChartSeries[];
}

/** With the legend. */
const chartHeight = 240;
const legendHeight = 24;
const margin = { top: 8, right: 8, bottom: 22, left: 44 };
const labelWidth = 64;
const format = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** Draws numbers over time. Screen readers get the same numbers from `NumbersTable`. */
export function TimeChart({ kind, labels, series }: TimeChartProps) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const [pointed, setPointed] = useState<number>();
  const rows = series.map(({ values }) => values);
  const starts = kind === 'stackedBars' ? stacked(rows) : rows.map(row => row.map(() => 0));
  const most = Math.max(0, ...rows.flatMap((row, index) => row.map((value, at) => value + (starts[index]?.[at] ?? 0))));
  const lines = scaleTo(most);
  const plot = plotOf(width, labels.length, lines.at(-1) ?? 1);
  const point = (event: PointerEvent<HTMLDivElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - margin.left;
    const index = Math.floor(x / plot.step);
    setPointed(index >= 0 && index < labels.length ? index : undefined);
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
            <Axes plot={plot} lines={lines} labels={labels} />
            {series.map(({ label, color, values }, index) => {
              const marks = { plot, color, values, starts: starts[index] ?? [] };
              return kind === 'areas' ? <AreaMarks key={label} {...marks} /> : <BarMarks key={label} {...marks} />;
            })}
            {pointed !== undefined && <Pointer plot={plot} index={pointed} />}
          </svg>
        )}
        {pointed !== undefined && (
          <Values labels={labels} series={series} index={pointed} isRight={pointed * 2 < labels.length} />
        )}
      </Box>
      <Group h={legendHeight} gap="md" justify="flex-end" align="flex-end">
        {series.map(({ label, color }) => (
          <Group key={label} gap={6}>
            <ColorSwatch color={color} size={10} withShadow={false} />
            <Text size="xs">{label}</Text>
          </Group>
        ))}
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
  labels: readonly string[];
}

function Axes({ plot: { left, width, x, y, bottom }, lines, labels }: AxesProps) {
  const text = { fill: 'var(--mantine-color-dimmed)', fontSize: 12 };
  return (
    <>
      {lines.map(value => (
        <g key={value}>
          <line x1={left} x2={left + width} y1={y(value)} y2={y(value)} stroke="var(--mantine-color-default-border)" />
          <text {...text} x={left - 8} y={y(value)} textAnchor="end" dominantBaseline="middle">
            {format.format(value)}
          </text>
        </g>
      ))}
      {shownLabels(labels.length, width, labelWidth).map(index => (
        <text key={index} {...text} x={x(index)} y={bottom + 16} textAnchor="middle">
          {labels[index]}
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
  labels: readonly string[];
  series: readonly ChartSeries[];
  index: number;
  /** The values are shown on the side that does not cover the pointer. */
  isRight: boolean;
}

function Values({ labels, series, index, isRight }: ValuesProps) {
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
        {labels[index]}
      </Text>
      {series.map(({ label, color, values }) => (
        <Group key={label} gap={6} wrap="nowrap">
          <ColorSwatch color={color} size={8} withShadow={false} />
          <Text size="xs">
            {label}: {format.format(values[index] ?? 0)}
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
  values: readonly number[];
  /** The lower end of each bar. */
  starts: readonly number[];
}

const widestBar = 40;

function AreaMarks({ plot: { x, y, bottom }, color, values }: MarksProps) {
  if (values.length === 0) return null;
  const line = values.map((value, index) => `${index === 0 ? 'M' : 'L'}${x(index)} ${y(value)}`).join('');
  return (
    <>
      <path d={`${line}V${bottom}H${x(0)}Z`} fill={color} fillOpacity={0.2} />
      <path d={line} fill="none" stroke={color} strokeWidth={2} strokeLinejoin="round" />
    </>
  );
}

function BarMarks({ plot: { x, y, step }, color, values, starts }: MarksProps) {
  const width = Math.max(1, Math.min(widestBar, step * 0.7));
  return values.map((value, index) => {
    const start = starts[index] ?? 0;
    if (value === 0) return null;
    const top = y(start + value);
    return <rect key={index} x={x(index) - width / 2} y={top} width={width} height={y(start) - top} fill={color} />;
  });
}
