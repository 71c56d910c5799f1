import { systemClock } from '@rtms/clock';
import { Parser } from 'm3u8-parser';
import { MemorySegmentStore } from '../../testing/memory-segment-store.js';
import { Presentation } from '../presentation.js';
import type { RunRendition } from '../run-segments.js';
import { recordedAudio, recordedVideo, type RecordedMedia } from './recorded-media.js';

export const startsAt = new Date('2026-11-21T10:00:00.000Z');
export const video = {
  ...{ kind: 'video' as const, name: '90p', width: 160, height: 90 },
  ...{ frameRate: 30, bitrate: 100_000 },
} satisfies RunRendition;
export const audio: RunRendition = { kind: 'audio', name: 'audio', bitrate: 128_000, channels: 2 };

export interface TestPresentation {
  store: MemorySegmentStore;
  presentation: Presentation;
}

export function setUp(windowSegments = 3): TestPresentation {
  const store = new MemorySegmentStore();
  const options = { segmentSeconds: 1, windowSegments };
  return { store, presentation: new Presentation('bcast_1', options, store, systemClock) };
}

export function mediaOf(name: string): RecordedMedia {
  return name === audio.name ? recordedAudio : recordedVideo;
}

/** Begins a run with its init segments. */
export async function begin(
  presentation: Presentation,
  minutes = 0,
  renditions: RunRendition[] = [video, audio],
): Promise<void> {
  presentation.beginRun({ renditions, startsAt: new Date(startsAt.getTime() + minutes * 60_000) });
  for (const { name } of renditions) await presentation.addInit(name, mediaOf(name).init);
}

/** Adds a segment. */
export async function add(presentation: Presentation, name: string, durationSeconds = 1): Promise<void> {
  await presentation.addSegment(name, { bytes: mediaOf(name).segment, durationSeconds, programDateTime: startsAt });
}

/** Adds `count` segments to each rendition. */
export async function addEach(presentation: Presentation, count = 1, names = ['90p', 'audio']): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    for (const name of names) await add(presentation, name);
  }
}

/** The addresses of the segments that a playlist lists. */
export function listed(presentation: Presentation, name = '90p'): string[] {
  return [...(presentation.mediaPlaylist(name) ?? '').matchAll(/^[^#\n].*$/gm)].map(([uri]) => uri);
}

/** Warnings of a third-party playlist reader. */
export function warningsOf(text: string): string[] {
  const warnings: string[] = [];
  const parser = new Parser();
  parser.on('warn', ({ message }) => warnings.push(message));
  parser.push(text);
  parser.end();
  return warnings;
}
