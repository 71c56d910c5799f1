/** A key of the account. `maskedKey` shows its beginning and, after `…`, its end. */
export interface KnownKey {
  type: 'sandbox' | 'production';
  maskedKey: string;
}

export type CredentialCheck =
  | { verdict: 'sandbox'; credential: string }
  /** `unknown`: not a known sandbox key of this account. */
  | { verdict: 'empty' | 'malformed' | 'production' | 'unknown' };

const disposableTypes = { tempsand: 'sandbox', tempprod: 'production' } as const;
const shownCharacters = 8;

/** Checks `<api-username>:<api-key>`, or a key alone, before the page sends it. */
export function checkCredential(text: string, apiUserName: string, known: readonly KnownKey[]): CredentialCheck {
  const trimmed = text.trim().replace(/^Bearer\s+/i, '');
  if (trimmed === '') return { verdict: 'empty' };
  const [, name = apiUserName, key = ''] = /^(?:([A-Za-z0-9]{6,32}):)?([A-Za-z0-9]{64})$/.exec(trimmed) ?? [];
  if (key === '') return { verdict: 'malformed' };
  const type = typeOf(key, known);
  return type === 'sandbox' ? { verdict: 'sandbox', credential: `${name}:${key}` } : { verdict: type };
}

function typeOf(key: string, known: readonly KnownKey[]): 'sandbox' | 'production' | 'unknown' {
  const beginning = key.slice(0, shownCharacters);
  if (beginning in disposableTypes) return disposableTypes[beginning as keyof typeof disposableTypes];
  const types = new Set(known.filter(({ maskedKey }) => isMaskOf(maskedKey, key)).map(({ type }) => type));
  if (types.has('production')) return 'production';
  return types.has('sandbox') ? 'sandbox' : 'unknown';
}

function isMaskOf(maskedKey: string, key: string): boolean {
  const [beginning = '', ending = ''] = maskedKey.split('…');
  return key.startsWith(beginning) && key.endsWith(ending);
}
