import { readFileSync } from 'node:fs';
import type { z } from 'zod';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Parses the environment into a typed object. An empty variable counts as unset. A secret may be in the file that
 * `<NAME>_FILE` names. Throws `ConfigurationError` with all mistakes.
 */
export function loadConfig<T>(schema: z.ZodType<T>, env: Environment = process.env): T {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const { variables, mistakes } = readSecretFiles(set);
  const result = schema.safeParse(variables);
  if (result.success && mistakes.length === 0) return result.data;
  const issues = result.error?.issues ?? [];
  throw new ConfigurationError([...mistakes, ...issues.map(issue => describe(issue, variables))]);
}

function describe(issue: z.core.$ZodIssue, set: Record<string, string | undefined>): string {
  const variable = String(issue.path[0] ?? 'environment');
  const isMissing = issue.path.length === 1 && set[variable] === undefined;
  return isMissing ? `${variable} is not set` : `${variable}: ${issue.message}`;
}

/** The environment is invalid. The message lists all mistakes, but no values. */
export class ConfigurationError extends Error {
  constructor(readonly mistakes: readonly string[]) {
    super(['The configuration is invalid:', ...mistakes.map(mistake => `  - ${mistake}`)].join('\n'));
    this.name = 'ConfigurationError';
  }
}

/** Secrets. The environment is a poor place for them, because child processes and crash reports may show it. */
const secretVariables = [
  'DATABASE_OWNER_URL',
  'DATABASE_URL',
  'NATS_PASSWORD',
  'NATS_URL',
  'RECORDINGS_S3_SECRET_ACCESS_KEY',
  'RTMS_ADMIN_TOKEN',
  'RTMS_PREVIOUS_ADMIN_TOKEN',
  'RTMS_PREVIOUS_SECRET_KEYS',
  'RTMS_SECRET_KEY',
  'TURN_SECRET',
] as const;

export interface ResolvedVariables {
  variables: Record<string, string | undefined>;
  mistakes: string[];
}

/** Reads secrets from the files that `<NAME>_FILE` names, as Docker and Kubernetes mount them. */
function readSecretFiles(env: Readonly<Record<string, string | undefined>>): ResolvedVariables {
  const resolved: ResolvedVariables = { variables: { ...env }, mistakes: [] };
  for (const name of secretVariables) readSecretFile(name, resolved);
  return resolved;
}

function readSecretFile(name: string, { variables, mistakes }: ResolvedVariables): void {
  const path = variables[`${name}_FILE`];
  if (path === undefined) return;
  if (variables[name] !== undefined) {
    mistakes.push(`${name} and ${name}_FILE are both set. Unset one of them`);
    return;
  }
  try {
    variables[name] = readSecret(path);
    if (variables[name] === '') mistakes.push(`${name}_FILE: ${path} is empty`);
  } catch (error) {
    mistakes.push(`${name}_FILE: ${path} cannot be read (${codeOf(error)})`);
  }
}

/** Removes the line break that editors and `echo` add at the end. */
export function readSecret(path: string): string {
  return readFileSync(path, 'utf8').replace(/[\r\n]+$/, '');
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown error';
}

const pairs = [
  ['NATS_USER', 'NATS_PASSWORD'],
  ['NATS_CERT_FILE', 'NATS_KEY_FILE'],
  ['TLS_CERT_FILE', 'TLS_KEY_FILE'],
] as const;

/** Reports a variable whose partner is unset. For `superRefine` of a zod schema. */
export function checkPairs(env: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void {
  for (const [one, other] of pairs) {
    if ((env[one] === undefined) === (env[other] === undefined)) continue;
    const [set, missing] = env[one] === undefined ? [other, one] : [one, other];
    context.addIssue({ code: 'custom', path: [set], message: `set ${missing} too, or unset both` });
  }
}
