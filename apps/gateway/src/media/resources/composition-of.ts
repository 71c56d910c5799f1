import type { ComposedRoom, CompositionStyle, RecordingOptions, StartRecordingRequest } from '@rtms/contracts';
import { IsNull, Not } from 'typeorm';

/** Finds recordings and broadcasts of whole rooms. */
export const compositionsOnly = { composition: Not(IsNull()) };

export const layouts = ['grid', 'speaker', 'single'] as const satisfies CompositionStyle['layout'][];
export type Layout = (typeof layouts)[number];

/** The form of a composition, and the sources that it takes from its room. Both stay the same until its end. */
export interface RoomComposition extends CompositionStyle {
  /** `video`: cameras. `media`: shared screens and external sessions, and cameras only while there are none. */
  shows: RecordingOptions['recordingDisplayType'];
}

/** Pixels of a side. The pictures of all orientations have the same area. */
const sizes: Record<RecordingOptions['orientation'], readonly [width: number, height: number]> = {
  landscape: [1280, 720],
  portrait: [720, 1280],
  // A square suits screens of both orientations.
  all: [960, 960],
};
/** 1080 lines, more than twice the pixels. */
const optimizedScale = 1.5;

/** The composition that recording settings ask for. */
export function compositionOf(options: RecordingOptions, layout?: Layout): RoomComposition {
  const scale = options.videoOptimized ? optimizedScale : 1;
  const [width, height] = sizes[options.orientation];
  return {
    layout: layout ?? (options.videoOptions === 'mainScreen' ? 'single' : 'grid'),
    width: width * scale,
    height: height * scale,
    fit: options.videoType === 'fullDisplay' ? 'cover' : 'contain',
    hasEmptyTiles: options.videoType === 'all',
    audio: options.audioOptions,
    backgroundColor: options.backgroundColor,
    ...(options.nameTags && { nameTagsColor: options.nameTagsColor }),
    shows: options.recordingDisplayType,
  };
}

/** The field of a start command; empty for a recording or broadcast of one source. */
export function compositionRequest({
  composition,
  composed,
}: {
  composition: RoomComposition | null;
  composed: ComposedRoom | null;
}): Pick<StartRecordingRequest, 'composition'> {
  if (!composition || !composed) return {};
  const { shows: _, ...style } = composition;
  return { composition: { ...style, ...composed } };
}
