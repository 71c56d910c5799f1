import { isIP } from 'node:net';
import { operations } from '@rtms/contracts';
import { z } from 'zod';
import { recordPrefixes } from './answers.js';

/** Fields of requests and answers. The message of a field's rule follows the field's name: `port must be …`. */

const visible = /\S/;

/** Counts code points, so that a limit never cuts a character in half. */
function isWithin(value: string, min: number, max: number): boolean {
  // A character has at most two code units: longer text need not be counted.
  if (value.length > 2 * max) return false;
  const characters = [...value].length;
  return characters >= min && characters <= max;
}

/** Text that must not be empty must not be blank either. */
export function hasLength(value: unknown, min: number, max: number): boolean {
  return typeof value === 'string' && isWithin(value, min, max) && (min === 0 || visible.test(value));
}

function lengthRule(min: number, max: number): string {
  return `must be text of ${min === 0 ? 'at most' : `${min} to`} ${max} characters.`;
}

/** Text for people. */
export function text(min: number, max: number, error = lengthRule(min, max)): z.ZodString {
  return z
    .string({ error })
    .refine(value => hasLength(value, min, max), { error })
    .meta({ minLength: min, maxLength: max, ...(min > 0 && { pattern: visible.source }) });
}

/** Text that may be blank, such as a password. */
export function secretText(min: number, max: number): z.ZodString {
  const error = lengthRule(min, max);
  return z
    .string({ error })
    .refine(value => isWithin(value, min, max), { error })
    .meta({ minLength: min, maxLength: max });
}

/** A query parameter, sent once. */
export function queryText(max = 64): z.ZodString {
  const error = `must be given once, as text of 1 to ${max} characters.`;
  return text(1, max, error).describe('Answers only records with this value.');
}

/** The identifier of a record in a request: `idOf('a room')`. */
export function idOf(record: string): z.ZodString {
  const error = `must be the identifier of ${record}.`;
  const [prefix = 'id'] = Object.entries(recordPrefixes).find(([, name]) => record.endsWith(name)) ?? [];
  return z
    .string({ error })
    .min(1, { error })
    .max(64, { error })
    .meta({ description: `Identifier of ${record}.`, examples: [`${prefix}_V1StGXR8Z5jdHi6BmyT0aB`] });
}

export function matching(form: RegExp, error: string): z.ZodString {
  return z.string({ error }).regex(form, { error });
}

/** A whole number in a query. */
export function wholeText(min: number, max: number, example: string) {
  const error = `must be a whole number from ${min} to ${max}.`;
  return matching(/^\d{1,3}$/, error)
    .refine(text => Number(text) >= min && Number(text) <= max, { error })
    .meta({ examples: [example] });
}

const maxPageSize = 100;

/** Of lists that continue behind a cursor. */
export const pageSizeText = wholeText(1, maxPageSize, '100').describe(
  'Greatest number of records in the answer. Default: 100.',
);

export function oneOf<const Value extends string>(values: readonly Value[]) {
  return z.enum(values, { error: `must be one of: ${values.join(', ')}.` });
}

export const flag = z.boolean({ error: 'must be true or false.' });

export function whole(min: number, max: number, unit = ''): z.ZodInt {
  const error = `must be a whole number${unit && ` of ${unit}`} from ${min} to ${max}.`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

/** A list without duplicates. */
export function listOf<Item extends z.ZodType>(item: Item, min: number, max: number, error: string): z.ZodArray<Item> {
  return z
    .array(item, { error })
    .min(min, { error })
    .max(max, { error })
    .refine(items => new Set(items).size === items.length, { error })
    .meta({ uniqueItems: true });
}

const operationError = (some: string) => `must be a list of ${some}, none twice: ${operations.join(', ')}.`;

/** An item of lists. */
export const operation = z
  .enum(operations, { error: operationError('these') })
  .meta({ id: 'Operation', description: 'Right of a key.' });

export function operationList(least: 0 | 1) {
  const error = operationError(least > 0 ? 'at least one of these' : 'these');
  return listOf(operation, least, operations.length, error);
}

/** An object that is stored and answered as it was sent, of at most 4 KiB as JSON in UTF-8. */
export const openObject = z
  .looseObject({}, { error: 'must be an object of at most 4 KiB.' })
  .refine(value => Buffer.byteLength(JSON.stringify(value), 'utf8') <= 4096, {
    error: 'must be an object of at most 4 KiB.',
  }) as unknown as z.ZodType<object>;

/** RFC 3339, e.g. `2026-11-21T10:15:30Z`. */
const timeForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/i;
const timeError = 'must be a time such as 2026-11-21T10:15:30Z.';
export const queryTime = z
  .string({ error: timeError })
  .refine(value => timeForm.test(value) && !Number.isNaN(Date.parse(value)), { error: timeError })
  .meta({ format: 'date-time', examples: ['2026-11-21T10:15:30.000Z'] });

const maxUrlCharacters = 2048;

/** An https address without a password: readers of the record would see the password. */
export function isHttpsURL(value: unknown): boolean {
  return isPlainURL(value, ['https:']);
}

function isPlainURL(value: unknown, protocols: readonly string[]): boolean {
  if (typeof value !== 'string' || value.length > maxUrlCharacters) return false;
  if (!/^https?:\/\/[^\s\\]+$/i.test(value) || !URL.canParse(value)) return false;
  const { protocol, hostname, username, password } = new URL(value);
  return protocols.includes(protocol) && hostname !== '' && username === '' && password === '';
}

const urlError = `must be an https address of at most ${maxUrlCharacters} characters, without a password.`;

function plainURL(pattern: string, protocols: readonly string[]): z.ZodString {
  return z
    .string({ error: urlError })
    .refine(value => isPlainURL(value, protocols), { error: urlError })
    .meta({ maxLength: maxUrlCharacters, pattern, examples: ['https://api.example.com/v1'] });
}

export const httpsURL = plainURL('^[hH][tT][tT][pP][sS]://', ['https:']);

/** Also takes http. The service that stores the address refuses http outside development. */
export const webURL = plainURL('^[hH][tT][tT][pP][sS]?://', ['https:', 'http:']);

const label = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;

/** A host name in ASCII, or an address without brackets. */
export function isHostAddress(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 253) return false;
  if (isIP(value) !== 0) return !value.includes('%');
  const labels = value.split('.');
  // Digits alone at the end are a mistyped IPv4 address.
  return labels.every(each => label.test(each)) && !/^\d+$/.test(labels.at(-1) ?? '');
}

const hostError = 'must be a host name or an IP address.';
export const host = z
  .string({ error: hostError })
  .refine(isHostAddress, { error: hostError })
  .meta({ maxLength: 253, examples: ['sip.example.com'] });

const maxTagCharacters = 64;

/** The canonical form of a BCP 47 tag (`EN-us` → `en-US`); undefined for an invalid tag. */
export function canonicalLanguage(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > maxTagCharacters) return undefined;
  try {
    return Intl.getCanonicalLocales(value)[0];
  } catch {
    return undefined;
  }
}

/** Canonical tags without duplicates. */
export function canonicalLanguages(tags: readonly string[]): string[] {
  return [...new Set(tags.map(tag => canonicalLanguage(tag) ?? tag))];
}

/** Items keep their own limit in the description; the list's message says the rule of an item too. */
function listOfForms(max: number, maxLength: number, isValid: (value: string) => boolean, error: string) {
  const item = z.string({ error }).refine(isValid, { error }).meta({ maxLength });
  return z.array(item, { error }).max(max, { error });
}

export function languages(max: number) {
  const error = `must be a list of at most ${max} languages such as en or pt-BR.`;
  return listOfForms(max, maxTagCharacters, value => canonicalLanguage(value) !== undefined, error).meta({
    examples: [['en', 'pt-BR']],
  });
}

const prefixBits: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/** CIDR notation of IPv4 or IPv6 (RFC 4632, RFC 4291): `192.0.2.0/24`, `2001:db8::/32`. */
export function isNetwork(value: unknown): boolean {
  const [, address = '', bits = ''] =
    typeof value === 'string' ? (/^([\da-fA-F.:]+)\/(\d{1,3})$/.exec(value) ?? []) : [];
  const most = prefixBits[isIP(address)];
  return most !== undefined && String(Number(bits)) === bits && Number(bits) <= most;
}

export function networks(max: number) {
  const error = `must be a list of at most ${max} networks such as 192.0.2.0/24.`;
  return listOfForms(max, 43, isNetwork, error).meta({ examples: [['192.0.2.0/24']] });
}
