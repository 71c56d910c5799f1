import { ServiceError, type PreferredLayers } from '@rtms/contracts';
import { z } from '@rtms/config';
import { checkValue } from '@rtms/http';

const layer = z.coerce.number().int().min(0).max(7);

/** The body of a layer selection (WHEP layer selection extension). Unknown fields are ignored. */
const layerWish = z.object({
  mediaId: z.string().optional(),
  /** RID of a simulcast layer. */
  encodingId: z.string().optional(),
  spatialLayerId: layer.optional(),
  temporalLayerId: layer.optional(),
  maxSpatialLayerId: layer.optional(),
  maxTemporalLayerId: layer.optional(),
});
export type LayerWish = z.infer<typeof layerWish>;

/** Throws `invalid_request` if the body is not a layer selection. */
export function parseLayerWish(body: string): LayerWish {
  const wish = checkValue(layerWish, parseJson(body));
  if (wish.success) return wish.data;
  throw new ServiceError(
    'invalid_request',
    'The body must be a JSON object with encodingId or layer numbers from 0 to 7.',
  );
}

/** undefined: the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The layers of a viewer's track. `encodingIDs` are the RIDs from the lowest layer to the highest. */
interface LayerChoice {
  encodingIDs: readonly string[];
  layers: { spatial: number; temporal: number };
}

/** Translates a wish into layers of the track. Throws `invalid_request` if the track does not have the layer. */
export function wishedLayers(wish: LayerWish, { encodingIDs, layers }: LayerChoice): PreferredLayers {
  const spatialLayer = spatialOf(wish, encodingIDs) ?? layers.spatial - 1;
  const temporalLayer = wish.temporalLayerId ?? wish.maxTemporalLayerId;
  if (spatialLayer >= layers.spatial || (temporalLayer ?? 0) >= layers.temporal)
    throw new ServiceError('invalid_request', 'The track has no such layer. Choose a layer from the `layers` event.');
  return { spatialLayer, ...(temporalLayer !== undefined && { temporalLayer }) };
}

function spatialOf(wish: LayerWish, encodingIDs: readonly string[]): number | undefined {
  if (wish.encodingId === undefined) return wish.spatialLayerId ?? wish.maxSpatialLayerId;
  const index = encodingIDs.indexOf(wish.encodingId);
  if (index < 0)
    throw new ServiceError('invalid_request', 'The track has no such encodingId. Choose one from the `layers` event.');
  return index;
}

/** The entry of one media section in the `layers` event. */
export function describeLayers({ encodingIDs, layers }: LayerChoice, current: PreferredLayers | undefined): object {
  const encodings = Array.from({ length: layers.spatial }, (_, index) => ({ id: encodingIDs[index] ?? String(index) }));
  const isSent = (index: number): boolean => current?.spatialLayer === index;
  return {
    active: encodings.flatMap((encoding, index) => (isSent(index) ? [{ ...encoding, ...current }] : [])),
    inactive: encodings.filter((_, index) => !isSent(index)),
    layers: encodings.flatMap(({ id }, index) =>
      Array.from({ length: layers.temporal }, (_, temporalLayerId) => ({
        encodingId: id,
        spatialLayerId: index,
        temporalLayerId,
      })),
    ),
  };
}
