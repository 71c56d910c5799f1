import type { operations } from './generated/api.js';
import { Listing } from './listing.js';
import type { ApiRequest, CallOptions, Transport } from './transport.js';

export type { CallOptions, Listing };

type Operation = keyof operations;
type Json<Exchange> = Exchange extends { content: { 'application/json': infer Value } } ? Value : never;
type Without<Value, Names extends PropertyKey> = Value extends unknown ? Omit<Value, Names> : never;
type Success<Name extends Operation> = Json<operations[Name]['responses'][keyof operations[Name]['responses']]>;

/** Requests may be constants: no array needs to be mutable. */
type Constant<Value> = Value extends object ? { readonly [Name in keyof Value]: Constant<Value[Name]> } : Value;
/** The fields of the request. The method sets `action`. */
export type Body<Name extends Operation> = Constant<
  Without<Json<NonNullable<operations[Name] extends { requestBody?: infer Sent } ? Sent : never>>, 'action'>
>;
/** The answer of a success. */
export type Answer<Name extends Operation> = Without<Success<Name>, 'success'>;
/** The answer for one record, of an operation that answers one record or a list. */
export type One<Name extends Operation> = Without<Exclude<Success<Name>, { total: number }>, 'success'>;
/** A record of a list. */
export type Item<Name extends Operation, Items extends string> =
  Extract<Success<Name>, Record<Items, unknown>> extends Record<Items, readonly (infer Each)[]> ? Each : never;
export type Query<Name extends Operation> = Without<
  NonNullable<operations[Name]['parameters']['query']>,
  'action' | 'envelope'
>;
/** Filters, the first record and the records of a page. */
export type ListQuery<Name extends Operation> = Query<Name>;

/** The request of one method. */
interface Method {
  operationId: Operation;
  method: string;
  path: string;
  action?: string;
  /** `one` takes the record's identifier; `list` answers a `Listing`. */
  kind: 'call' | 'one' | 'list';
  /** The query parameter of `one`. */
  id?: string;
  /** The member of the answer that has the records. */
  items?: string;
  hasQuery?: boolean;
  hasBody?: boolean;
}
export type MethodTable = Readonly<Record<string, Readonly<Record<string, Method>>>>;

/** Makes the functions of a table: path parameters, identifier, body, query and options, in this order, as far as a method has them. */
export function bindMethods(table: MethodTable, transport: Transport): Record<string, Record<string, unknown>> {
  const entries = Object.entries(table).map(([namespace, methods]) => {
    const functions = Object.entries(methods).map(([name, method]) => [name, bindMethod(method, transport)] as const);
    return [namespace, Object.fromEntries(functions)] as const;
  });
  return Object.fromEntries(entries);
}

function bindMethod(method: Method, transport: Transport): (...parameters: unknown[]) => unknown {
  const { kind, items = '' } = method;
  return (...parameters) => {
    const { request, options } = requestOf(method, parameters);
    if (kind === 'list') return new Listing(transport, request, items, options);
    return transport.send(request, options).then(withoutSuccess);
  };
}

function requestOf(method: Method, parameters: readonly unknown[]): { request: ApiRequest; options: CallOptions } {
  const { path, action, id, hasBody, hasQuery } = method;
  const rest = [...parameters];
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const pathParameters = Object.fromEntries(names.map(name => [name, identifier(name, rest.shift())]));
  const one = id === undefined ? {} : { [id]: identifier(id, rest.shift()) };
  const body = hasBody ? (rest.shift() ?? {}) : {};
  const query = hasQuery ? (rest.shift() ?? {}) : {};
  const isRead = method.method === 'GET';
  const chosen = action === undefined ? {} : { action };
  const request: ApiRequest = {
    ...{ method: method.method, path, pathParameters },
    query: isRead ? { ...chosen, ...query, ...one } : {},
    ...(!isRead && { body: { ...body, ...chosen } }),
  };
  return { request, options: rest.shift() ?? {} };
}

/** An empty identifier would be another path, such as that of the list. */
function identifier(name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new TypeError(`${name} must be the identifier of a record, a text that is not empty.`);
}

function withoutSuccess(answer: unknown): unknown {
  const { success: _, ...members } = answer as Record<string, unknown>;
  return members;
}
