import { parse } from 'node:querystring';
import { ServiceError } from '@rtms/contracts';
import { bodyReader } from '@rtms/http';
import type { Request, RequestHandler, Response } from 'express';

const maxBodyBytes = 256 * 1024;
/** Limit before a credential is checked, as at the sign-in: many such bodies must not fill the memory. */
const maxStrangersBytes = 16 * 1024;
const methodsWithBody: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE'];

const utf8 = new TextDecoder('utf-8', { fatal: true });
const readBytes = bodyReader(maxBodyBytes);
const readStrangersBytes = bodyReader(maxStrangersBytes);

/** Makes `request.body` an object from a JSON body; without a body it is `{}`. */
export function jsonBody(): RequestHandler {
  return async (request, response, next) => {
    request.body = {};
    if (hasBody(request)) request.body = await readObject(request, response);
    next();
  };
}

function hasBody({ method, headers }: Request): boolean {
  if (!methodsWithBody.includes(method)) return false;
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

async function readObject(request: Request, response: Response): Promise<object> {
  requireJSON(request);
  const bytes = await (isIdentified(request) ? readBytes : readStrangersBytes)(request, response);
  if (bytes.length === 0) return {};
  const value = parseStrictJSON(decode(bytes));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ServiceError('invalid_request', 'The body must be a JSON object.');
  }
  return value;
}

function isIdentified({ caller, administrator, signedIn }: Request): boolean {
  return caller !== undefined || administrator === true || signedIn !== undefined;
}

function requireJSON(request: Request): void {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters.map(each => each.trim()).find(each => each.startsWith('charset='));
  if (type.trim() !== 'application/json' || (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset))) {
    throw new ServiceError('unsupported_media_type');
  }
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ServiceError('malformed_json', 'The body is not valid UTF-8.');
  }
}

/** Deeper than any request needs. Without a limit, a hostile body overflows the stack of the code that walks it. */
const maxDepth = 32;

/** PostgreSQL cannot store NUL and unpaired surrogates as text. */
export const unstorable = /[\0\p{Surrogate}]/u;

const tokens = /"(?:\\.|[^"\\])*"|[{}[\]:,]/g;

interface Level {
  /** undefined: an array. */
  names: Set<string> | undefined;
  expectsName: boolean;
}

/** As `JSON.parse`, but refuses bodies that parsers read differently: duplicate names, `__proto__`, great depth. */
export function parseStrictJSON(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed('The body is not valid JSON.');
  }
  checkStructure(text);
  return value;
}

/** `text` must be valid JSON: only then do its punctuation and strings show the place of each name. */
function checkStructure(text: string): void {
  const levels: Level[] = [];
  for (const [token] of text.matchAll(tokens)) {
    const level = levels.at(-1);
    if (token === '{' || token === '[') push(levels, token);
    else if (token === '}' || token === ']') levels.pop();
    else if (token === ',') expectName(level);
    else if (token !== ':') takeString(level, JSON.parse(token) as string);
  }
}

function push(levels: Level[], token: '{' | '['): void {
  if (levels.length === maxDepth) throw malformed('The body is nested too deeply.');
  const isObject = token === '{';
  levels.push({ names: isObject ? new Set() : undefined, expectsName: isObject });
}

function expectName(level: Level | undefined): void {
  if (level) level.expectsName = level.names !== undefined;
}

function takeString(level: Level | undefined, text: string): void {
  if (unstorable.test(text)) throw malformed('The body has characters that are no text.');
  if (level?.expectsName) takeName(level, text);
}

function takeName(level: Level, name: string): void {
  level.expectsName = false;
  if (name === '__proto__') throw new ServiceError('unknown_field', 'Unknown field: __proto__.');
  if (level.names?.has(name)) throw malformed(`The field ${shorten(name)} stands twice in the body.`);
  level.names?.add(name);
}

function shorten(name: string): string {
  return name.length > 64 ? `${name.slice(0, 64)}…` : name;
}

function malformed(message: string): ServiceError {
  return new ServiceError('malformed_json', message);
}

/**
 * Returns the names and values of a query. Some programs write lists and objects as `name[x]=…`. This form counts as a list
 * in `name`, so that a parameter for one value refuses it instead of ignoring an unknown name.
 */
export function parseQuery(text: string | null | undefined): Record<string, unknown> {
  const query: Record<string, unknown> = parse(text ?? '');
  for (const name of Object.keys(query)) {
    const base = /^([^[\]]+)\[/.exec(name)?.[1];
    if (base !== undefined) query[base] = [query[base] ?? [], query[name]].flat();
  }
  return query;
}
