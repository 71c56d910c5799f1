import { LayerOrder } from './track-probes.js';

type Numbers = Record<string, number>;

/** Adds the measurements, half a second apart, and returns the result of the last one. */
function orderOf(rids: string[], looks: Numbers[], sizes: Numbers[] = []): string[] | undefined {
  const order = new LayerOrder(rids);
  let found: string[] | undefined;
  looks.forEach((bytes, index) => {
    const pixels = new Map(Object.entries(sizes[index] ?? {}));
    found = order.settle({ bytes: new Map(Object.entries(bytes)), pixels }, index * 500);
  });
  return found;
}

/** Each measurement has `step` more bytes of each layer. */
function growing(steps: Numbers, count: number): Numbers[] {
  return Array.from({ length: count }, (_, look) =>
    Object.fromEntries(Object.entries(steps).map(([rid, step]) => [rid, step * (look + 1)])),
  );
}

describe('the order of a publisher’s layers', () => {
  it.each([[['h', 'l']], [['l', 'h']]])('goes by the size of their pictures, whatever the offer’s order %j', rids => {
    // At the start, before the bandwidth is known, a higher layer may have the lower bit rate.
    expect(orderOf(rids, [{ h: 1, l: 500 }], [{ h: 1280 * 720, l: 320 * 180 }])).toEqual(['l', 'h']);
  });

  it('follows the bit rates if no size is known', () => {
    expect(orderOf(['h', 'l'], growing({ h: 100, l: 10 }, 5))).toEqual(['l', 'h']);
  });

  it('compares the bytes since all layers arrived', () => {
    const looks = [{ l: 500 }, { l: 900 }, ...growing({ h: 100 }, 5).map(({ h = 0 }) => ({ h, l: 900 + h / 10 }))];
    expect(orderOf(['h', 'l'], looks)).toEqual(['l', 'h']);
  });

  it('is unknown until the layers can be compared', () => {
    expect(orderOf(['h', 'l'], growing({ h: 100, l: 10 }, 4))).toBeUndefined();
    expect(orderOf(['h', 'l'], [{ h: 1, l: 1 }], [{ l: 1 }])).toBeUndefined();
    expect(orderOf(['h', 'l'], [{}, {}, {}])).toBeUndefined();
  });

  it.each([
    [
      ['h', 'm', 'l'],
      ['l', 'm', 'h'],
    ],
    [
      ['l', 'm', 'h'],
      ['l', 'm', 'h'],
    ],
  ])('goes on from %j, after four seconds, as the layers that came', (rids, order) => {
    const looks = growing({ m: 100, l: 10 }, 9);
    expect(orderOf(rids, looks.slice(0, 8))).toBeUndefined();
    expect(orderOf(rids, looks)).toEqual(order);
  });
});
