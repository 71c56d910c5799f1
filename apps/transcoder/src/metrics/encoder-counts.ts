import type { Encoder, EncoderExit, EncoderListener } from '../jobs/encoder/encoder.js';
import type { Recorder } from '../recordings/recorder.js';

/** What the encoders and recorders of a node have done since its start. */
export class EncoderCounts {
  segments = 0;
  /** Processes that ended without being told to. */
  failures = 0;

  /** Does the same, and is counted. */
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
