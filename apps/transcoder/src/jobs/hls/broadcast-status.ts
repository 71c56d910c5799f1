import { isDeepStrictEqual } from 'node:util';
import type { BroadcastFact, EndReason, Rendition, SlateProblem } from '@rtms/contracts';

export type JobState = 'starting' | 'active' | 'interrupted' | 'ended';

/** State of a broadcast. Reports changes, but none after the end. */
export class BroadcastStatus {
  private current: JobState = 'starting';
  private reported: Rendition[] = [];
  private slateProblem: SlateProblem | undefined;

  constructor(private readonly report: (fact: BroadcastFact) => void) {}

  get state(): JobState {
    return this.current;
  }

  get hasEnded(): boolean {
    return this.current === 'ended';
  }

  /** Reports the renditions that players can fetch, if they have changed. */
  becomeActive(renditions: Rendition[]): void {
    const isKnown = this.current === 'active' && isDeepStrictEqual(renditions, this.reported);
    if (isKnown || this.hasEnded) return;
    this.current = 'active';
    this.reportActive(renditions);
  }

  reportActive(renditions: Rendition[]): void {
    this.reported = renditions;
    const { slateProblem } = this;
    this.report({ type: 'broadcast.active', renditions, ...(slateProblem && { slateProblem }) });
  }

  /** Reports a change at once, or with the first report. undefined: the image can be shown. */
  noteSlateProblem(problem: SlateProblem | undefined): void {
    if (problem === this.slateProblem) return;
    this.slateProblem = problem;
    if (this.current === 'active') this.reportActive(this.reported);
  }

  /** Sets `interrupted` without a report, because the caller knows it. */
  pause(): void {
    this.current = 'interrupted';
  }

  becomeInterrupted(reason: 'source_lost' | 'encoder_lost'): void {
    if (this.current !== 'active') return;
    this.current = 'interrupted';
    this.report({ type: 'broadcast.interrupted', reason });
  }

  fail(reason: EndReason): void {
    this.end();
    this.report({ type: 'broadcast.failed', reason });
  }

  end(): void {
    this.current = 'ended';
  }
}
