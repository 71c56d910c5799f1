import type { Clock } from '@rtms/clock';
import {
  audioRenditionName,
  type Encoder,
  type EncoderExit,
  type EncoderListener,
  type EncoderRun,
  type EncodingPlan,
} from '../encoder/encoder.js';
import type { Recorder } from '../encoder/recorder.js';

/** Counters of encoders and recorders since the start of the node. */
export class EncoderCounts {
  segments = 0;
  /** Processes that exited unexpectedly. */
  failures = 0;
  /** Seconds of media that all runs together have encoded. */
  mediaSeconds = 0;
  /** Seconds in which they encoded it. */
  wallSeconds = 0;

  constructor(private readonly clock: Clock) {}

  /** Returns the same encoder with counters. */
  ofEncoder(encoder: Encoder): Encoder {
    return {
      isUsable: () => encoder.isUsable(),
      decodes: codec => encoder.decodes(codec),
      start: async (plan, listener) => {
        const pace = this.paceOf(plan);
        return paced(await encoder.start(plan, this.heard(listener, pace)), pace);
      },
      compose: (scene, plan, listener) => encoder.compose(scene, plan, this.heard(listener, this.paceOf(plan))),
    };
  }

  /** Returns the same recorder with counters. */
  ofRecorder(recorder: Recorder): Recorder {
    return {
      decodes: codec => recorder.decodes(codec),
      capture: (plan, onExit) => recorder.capture(plan, exit => this.onExit(exit, onExit)),
      hasNameTags: () => recorder.hasNameTags(),
      compose: (scene, path, onExit) => recorder.compose(scene, path, exit => this.onExit(exit, onExit)),
      render: (task, signal) => recorder.render(task, signal),
      join: (task, signal) => recorder.join(task, signal),
    };
  }

  private paceOf({ video }: EncodingPlan): Pace {
    return new Pace(this.clock, video[0]?.name ?? audioRenditionName, (media, wall) => {
      this.mediaSeconds += media;
      this.wallSeconds += wall;
    });
  }

  private heard(listener: EncoderListener, pace: Pace): EncoderListener {
    return {
      onInit: (name, bytes) => listener.onInit(name, bytes),
      onSegment: (name, segment) => {
        this.segments += 1;
        pace.onSegment(name, segment.durationSeconds);
        listener.onSegment(name, segment);
      },
      onExit: exit => this.onExit(exit, listener.onExit.bind(listener)),
    };
  }

  private onExit(exit: EncoderExit, tell: (exit: EncoderExit) => void): void {
    if (!exit.expected) this.failures += 1;
    tell(exit);
  }
}

/** The pace of one run, measured at the segments of one rendition: all renditions have the same times. */
class Pace {
  private since: number | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly rendition: string,
    private readonly add: (mediaSeconds: number, wallSeconds: number) => void,
  ) {}

  onInput(): void {
    this.since ??= this.clock.now();
  }

  onSegment(rendition: string, seconds: number): void {
    if (rendition !== this.rendition) return;
    const now = this.clock.now();
    this.add(seconds, (now - (this.since ?? now)) / 1000);
    this.since = now;
  }
}

function paced(run: EncoderRun, pace: Pace): EncoderRun {
  return {
    get pid() {
      return run.pid;
    },
    write: data => {
      pace.onInput();
      return run.write(data);
    },
    finish: () => run.finish(),
    close: () => run.close(),
  };
}
