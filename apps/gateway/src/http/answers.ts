import type { ErrorReason } from '@rtms/contracts';
import { z } from 'zod';
import type { DeletedAnswer, ListAnswer, OneAnswer } from './present.js';

const answerKey = 'rtms:answer';
const reasonsKey = 'rtms:reasons';

type Answering<Answer> = (...parameters: never[]) => Answer | Promise<Answer>;

/**
 * What a handler answers, and the failures that are its own besides those of every request. The description of the
 * API is made from it; the compiler holds the handler to it.
 */
export function Answers<Answer>(schema: z.ZodType<Answer>, ...reasons: ErrorReason[]) {
  return <Handler extends Answering<Answer>>(_: object, __: string | symbol, of: TypedPropertyDescriptor<Handler>) => {
    if (!of.value) return;
    Reflect.defineMetadata(answerKey, schema, of.value);
    Reflect.defineMetadata(reasonsKey, reasons, of.value);
  };
}

export function answerOf(handler: object): z.ZodType | undefined {
  return Reflect.getMetadata(answerKey, handler) as z.ZodType | undefined;
}

export function reasonsOf(handler: object): readonly ErrorReason[] {
  return (Reflect.getMetadata(reasonsKey, handler) as ErrorReason[] | undefined) ?? [];
}

const success = z.literal(true);

export function one<Name extends string, Item>(name: Name, item: z.ZodType<Item>): z.ZodType<OneAnswer<Name, Item>> {
  return z.strictObject({ success, [name]: item }) as unknown as z.ZodType<OneAnswer<Name, Item>>;
}

export function list<Name extends string, Item>(name: Name, item: z.ZodType<Item>): z.ZodType<ListAnswer<Name, Item>> {
  return z.strictObject({ success, [name]: z.array(item), ...pageFields }) as unknown as z.ZodType<
    ListAnswer<Name, Item>
  >;
}

/** The record that the query names, else a list. */
export function oneOrList<Name extends string, Names extends string, Item, Listed>(
  [name, item]: [Name, z.ZodType<Item>],
  [names, listed]: [Names, z.ZodType<Listed>],
): z.ZodType<OneAnswer<Name, Item> | ListAnswer<Names, Listed>> {
  return z.union([one(name, item), list(names, listed)]);
}

export function deleted<IDName extends string>(idName: IDName): z.ZodType<DeletedAnswer<IDName>> {
  const fields = { success, deleted: z.literal(true), [idName]: z.string() };
  return z.strictObject(fields) as unknown as z.ZodType<DeletedAnswer<IDName>>;
}

/** RFC 3339, UTC, milliseconds. */
export const time = z.iso.datetime({ precision: 3 }).meta({ examples: ['2026-11-21T10:15:30.000Z'] });

export const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** `identifier('room')`: `room_` and random characters. */
export function identifier(prefix: string): z.ZodType<string> {
  return z
    .string()
    .regex(new RegExp(`^${prefix}_[A-Za-z0-9_-]+$`))
    .meta({ examples: [`${prefix}_V1StGXR8Z5jdHi6BmyT0aB`] });
}

/** The names of a table of states. */
export function oneOfKeys<Key extends string>(table: Readonly<Record<Key, unknown>>): z.ZodType<Key> {
  return z.enum(Object.keys(table) as [Key, ...Key[]]);
}

/** Beside the records of a list. */
export const pageFields = { total: count, startIndex: count, pageSize: z.int().min(1).max(100) };

/** Kept as it was sent. */
export const openObject = z.looseObject({}) as unknown as z.ZodType<object>;
