import type { ComposedRoom, CompositionStyle } from '@rtms/contracts';
import type { Scene } from '../encoder/encoder.js';
import { fitInto } from '../encoder/graph/composed-graph.js';
import { arrange, sourceKey } from './arrange.js';
import type { ComposedMedia } from './composed-run.js';
import type { SourceInput } from './composed-source.js';

/** A source of a run, as it is now. */
export type LayoutInput = Pick<SourceInput, 'key' | 'source' | 'pictureKey' | 'pictureSize' | 'buffered'>;

/** The plan of a run. */
export interface Layout<Input extends LayoutInput = SourceInput> {
  /** Layouts with the same text have the same graph and the same inputs. */
  text: string;
  /** The sources whose pictures are shown. */
  shown: Input[];
  scene: Scene;
  /** In the order of the graph's inputs. */
  media: ComposedMedia[];
}

/** Plans a run of the room from the state of its sources. */
export function layoutOf<Input extends LayoutInput>(
  style: CompositionStyle,
  room: ComposedRoom,
  inputs: ReadonlyMap<string, Input>,
): Layout<Input> {
  const sources = room.sources.flatMap(source => inputs.get(sourceKey(source))?.source ?? []);
  const arrangement = arrange(style, { ...room, sources });
  const planned = arrangement.tiles.map(({ source, ...area }) => {
    const input = source.tracks.includes('video') ? inputs.get(sourceKey(source)) : undefined;
    // Text at the edge of a screen must not be cut off.
    const fit = source.view === 'screen' ? ('contain' as const) : style.fit;
    return { key: sourceKey(source), name: source.name, area, fit, input, picture: input?.pictureSize };
  });
  const audible = arrangement.audible.map(sourceKey);
  const shown = planned.flatMap(({ input, picture }) => (input && picture ? input : []));
  const described = planned.map(({ key, name, area, fit, input, picture }) => [
    ...[key, style.nameTagsColor && name, area],
    picture && [input?.pictureKey, fitInto(picture, area, fit)],
  ]);
  return {
    text: JSON.stringify([described, audible]),
    shown,
    scene: {
      style,
      tiles: planned.map(({ name, area, fit, picture }) => ({ ...area, fit, name, ...(picture && { picture }) })),
      sounds: audible.length,
    },
    media: [
      ...shown.map(({ pictureKey: key, buffered: picture }) => ({ key, ...(picture && { picture }) })),
      ...audible.map(key => ({ key, sound: { channels: 2 } })),
    ],
  };
}
