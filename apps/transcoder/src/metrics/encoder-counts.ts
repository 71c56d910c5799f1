import type { Encoder, EncoderExit, EncoderListener } from '../encoder/encoder.js';
import type { Recorder } from '../encoder/recorder.js';

/** Counters of encoders and recorders since the start of the node. */
export class EncoderCounts {
  segments = 0;
  /** Processes that exited unexpectedly. */
  failures = 0;

  /** Returns the same encoder with counters. */
  ofEncoder(encoder: Encoder): Encoder {
    return {
      isUsable: () => encoder.isUsable(),
      decodes: codec => encoder.decodes(codec),
      start: (plan, listener) => encoder.start(plan, this.heard(listener)),
    };
  }

  /** Does the same, and is counted. */
  ofRecorder(recorder: Recorder): Recorder {
    return {
      decodes: codec => recorder.decodes(codec),
      capture: (plan, onExit) => recorder.capture(plan, exit => this.onExit(exit, onExit)),
      join: (task, signal) => recorder.join(task, signal),
    };
  }

  private heard(listener: EncoderListener): EncoderListener {
    return {
      onInit: (name, bytes) => listener.onInit(name, bytes),
      onSegment: (name, segment) => {
        this.segments += 1;
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
