import { checkCredential, type KnownKey } from './sandbox-credential.js';

const known: KnownKey[] = [
  { type: 'sandbox', maskedKey: 'Sand1234…xxxx' },
  // The mask of an older key has no end.
  { type: 'production', maskedKey: 'Prod1234…' },
];

function keyOf(beginning: string): string {
  return beginning.padEnd(64, 'x');
}

describe('an entered key', () => {
  it.each([
    ['nothing', '  ', { verdict: 'empty' }],
    ['something else', 'hello', { verdict: 'malformed' }],
    ['a key that is cut off', keyOf('tempsand').slice(1), { verdict: 'malformed' }],
    ['a disposable sandbox key', keyOf('tempsand'), { verdict: 'sandbox', credential: `demo01:${keyOf('tempsand')}` }],
    ['a disposable production key', keyOf('tempprod'), { verdict: 'production' }],
    ['it with a name', `harbour1:${keyOf('tempprod')}`, { verdict: 'production' }],
    [
      'the sandbox key as a header',
      ` Bearer harbour1:${keyOf('Sand1234')}\n`,
      { verdict: 'sandbox', credential: `harbour1:${keyOf('Sand1234')}` },
    ],
    ['the production key', keyOf('Prod1234'), { verdict: 'production' }],
    ['a key of another account', keyOf('Else1234'), { verdict: 'unknown' }],
    ['a key of another account with the same beginning', keyOf('Sand1234').replace(/x$/, 'y'), { verdict: 'unknown' }],
  ])('is classified: %s', (_case, text, check) => {
    expect(checkCredential(text, 'demo01', known)).toEqual(check);
  });

  it('is refused when a production key has the same beginning', () => {
    const both: KnownKey[] = [...known, { type: 'production', maskedKey: 'Sand1234…' }];
    expect(checkCredential(keyOf('Sand1234'), 'demo01', both)).toEqual({ verdict: 'production' });
  });
});
