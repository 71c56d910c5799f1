import { endReasons } from '@rtms/contracts';
import { z } from 'zod';
import type { DeletedAnswer, ListAnswer, OneAnswer } from './present.js';

/** A schema with an id is one component of the document, however many answers have it. */
export const success = z.literal(true).meta({ id: 'Success', description: '`true` in every success.' });

export function one<Name extends string, Item>(name: Name, item: z.ZodType<Item>): z.ZodType<OneAnswer<Name, Item>> {
  return z.strictObject({ success, [name]: item }) as unknown as z.ZodType<OneAnswer<Name, Item>>;
}

export function list<Name extends string, Item>(name: Name, item: z.ZodType<Item>): z.ZodType<ListAnswer<Name, Item>> {
  const items = z.array(item).describe('The records of this page.');
  return z.strictObject({ success, [name]: items, ...pageFields }) as unknown as z.ZodType<ListAnswer<Name, Item>>;
}

/** The record that the query names; without a name, a list. */
export function oneOrList<Name extends string, Names extends string, Item, Listed>(
  [name, item]: [Name, z.ZodType<Item>],
  [names, listed]: [Names, z.ZodType<Listed>],
): z.ZodType<OneAnswer<Name, Item> | ListAnswer<Names, Listed>> {
  return z.union([one(name, item), list(names, listed)]);
}

export function deleted<IDName extends string>(idName: IDName): z.ZodType<DeletedAnswer<IDName>> {
  const fields = {
    success,
    deleted: z.literal(true).describe('`true`, also when the record was deleted before.'),
    [idName]: z.string().describe('The value that named the record.'),
  };
  return z.strictObject(fields) as unknown as z.ZodType<DeletedAnswer<IDName>>;
}

/** RFC 3339, UTC, milliseconds. */
export const time = z.iso.datetime({ precision: 3 }).meta({
  ...{ id: 'Time', description: 'RFC 3339, UTC, milliseconds.', examples: ['2026-11-21T10:15:30.000Z'] },
});

/** The times of a record that changes. */
export const recordTimes = {
  createdAt: time.describe('When the record was created.'),
  updatedAt: time.describe('When the record was last changed.'),
};

/** Why a resource ended. */
export const endReason = z.enum(endReasons).meta({ id: 'EndReason', description: 'Why a resource ended.' });

export const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** Kinds of records by the prefix of their identifiers. */
export const recordPrefixes: Readonly<Record<string, string>> = {
  acct: 'account',
  agent: 'agent',
  audit: 'entry',
  bcast: 'broadcast',
  cred: 'AI credential',
  dom: 'domain',
  eset: 'event settings',
  dlv: 'delivery',
  evt: 'event',
  ext: 'external session',
  hook: 'webhook',
  inv: 'invitation',
  key: 'key',
  log: 'log entry',
  msg: 'message',
  part: 'participant',
  play: 'playback',
  poll: 'poll',
  rec: 'recording',
  room: 'room',
  rset: 'recording settings',
  rstr: 'restream',
  sip: 'SIP configuration',
  sub: 'sub-user',
  tcfg: 'translation config',
  user: 'user',
  vwr: 'viewer',
};

const identifiers = new Map<string, z.ZodString>();

/** The identifier of a record in an answer: `identifier('room')` is `room_` and random characters. */
export function identifier(prefix: string): z.ZodType<string> {
  const record = recordPrefixes[prefix] ?? prefix;
  const made =
    identifiers.get(prefix) ??
    z
      .string()
      .regex(new RegExp(`^${prefix}_[A-Za-z0-9_-]+$`))
      .meta({
        id: `${componentName(record)}ID`,
        ...{ description: `Identifier of the ${record}.`, examples: [`${prefix}_V1StGXR8Z5jdHi6BmyT0aB`] },
      });
  identifiers.set(prefix, made);
  return made;
}

/** `AI credential` → `AICredential` */
function componentName(text: string): string {
  return text.replaceAll(/(?:^|[ -])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** One of the names of a table. */
export function oneOfKeys<Key extends string>(table: Readonly<Record<Key, unknown>>): z.ZodType<Key> {
  return z.enum(Object.keys(table) as [Key, ...Key[]]);
}

/** The fields of a list besides its records. */
export const pageFields = {
  total: count.meta({ id: 'Total', description: 'Number of matching records on all pages.' }),
  startIndex: count.meta({ id: 'StartIndex', description: 'Number of records before this page.' }),
  pageSize: z.int().min(1).max(100).meta({ id: 'PageSize', description: 'Greatest number of records on a page.' }),
};
