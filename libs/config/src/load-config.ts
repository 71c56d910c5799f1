import { type z } from 'zod';
import { ConfigurationError } from './configuration-error.js';
import { readSecretFiles } from './file-variables.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the environment once into a typed object. An empty variable counts as one that is not set; a secret may stand in
 * the file that `<NAME>_FILE` names.
 * Throws `ConfigurationError` with all mistakes together.
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
