import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import type { Clock } from '@rtms/clock';
import type { CodecName } from '@rtms/contracts';
import { composedLadder, ffmpegArguments } from './ffmpeg-arguments.js';
import {
  audioRenditionName,
  type ComposedCapture,
  type Encoder,
  type EncoderListener,
  type EncoderRun,
  type EncodingPlan,
  type Scene,
} from '../encoder.js';
import { startComposing } from './ffmpeg-composing.js';
import { FfmpegRun } from './ffmpeg-run.js';
import { canDecode, launch, readinessOf, type Ffmpeg } from '@rtms/ffmpeg';
import { WorkDirectory } from './work-directory.js';

/** Encodes with one FFmpeg process per run. */
export class FfmpegEncoder implements Encoder {
  readonly isUsable: Encoder['isUsable'];

  /** `directory` is the parent of the runs' working directories. */
  constructor(
    private readonly ffmpeg: Ffmpeg,
    private readonly directory: string,
    private readonly clock: Clock,
  ) {
    this.isUsable = readinessOf(ffmpeg.path, clock);
  }

  decodes(codec: CodecName): boolean {
    return canDecode(this.ffmpeg, codec);
  }

  async start(plan: EncodingPlan, listener: EncoderListener): Promise<EncoderRun> {
    const directory = await this.openDirectory(plan, listener, error => run.abandon(error));
    const [command, args] = launch(this.ffmpeg, ffmpegArguments(plan, this.ffmpeg));
    const process = spawn(command, args, { cwd: directory.path, stdio: ['pipe', 'ignore', 'pipe'] });
    const pipes = { process, errors: process.stderr, inputs: [process.stdin] };
    const run = new FfmpegRun(pipes, directory, listener, this.clock);
    if (plan.input === 'slate') {
      if (plan.still) run.write(plan.still.segment);
      run.endInput(0);
    }
    return run;
  }

  async compose(scene: Scene, plan: EncodingPlan, listener: EncoderListener): Promise<ComposedCapture> {
    const directory = await this.openDirectory(plan, listener, error => void composing.then(run => run.abandon(error)));
    const output = (filters: string) => composedLadder(plan, filters, this.ffmpeg);
    const composing = startComposing(this.ffmpeg, scene, { directory, output, listener, clock: this.clock });
    return composing;
  }

  private async openDirectory(
    plan: EncodingPlan,
    listener: EncoderListener,
    onUnreadable: (error: unknown) => void,
  ): Promise<WorkDirectory> {
    await mkdir(this.directory, { recursive: true });
    const names = [...plan.video.map(({ name }) => name), ...(plan.hasAudio ? [audioRenditionName] : [])];
    return WorkDirectory.open(this.directory, names, {
      onInit: (name, bytes) => listener.onInit(name, bytes),
      onSegment: (name, segment) => listener.onSegment(name, segment),
      ...(plan.partSeconds !== undefined && { onPart: (name, part) => listener.onPart?.(name, part) }),
      onUnreadable,
    });
  }
}
