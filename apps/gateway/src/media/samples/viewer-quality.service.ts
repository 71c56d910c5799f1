import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import {
  faultOf,
  reasonOf,
  sampledMs,
  sampleIntervalMs,
  ServiceError,
  sfuCommands,
  unpackSamples,
  type Verdict,
  type ViewerMinute,
  type ViewerSample,
} from '@rtms/contracts';
import { Repository } from 'typeorm';
import { presentTime } from '../../platform/http/present.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { findOwned, type Owner } from '../resources/owned-rows.js';
import { Playback } from '../resources/playback.entity.js';
import type { ListViewersDto, PresentedViewer, ViewersAnswer } from './viewer-quality.dto.js';
import { type ViewersPage, ViewerSamplesRepository } from './viewer-samples.repository.js';

const minuteMs = 60_000;
const usualMs = 10 * minuteMs;
/** A page of 100 viewers then reads at most 6,000 rows. */
const longestMs = 60 * minuteMs;
const mostSamples = 60;
const defaultPageSize = 100;

/** Reads what the viewers of a playback received. */
@Injectable()
export class ViewerQualityService {
  constructor(
    @InjectRepository(Playback) private readonly playbacks: Repository<Playback>,
    private readonly samples: ViewerSamplesRepository,
    private readonly commands: WorkerCommandsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async list(owner: Owner, playbackID: string, dto: ListViewersDto): Promise<ViewersAnswer> {
    const row = await findOwned(this.playbacks, owner, playbackID, 'playback');
    const { from, to } = this.periodOf(dto);
    const pageSize = Number(dto.pageSize ?? defaultPageSize);
    // One more viewer shows whether there is a next page.
    const page = { playbackID, from: from - sampledMs, to, afterViewer: dto.after ?? '', viewers: pageSize + 1 };
    const minutes = [...(await this.samples.list(page)), ...(await this.newest(row, page))];
    const viewerIDs = [...new Set(minutes.map(({ viewerID }) => viewerID))].sort();
    const shown = viewerIDs.slice(0, pageSize);
    const hasMore = viewerIDs.length > pageSize;
    const samples = samplesByViewer(minutes, from, to);
    const stepMs = Math.ceil((to - from) / mostSamples / sampleIntervalMs) * sampleIntervalMs;
    return {
      success: true,
      viewers: shown.flatMap(viewerID => presentViewer(viewerID, samples.get(viewerID) ?? [], from, stepMs)),
      stepSeconds: stepMs / 1_000,
      nextCursor: hasMore ? (shown.at(-1) ?? null) : null,
      hasMore,
    };
  }

  private periodOf(dto: ListViewersDto): { from: number; to: number } {
    const to = dto.to === undefined ? this.clock.now() : Date.parse(dto.to);
    const from = dto.from === undefined ? to - usualMs : Date.parse(dto.from);
    if (from >= to) throw new ServiceError('invalid_request', 'from must be before to.');
    if (to - from > longestMs) throw new ServiceError('invalid_request', 'from must be at most an hour before to.');
    return { from, to };
  }

  /** The minutes that are not stored yet. They are absent while the node does not answer. */
  private async newest({ nodeID, state }: Playback, page: ViewersPage): Promise<ViewerMinute[]> {
    const { playbackID, afterViewer, viewers } = page;
    if (nodeID === null || state === 'ended') return [];
    const address = sfuCommands.readViewerSamples.forNode(nodeID);
    const answer = await this.commands.ask(address, { playbackID, afterViewer, viewers }).catch(() => undefined);
    return answer?.minutes.filter(({ minute }) => minute >= page.from && minute < page.to) ?? [];
  }
}

/** The samples of the period, oldest first. A minute that is stored and still on the node counts once. */
function samplesByViewer(minutes: readonly ViewerMinute[], from: number, to: number): Map<string, ViewerSample[]> {
  const viewers = new Map<string, Map<number, ViewerSample>>();
  for (const minute of minutes) {
    const known = viewers.get(minute.viewerID) ?? new Map<number, ViewerSample>();
    viewers.set(minute.viewerID, known);
    for (const sample of unpackSamples(minute)) if (sample.at >= from && sample.at < to) known.set(sample.at, sample);
  }
  const sorted = (samples: Map<number, ViewerSample>) => [...samples.values()].sort((one, other) => one.at - other.at);
  return new Map([...viewers].map(([viewerID, samples]) => [viewerID, sorted(samples)]));
}

function presentViewer(
  viewerID: string,
  samples: readonly ViewerSample[],
  from: number,
  stepMs: number,
): PresentedViewer[] {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last) return [];
  return [
    {
      viewerID,
      firstSampleAt: presentTime(new Date(first.at)),
      lastSampleAt: presentTime(new Date(last.at)),
      frozenMs: sumOf(samples, ({ frozenMs }) => frozenMs),
      ...presentVerdict(worst(samples)),
      samples: stepsOf(samples, from, stepMs).map(({ at, cause, value, ...values }) => {
        return { at: presentTime(new Date(at)), ...values, ...presentVerdict({ cause, value }) };
      }),
    },
  ];
}

function presentVerdict(verdict: Verdict): Pick<PresentedViewer, 'fault' | 'reason'> {
  return { fault: faultOf(verdict), reason: reasonOf(verdict) };
}

/** The newest verdict of the most frequent fault. `none` counts only without a fault. */
function worst(samples: readonly ViewerSample[]): Verdict {
  const faulty = samples.filter(sample => faultOf(sample) !== 'none');
  const counts = new Map<string, number>();
  for (const sample of faulty) counts.set(faultOf(sample), (counts.get(faultOf(sample)) ?? 0) + 1);
  const [fault] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? [];
  return faulty.findLast(sample => faultOf(sample) === fault) ?? { cause: 'none', value: 0 };
}

function stepsOf(samples: readonly ViewerSample[], from: number, stepMs: number): readonly ViewerSample[] {
  if (stepMs === sampleIntervalMs) return samples;
  const steps = new Map<number, ViewerSample[]>();
  for (const sample of samples) {
    const start = from + Math.floor((sample.at - from) / stepMs) * stepMs;
    steps.set(start, [...(steps.get(start) ?? []), sample]);
  }
  return [...steps].map(([at, each]) => join(at, each));
}

function join(at: number, samples: readonly ViewerSample[]): ViewerSample {
  const mean = (valueOf: (sample: ViewerSample) => number | null): number | null => {
    const known = samples.map(valueOf).filter(value => value !== null);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  };
  return {
    ...{ at, ...worst(samples) },
    roundTripMs: mean(({ roundTripMs }) => roundTripMs),
    fractionLost: Math.max(...samples.map(({ fractionLost }) => fractionLost)),
    retransmitted: mean(({ retransmitted }) => retransmitted) ?? 0,
    bitrate: mean(({ bitrate }) => bitrate) ?? 0,
    layer: samples.at(-1)?.layer ?? null,
    frozenMs: sumOf(samples, ({ frozenMs }) => frozenMs),
    delayMs: mean(({ delayMs }) => delayMs),
  };
}

function sumOf(samples: readonly ViewerSample[], valueOf: (sample: ViewerSample) => number): number {
  return samples.reduce((sum, sample) => sum + valueOf(sample), 0);
}
