import type { SessionHistory } from '../../api/meetings.js';
import { numberText } from '../../parts/formats.js';
import type { ChartSeries, TimeAxis } from '../../parts/charts/time-chart.js';

type Sample = SessionHistory['samples'][number];

export interface SessionChart {
  title: string;
  /** The newest and the worst value in words. */
  summary: string;
  axis: TimeAxis;
  series: readonly ChartSeries[];
}

interface Measure {
  label: string;
  unit: string;
  color: string;
  valueOf: (sample: Sample) => number | null;
}

const indigo = 'var(--mantine-color-indigo-6)';
const teal = 'var(--mantine-color-teal-6)';

const charts: readonly { title: string; measures: readonly Measure[] }[] = [
  {
    title: 'Bitrate',
    measures: [{ label: 'kbit/s', unit: ' kbit/s', color: indigo, valueOf: ({ bitrate }) => bitrate / 1000 }],
  },
  {
    title: 'Packet loss',
    measures: [{ label: 'Percent', unit: ' %', color: indigo, valueOf: ({ fractionLost }) => fractionLost * 100 }],
  },
  {
    title: 'Delay of the network',
    measures: [
      { label: 'Round trip', unit: ' ms', color: indigo, valueOf: ({ roundTripMs }) => roundTripMs },
      { label: 'Jitter', unit: ' ms', color: teal, valueOf: ({ jitterMs }) => jitterMs },
    ],
  },
  {
    title: 'Frame rate',
    measures: [{ label: 'Frames per second', unit: ' fps', color: indigo, valueOf: ({ frameRate }) => frameRate }],
  },
];

/** The charts of a history. Times without a sample are unknown. */
export function sessionCharts(history: SessionHistory): SessionChart[] {
  const { slots, times } = slotsOf(history);
  return charts.map(({ title, measures }) => {
    const series = measures.map(({ label, color, valueOf }) => ({
      label,
      color,
      values: slots.map(sample => (sample ? rounded(valueOf(sample)) : null)),
    }));
    const summary = measures.map(({ label, unit }, index) => {
      const text = summaryOf(series[index]?.values ?? [], unit);
      return measures.length > 1 ? `${label}: ${text}` : text;
    });
    return { title, summary: summary.join(' · '), axis: { times, unit: 'clock' }, series };
  });
}

/** A slot for each step of the period. */
function slotsOf({ from, to, stepSeconds, samples }: SessionHistory): {
  slots: (Sample | undefined)[];
  times: Date[];
} {
  const [start, stepMs] = [Date.parse(from), stepSeconds * 1000];
  const count = Math.max(1, Math.ceil((Date.parse(to) - start) / stepMs));
  const slots = Array.from<Sample | undefined>({ length: count });
  for (const sample of samples)
    slots[Math.min(count - 1, Math.floor((Date.parse(sample.at) - start) / stepMs))] = sample;
  return { slots, times: Array.from({ length: count }, (_, index) => new Date(start + index * stepMs)) };
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10) / 10;
}

function summaryOf(values: ChartSeries['values'], unit: string): string {
  const known = values.filter(value => value !== null);
  const last = known.at(-1);
  if (last === undefined) return 'Not measured';
  const text = (value: number) => `${numberText(value)}${unit}`;
  return `Last ${text(last)}, lowest ${text(Math.min(...known))}, highest ${text(Math.max(...known))}`;
}
