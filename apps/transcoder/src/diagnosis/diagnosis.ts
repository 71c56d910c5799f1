import { statfs } from 'node:fs/promises';
import type { Clock } from '@rtms/clock';
import type { DirectorySpace, EndpointTrial, MediaEndpoint, TranscoderDiagnosis } from '@rtms/contracts';
import { tryEndpoint } from '@rtms/health';
import { canWrite } from '../disk.js';
import { lookAtFfmpeg, tryEncoding } from '../jobs/encoder/try-encoding.js';

export interface DiagnosisOptions {
  ffmpegPath: string;
  mediaDirectory: string;
  recordingsDirectory: string;
  clock: Clock;
}

/** What the node tries on itself when an administrator asks how it is. */
export class Diagnosis {
  constructor(private readonly options: DiagnosisOptions) {}

  async diagnose(): Promise<TranscoderDiagnosis> {
    const { ffmpegPath, mediaDirectory, recordingsDirectory, clock } = this.options;
    const [{ version, missingEncoders }, encoding, ...directories] = await Promise.all([
      lookAtFfmpeg(ffmpegPath),
      tryEncoding(ffmpegPath, clock),
      spaceIn('MEDIA_DIR', mediaDirectory),
      spaceIn('RECORDINGS_DIR', recordingsDirectory),
    ]);
    const measuredAt = new Date(clock.now()).toISOString();
    return { measuredAt, ffmpegVersion: version, missingEncoders, encoding, directories };
  }

  tryAll(endpoints: readonly MediaEndpoint[]): Promise<EndpointTrial[]> {
    return Promise.all(endpoints.map(endpoint => tryEndpoint(endpoint, this.options.clock)));
  }
}

async function spaceIn(purpose: string, path: string): Promise<DirectorySpace> {
  const isWritable = await canWrite([path]).catch(() => false);
  const space = await statfs(path).catch(() => undefined);
  const [freeBytes, totalBytes] = space ? [space.bavail * space.bsize, space.blocks * space.bsize] : [0, 0];
  return { purpose, path, isWritable, freeBytes, totalBytes };
}
