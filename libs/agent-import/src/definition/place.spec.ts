import { findCredentials } from '../secrets/credentials.js';
import { placeOf } from '../testing/definitions.js';
import { Place } from './place.js';

describe('a place', () => {
  it('never enters a field that holds a credential', () => {
    const place = placeOf({ credentials: { name: 'main' }, name: 'desk' });
    expect(place.at('credentials').exists).toBe(false);
    expect(place.has(['credentials'])).toBe(false);
    expect(place.entries().map(([name]) => name)).toEqual(['name']);
  });

  it('has only its own fields', () => {
    expect(placeOf({}).has(['constructor', 'toString', '__proto__'])).toBe(false);
  });

  it('reports a text only if a credential was removed from it', () => {
    const hex = '9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c';
    const definition = { secret: hex, open: 'Good day.', closed: `Say ${hex}.` };
    const reported: string[] = [];
    const onRemoved = (path: string) => void reported.push(path);
    const place = Place.root(definition, findCredentials(definition), { onRemoved, onRepeated: () => undefined });
    expect(['open', 'closed'].map(name => place.at(name).prose())).toEqual(['Good day.', 'Say [removed].']);
    expect(reported).toEqual(['closed']);
  });
});
