import { ServiceError } from '@rtms/contracts';

/** Deeper than any request needs; without a limit, a hostile body overflows the stack of whoever walks it. */
const maxDepth = 32;

/** What PostgreSQL cannot keep as text: NUL, and halves of UTF-16 pairs. */
const unstorable = /[\0\p{Surrogate}]/u;

const tokens = /"(?:\\.|[^"\\])*"|[{}[\]:,]/g;

interface Level {
  /** undefined: an array. */
  names: Set<string> | undefined;
  expectsName: boolean;
}

/** As `JSON.parse`, but refuses what parsers disagree about: names that stand twice, `__proto__`, great depth. */
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

/** `text` is known to be valid, so that its punctuation and strings tell where each name stands. */
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
