import { storableText } from './characters.js';
import { isFields } from './fields.js';
import { isSecretName } from './secret-name.js';
import { looksRandom, removed, withoutKeys } from './secret-shape.js';

/** Nothing is read from deeper. */
const maxDepth = 40;

export interface CleanDefinition {
  value: unknown;
  /** Fields that held keys were left out. */
  ignoredKeys: boolean;
  /** Texts had keys in them, which were taken out. */
  changedTexts: boolean;
}

/**
 * The definition as all else reads it: without fields that hold secrets, and without their values wherever else they
 * stand. What is not in here cannot come out again.
 */
export function withoutSecrets(definition: unknown): CleanDefinition {
  const secrets = new Set<string>();
  const clean: CleanDefinition = {
    value: undefined,
    ignoredKeys: collectSecrets(definition, secrets, 0),
    changedTexts: false,
  };
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length);
  const cleanText = (text: string) => {
    const storable = storableText(text);
    const rest = longestFirst.reduce((left, secret) => left.replaceAll(secret, removed), withoutKeys(storable));
    clean.changedTexts ||= rest !== storable;
    return rest;
  };
  clean.value = copy(definition, cleanText, 0);
  return clean;
}

/** Whether there were any. */
function collectSecrets(value: unknown, secrets: Set<string>, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return false;
  let found = false;
  for (const [name, inner] of Object.entries(value)) {
    const secret = !Array.isArray(value) && isSecretName(name) && holdsText(inner);
    if (secret) collectValues(inner, secrets, depth + 1);
    found = collectSecrets(inner, secrets, depth + 1) || secret || found;
  }
  return found;
}

/** Numbers and switches are no secrets, whatever they are called. */
function holdsText(value: unknown): boolean {
  return typeof value === 'string' ? value !== '' : typeof value === 'object' && value !== null;
}

/** Words that people use stand in other texts for good reasons: only what is no such word is looked for there. */
function collectValues(value: unknown, secrets: Set<string>, depth: number, isSecret = isUnusual): void {
  if (typeof value === 'string') {
    for (const part of value.split(/\s+/).filter(isSecret)) secrets.add(storableText(part));
  }
  if (typeof value !== 'object' || value === null || depth > maxDepth) return;
  const inner = Array.isArray(value) ? isSecret : looksRandom;
  for (const one of Object.values(value)) collectValues(one, secrets, depth + 1, inner);
}

function isUnusual(part: string): boolean {
  const length = part.includes('{{') ? 0 : part.length;
  return length >= 20 || (length >= 8 && /\d/.test(part));
}

function copy(value: unknown, cleanText: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) return undefined;
  if (Array.isArray(value)) return value.map(item => copy(item, cleanText, depth + 1));
  return isFields(value) ? copyFields(value, cleanText, depth) : undefined;
}

function copyFields(fields: object, cleanText: (text: string) => string, depth: number): object {
  // Without a prototype, a field that is called like something that every object has is just a field.
  const kept = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(fields)) {
    if (!(isSecretName(name) && holdsText(value))) kept[name] = copy(value, cleanText, depth + 1);
  }
  return kept;
}
