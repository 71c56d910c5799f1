import type { Timer } from '@rtms/clock';
import {
  ServiceError,
  type EndReason,
  type ResumedSource,
  type RestreamFact,
  type RestreamJobState,
  type RestreamProblem,
  type StartRestreamRequest,
} from '@rtms/contracts';
import type { EncoderExit } from '../../encoder/encoder.js';
import type { PartShape } from '../../rtp/part-shape.js';
import { withSound, type TimedFrame } from '../../rtp/source-feed.js';
import { SendFailure, type Delivery, type Sender, type SendListener, type SendPlan } from '../../sending/sender.js';
import { CaptureRun } from '../recordings/capture-run.js';
import { SourceJob, type SourceJobParts } from '../source-job.js';
import { decideRetry, provenMs } from './retry-decision.js';

const keyframeEveryMs = 2_000;

export interface RestreamJobParts extends SourceJobParts {
  sender: Sender;
  report(fact: RestreamFact): void;
  /** Called once after the job has failed, reported the failure and closed its resources. */
  onFailed(): void;
}

/** One restream on this node: a feed from the source, and one connection to the target after the other. */
export class RestreamJob extends SourceJob<CaptureRun, RestreamJobParts> {
  private current: Exclude<RestreamJobState, 'interrupted'> | 'ended' = 'connecting';
  /** The source is lost, or was silent. */
  private isWaitingForSource = false;
  /** Attempts in a row that failed. */
  private failures = 0;
  /** The newest connection. */
  private delivery: Delivery | undefined;
  private retry: Timer | undefined;
  private proof: Timer | undefined;
  /** Ends an attempt that has not reached the target. */
  private connecting = new AbortController();

  constructor(
    private readonly request: StartRestreamRequest,
    parts: RestreamJobParts,
  ) {
    const { restreamID: feedID, sourceID, sfuNodeID, tracks, target } = request;
    const decodes = parts.sender.carries.bind(parts.sender, target.protocol);
    super({ feedID, sourceID, sfuNodeID, tracks }, parts, { decodes, needsVideo: tracks.includes('video') });
  }

  /** Returns `interrupted` only while no media arrives, because the gateway then resumes the job and reopens the feed. */
  get state(): RestreamJobState | 'ended' {
    if (this.current === 'ended') return 'ended';
    return this.isWaitingForSource && (!this.feed || this.isSilent) ? 'interrupted' : this.current;
  }

  /** Process ID of the sender, if any. */
  get senderPid(): number | undefined {
    return this.run?.pid;
  }

  protected get hasEnded(): boolean {
    return this.current === 'ended';
  }

  /** Handles a repeated start from a gateway that lost this node: reports an active job again and resumes an interrupted one. */
  startAgain(sfuNodeID: string): Promise<void> {
    if (this.state === 'interrupted' || sfuNodeID !== this.sfuNodeID) return this.resume({ sfuNodeID });
    if (this.current === 'active') this.parts.report({ type: 'restream.active' });
    return Promise.resolve();
  }

  /** Fails the restream if the target cannot carry the codecs with which the source returned. */
  override async resume(source: ResumedSource): Promise<void> {
    try {
      await super.resume(source);
    } catch (error) {
      const isUnsupported = error instanceof ServiceError && error.reason === 'source_codec_unsupported';
      if (isUnsupported) this.fail('source_codec_unsupported', 'source_codec_unsupported');
      throw error;
    }
  }

  /** Ends the connection to the target. `moves`: another node connects to it next. Safe to call twice. */
  stop(why: 'ends' | 'moves' = 'ends'): Promise<void> {
    this.connecting.abort();
    if (why === 'ends') this.delivery?.retire?.();
    return this.inOrder(async () => {
      this.end();
      await this.endFeed();
    });
  }

  protected pause(): void {
    if (this.hasEnded) return;
    this.retry?.cancel();
    this.current = 'retrying';
    this.isWaitingForSource = true;
  }

  protected beginRun(): void {
    const { feed } = this;
    if (!feed || this.hasEnded) return;
    // Receivers such as YouTube show nothing without sound.
    const hasSound = this.request.target.protocol !== 'whip';
    const codecs = hasSound ? withSound(feed.codecs, ['audio']) : feed.codecs;
    const isCurrent = () => this.run === run;
    let problem: RestreamProblem = 'sender_failed';
    const begin = (shape: PartShape, _startedAtMs: number, onExit: (exit: EncoderExit) => void) =>
      this.connect(
        { codecs, profileLevelID: profileOf(shape) },
        {
          onAccepted: () => isCurrent() && this.onAccepted(),
          onExit: (exit, found) => {
            problem = found;
            onExit(exit);
          },
        },
      ).catch((error: unknown) => {
        if (error instanceof SendFailure) ({ problem } = error);
        throw error;
      });
    const run: CaptureRun = new CaptureRun(
      { codecs, formerShapes: [], maxSource: undefined, begin },
      {
        onStarted: () => isCurrent() && (this.isWaitingForSource = false),
        onMedia: () => undefined,
        onSourceChanged: frame => isCurrent() && this.onSourceChanged(frame),
        onTooLarge: () => undefined,
        onFailed: exit => isCurrent() && this.onBroken(problem, exit),
      },
    );
    this.run = run;
    feed.requestKeyframe();
  }

  protected override endRun(): void {
    this.connecting.abort();
    this.proof?.cancel();
    super.endRun();
  }

  protected onTick(): void {
    // Receivers begin at keyframes, and services warn of more than 4 s between them. Browsers send one only on request.
    const isDue = this.parts.clock.now() - this.lastKeyframeAt >= keyframeEveryMs;
    if (this.run?.isWaiting || isDue) this.feed?.requestKeyframe();
    if (!this.feed || !this.isSilent || this.isWaitingForSource || this.hasEnded) return;
    this.isWaitingForSource = true;
    this.retry?.cancel();
    this.endRun();
    this.current = 'retrying';
    this.parts.report({ type: 'restream.retrying', problem: 'source_lost', retries: this.failures });
    this.beginRun();
  }

  private async connect(media: Pick<SendPlan, 'codecs' | 'profileLevelID'>, listener: SendListener): Promise<Delivery> {
    this.connecting = new AbortController();
    const { signal } = this.connecting;
    const { target, allowsPrivate } = this.request;
    // A target takes one publisher at a time.
    await Promise.all(this.endings);
    this.delivery = await this.parts.sender.send({ target, allowsPrivate, ...media }, listener, signal);
    return this.delivery;
  }

  private onAccepted(): void {
    this.proof = this.parts.clock.after(provenMs, () => (this.failures = 0));
    if (this.current === 'active') return;
    this.current = 'active';
    this.parts.report({ type: 'restream.active' });
  }

  private onSourceChanged(frame: TimedFrame): void {
    this.parts.logger.info({ size: frame.size }, 'source changed, connecting to the target again');
    this.restart(frame);
  }

  private onBroken(problem: RestreamProblem, { code, signal, lastLines }: EncoderExit): void {
    this.endRun();
    this.failures += 1;
    const decision = decideRetry(problem, this.failures);
    this.parts.logger.warn({ problem, failures: this.failures, code, signal, lastLines }, 'a target was lost');
    if (decision.do === 'fail') return this.fail(decision.reason, problem);
    this.current = 'retrying';
    this.parts.report({ type: 'restream.retrying', problem, retries: this.failures });
    this.retry = this.parts.clock.after(decision.delayMs, () => {
      if (!this.run) this.beginRun();
    });
  }

  private fail(reason: EndReason, problem: RestreamProblem): void {
    if (this.hasEnded) return;
    this.end();
    this.parts.report({ type: 'restream.failed', reason, problem });
    void this.stop().finally(() => this.parts.onFailed());
  }

  private end(): void {
    this.retry?.cancel();
    this.current = 'ended';
  }
}

/** The profile is in the second to fourth bytes of an AVCDecoderConfigurationRecord (ISO 14496-15, 5.3.3.1). */
function profileOf({ video }: PartShape): string | undefined {
  if (video?.codec !== 'h264' || video.setup === undefined) return undefined;
  return Buffer.from(video.setup, 'base64').subarray(1, 4).toString('hex');
}
