import fc from 'fast-check';
import { describeLayers, parseLayerWish, wishedLayers } from './layer-wish.js';

const choice = { encodingIDs: ['q', 'h', 'f'], layers: { spatial: 3, temporal: 2 } };

describe('a viewer’s wish for layers', () => {
  it.each([
    ['an encoding by its RID', { encodingId: 'h' }, { spatialLayer: 1 }],
    ['a spatial layer', { spatialLayerId: 0 }, { spatialLayer: 0 }],
    ['both kinds', { spatialLayerId: 1, temporalLayerId: 0 }, { spatialLayer: 1, temporalLayer: 0 }],
    ['only fewer frames', { temporalLayerId: 0 }, { spatialLayer: 2, temporalLayer: 0 }],
    ['limits', { maxSpatialLayerId: 1, maxTemporalLayerId: 1 }, { spatialLayer: 1, temporalLayer: 1 }],
    ['nothing known', { maxWidth: 640 }, { spatialLayer: 2 }],
  ])('is %s', (_case, wish, layers) => {
    expect(wishedLayers(parseLayerWish(JSON.stringify(wish)), choice)).toEqual(layers);
  });

  it.each([[{ encodingId: 'x' }], [{ spatialLayerId: 3 }], [{ temporalLayerId: 2 }]])('is refused: %j', wish => {
    expect(() => wishedLayers(wish, choice)).toThrow(expect.objectContaining({ reason: 'invalid_request' }));
  });

  it('is refused unless it is a valid object', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), body => {
        try {
          expect(typeof parseLayerWish(body)).toBe('object');
        } catch (error) {
          expect(error).toMatchObject({ reason: 'invalid_request' });
        }
      }),
    );
  });

  it('lists all layers and the sent ones in the event', () => {
    expect(
      describeLayers({ encodingIDs: ['l', 'h'], layers: { spatial: 2, temporal: 1 } }, { spatialLayer: 1 }),
    ).toEqual({
      active: [{ id: 'h', spatialLayer: 1 }],
      inactive: [{ id: 'l' }],
      layers: [
        { encodingId: 'l', spatialLayerId: 0, temporalLayerId: 0 },
        { encodingId: 'h', spatialLayerId: 1, temporalLayerId: 0 },
      ],
    });
  });
});
