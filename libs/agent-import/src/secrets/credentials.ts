import { isHighEntropy } from './secret-text.js';

const words =
  'api_?keys?|[a-z0-9]+_keys?|secrets?|tokens?|passwords?|passwd|pwd|passphrase|passcode|credentials?|authorization|o?auth2?|bearer|signature|sig|hmac|cookies?|jwt|sid';
/** Endings of such a name. */
const endings = '(?:_(?:ids?|values?|hash|\\d+)|\\d+)?';
const credentialWord = new RegExp(`(?:^|_)(?:${words})${endings}$`);

/**
 * Whether a field of this name holds a credential, or the id of one. A plain `key` does not: it names variables and
 * parameters in the definitions of platform A.
 */
export function isCredentialName(name: string): boolean {
  const snake = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_');
  return credentialWord.test(snake.toLowerCase());
}

/** Whether a parameter of this name in an address holds a credential. */
export function isCredentialParameter(name: string): boolean {
  return isCredentialName(name) || name.toLowerCase() === 'key';
}

/** Whether the field of a credential has a text. Switches and counts, such as `maxTokens`, hold no credential. */
export function holdsCredential(name: string, value: unknown): boolean {
  return isCredentialName(name) && holdsText(value);
}

function holdsText(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsText);
}

export interface Credentials {
  /** The fields that hold them. */
  paths: string[];
  /** The values that cannot be words, so that they can be removed from other texts. */
  values: Set<string>;
  /** Shorter or simpler values with a digit, such as passwords. A text may contain one by chance. */
  doubtful: Set<string>;
}

/** Collects the credentials of a definition that is not nested too deep. */
export function findCredentials(definition: unknown): Credentials {
  const found: Credentials = { paths: [], values: new Set(), doubtful: new Set() };
  visit({ name: '', value: definition, path: '', parent: {} }, found);
  return found;
}

interface Field {
  name: string;
  value: unknown;
  path: string;
  parent: object;
}

function visit({ name, value, path }: Field, found: Credentials): void {
  if (typeof value !== 'object' || value === null) return;
  const isSchema = name === 'properties';
  for (const [inner, one] of Object.entries<unknown>({ ...value })) {
    const field = { name: inner, value: one, path: pathTo(path, inner, Array.isArray(value)), parent: value };
    if (!isSchema && isCredential(field)) take(field, found);
    else visit(field, found);
  }
}

/** By its name, by the name beside it (`{ "key": "Authorization", "value": "…" }`), or a `key` whose value looks generated. */
function isCredential({ name, value, parent }: Field): boolean {
  if (Array.isArray(parent)) return false;
  if (holdsCredential(name, value)) return true;
  if (typeof value !== 'string' || value.trim() === '') return false;
  if (name === 'key') return isHighEntropy(value.trim());
  if (name === 'headers') return true;
  return name === 'value' && [fieldOf(parent, 'key'), fieldOf(parent, 'name')].some(isNameOfCredential);
}

function fieldOf(parent: object, name: string): unknown {
  return (parent as Record<string, unknown>)[name];
}

function isNameOfCredential(name: unknown): boolean {
  return typeof name === 'string' && isCredentialName(name);
}

function take({ value, path }: Field, found: Credentials): void {
  found.paths.push(path);
  takeValues(value, found);
}

function takeValues(value: unknown, found: Credentials): void {
  if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) takeValues(one, found);
  if (typeof value !== 'string') return;
  for (const part of value.split(/\s+/)) {
    if (isHighEntropy(part)) found.values.add(part);
    else if (/^(?=.*\d)[^{}]{8,}$/.test(part)) found.doubtful.add(part);
  }
}

const plainName = /^[A-Za-z_$][\w$-]{0,63}$/;

/** `model.tools[0]["x y"]`: a name that is not a plain word is in quotes, cut to 64 characters. */
export function pathTo(path: string, name: string, isIndex: boolean): string {
  if (isIndex) return `${path}[${name}]`;
  if (!plainName.test(name)) return `${path}[${JSON.stringify(name.slice(0, 64))}]`;
  return path === '' ? name : `${path}.${name}`;
}
