import { faultOf, reasonOf, sampledMs, sampleIntervalMs, ServiceError, type Verdict } from '@rtms/contracts';
import { presentTime } from '../../platform/http/present.js';
import type { ListViewersDto, PresentedVerdict, ViewersPeriod } from './viewer-quality.dto.js';
import type { Minute, ViewersPage } from './viewer-samples.repository.js';

const minuteMs = 60_000;
const usualMs = 10 * minuteMs;
/** A page of 100 viewers then reads at most 6,000 rows. */
const longestMs = 60 * minuteMs;
const mostSamples = 60;
const defaultPageSize = 100;

interface Sample extends Verdict {
  at: number;
}

/** One kind of viewers. */
export interface ViewerSource<S extends Sample, Totals> {
  stored: (page: ViewersPage) => Promise<Minute[]>;
  /** The minutes that are not stored yet. Rejects while the node does not answer. */
  newest: (page: ViewersPage) => Promise<Minute[]>;
  unpack: (minute: Minute) => S[];
  /** The values of a longer step, without its time and verdict. */
  join: (samples: readonly S[]) => Values<S>;
  /** The sums of one viewer's samples in the period. */
  totals: (samples: readonly S[]) => Totals;
}

/** Without time and verdict. */
type Values<S extends Sample> = Omit<S, keyof Sample>;
type PresentedSample<S extends Sample> = Values<S> & PresentedVerdict & { at: string };

interface OfViewer extends PresentedVerdict {
  viewerID: string;
  firstSampleAt: string;
  lastSampleAt: string;
}

/** Reads a page of the viewers of a playback or a broadcast, in a period, with a verdict on each. */
export async function listViewers<S extends Sample, Totals>(
  resourceID: string,
  dto: ListViewersDto,
  now: number,
  source: ViewerSource<S, Totals>,
): Promise<ViewersPeriod & { viewers: (OfViewer & Totals & { samples: PresentedSample<S>[] })[] }> {
  const { from, to } = periodOf(dto, now);
  const pageSize = Number(dto.pageSize ?? defaultPageSize);
  // One more viewer shows whether there is a next page.
  const page = { resourceID, from: from - sampledMs, to, afterViewer: dto.after ?? '', viewers: pageSize + 1 };
  const newest = async () =>
    (await source.newest(page)).filter(({ minute }) => minute >= page.from && minute < page.to);
  const minutes = [...(await source.stored(page)), ...(await newest().catch(() => []))];
  const viewerIDs = [...new Set(minutes.map(({ viewerID }) => viewerID))].sort();
  const shown = viewerIDs.slice(0, pageSize);
  const hasMore = viewerIDs.length > pageSize;
  const samples = samplesByViewer(minutes, source.unpack, from, to);
  const stepMs = Math.ceil((to - from) / mostSamples / sampleIntervalMs) * sampleIntervalMs;
  const stepsOf = (own: readonly S[]): readonly S[] => joinSteps(own, source.join, from, stepMs);
  return {
    success: true,
    viewers: shown.flatMap(viewerID => {
      const own = samples.get(viewerID) ?? [];
      const [first, last] = [own[0], own.at(-1)];
      if (!first || !last) return [];
      const times = { firstSampleAt: presentAt(first.at), lastSampleAt: presentAt(last.at) };
      const presented = stepsOf(own).map(presentSample);
      return [{ viewerID, ...times, ...presentVerdict(worst(own)), ...source.totals(own), samples: presented }];
    }),
    stepSeconds: stepMs / 1_000,
    nextCursor: hasMore ? (shown.at(-1) ?? null) : null,
    hasMore,
  };
}

function presentAt(at: number): string {
  return presentTime(new Date(at));
}

function presentVerdict(verdict: Verdict): PresentedVerdict {
  return { fault: faultOf(verdict), reason: reasonOf(verdict) };
}

function presentSample<S extends Sample>({ at, cause, value, ...values }: S): PresentedSample<S> {
  return { ...values, at: presentAt(at), ...presentVerdict({ cause, value }) };
}

/** The mean of the measured values; null without any. */
export function meanOf<S>(samples: readonly S[], valueOf: (sample: S) => number | null): number | null {
  const known = samples.map(valueOf).filter(value => value !== null);
  return known.length === 0 ? null : sumOf(known, value => value) / known.length;
}

export function sumOf<S>(samples: readonly S[], valueOf: (sample: S) => number): number {
  return samples.reduce((sum, sample) => sum + valueOf(sample), 0);
}

function periodOf(dto: ListViewersDto, now: number): { from: number; to: number } {
  const to = dto.to === undefined ? now : Date.parse(dto.to);
  const from = dto.from === undefined ? to - usualMs : Date.parse(dto.from);
  if (from >= to) throw new ServiceError('invalid_request', 'from must be before to.');
  if (to - from > longestMs) throw new ServiceError('invalid_request', 'from must be at most an hour before to.');
  return { from, to };
}

/** The samples of the period, oldest first. A minute that is stored and still on the node counts once. */
function samplesByViewer<S extends Sample>(
  minutes: readonly Minute[],
  unpack: (minute: Minute) => S[],
  from: number,
  to: number,
): Map<string, S[]> {
  const viewers = new Map<string, Map<number, S>>();
  for (const minute of minutes) {
    const known = viewers.get(minute.viewerID) ?? new Map<number, S>();
    viewers.set(minute.viewerID, known);
    for (const sample of unpack(minute)) if (sample.at >= from && sample.at < to) known.set(sample.at, sample);
  }
  const sorted = (samples: Map<number, S>) => [...samples.values()].sort((one, other) => one.at - other.at);
  return new Map([...viewers].map(([viewerID, samples]) => [viewerID, sorted(samples)]));
}

/** The newest verdict of the most frequent fault. `none` counts only without a fault. */
function worst(samples: readonly Sample[]): Verdict {
  const faulty = samples.filter(sample => faultOf(sample) !== 'none');
  const counts = new Map<string, number>();
  for (const sample of faulty) counts.set(faultOf(sample), (counts.get(faultOf(sample)) ?? 0) + 1);
  const [fault] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? [];
  const { cause, value } = faulty.findLast(sample => faultOf(sample) === fault) ?? { cause: 'none', value: 0 };
  return { cause, value };
}

function joinSteps<S extends Sample>(
  samples: readonly S[],
  join: (samples: readonly S[]) => Values<S>,
  from: number,
  stepMs: number,
): readonly S[] {
  if (stepMs === sampleIntervalMs) return samples;
  const steps = new Map<number, S[]>();
  for (const sample of samples) {
    const start = from + Math.floor((sample.at - from) / stepMs) * stepMs;
    steps.set(start, [...(steps.get(start) ?? []), sample]);
  }
  return [...steps].map(([at, each]) => ({ ...join(each), at, ...worst(each) }) as S);
}
