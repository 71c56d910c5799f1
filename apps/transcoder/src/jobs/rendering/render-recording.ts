import { rm } from 'node:fs/promises';
import type { RenderRecordingRequest } from '@rtms/contracts';
import type { RecordingStore } from '../../delivery/stores/recording-store.js';
import type { Recorder } from '../../encoder/recorder.js';
import type { PartShape } from '../../rtp/part-shape.js';
import { planRender, type SourceFile } from './render-plan.js';

export interface RenderParts {
  recorder: Pick<Recorder, 'render'>;
  /** Has the files of the sources. */
  store: Pick<RecordingStore, 'copyTo'>;
  /** Receives the parts of the composed recording. */
  directory: {
    pathOf(file: string): string;
    addPart(shape: PartShape, startedAtMs: number): Promise<string>;
    endPart(path: string, seconds: number): Promise<void>;
  };
  describe: (path: string) => Promise<Pick<SourceFile, 'kinds' | 'size'>>;
}

/** A file of a source is deleted. */
export class SourceMissingError extends Error {}

/** Composes the parts of a recording from files, one after the other. Deletes its copies of the files at the end. */
export async function renderRecording(
  request: RenderRecordingRequest,
  parts: RenderParts,
  signal: AbortSignal,
): Promise<void> {
  const { directory, recorder } = parts;
  const files: SourceFile[] = [];
  try {
    for (const { recordingID } of request.sources)
      files.push(await fetchFile(recordingID, files.length, parts, signal));
    const { width, height } = request.composition;
    const hasVideo = request.tracks.includes('video');
    const shape: PartShape = { hasAudio: true, ...(hasVideo && { video: { codec: 'h264', size: { width, height } } }) };
    for (const run of planRender(request, files)) {
      signal.throwIfAborted();
      const path = await directory.addPart(shape, run.beginMs);
      await recorder.render({ ...run, path }, signal);
      await directory.endPart(path, run.seconds);
    }
  } finally {
    await Promise.all(request.sources.map((_, i) => rm(directory.pathOf(sourceName(i)), { force: true })));
  }
}

async function fetchFile(
  recordingID: string,
  index: number,
  { store, directory, describe }: RenderParts,
  signal: AbortSignal,
): Promise<SourceFile> {
  const path = directory.pathOf(sourceName(index));
  if (!(await store.copyTo(recordingID, path, signal))) throw new SourceMissingError(`${recordingID} has no file`);
  return { recordingID, path, ...(await describe(path)) };
}

function sourceName(index: number): string {
  return `source-${index}.mp4`;
}
