import { readFileSync } from 'node:fs';

/** What should not stand in an environment, which every child process and every crash report may show. */
const secretVariables = [
  'DATABASE_OWNER_URL',
  'DATABASE_URL',
  'ICE_SERVERS',
  'NATS_PASSWORD',
  'NATS_URL',
  'RECORDINGS_S3_SECRET_ACCESS_KEY',
  'RTMS_ADMIN_TOKEN',
  'RTMS_PREVIOUS_ADMIN_TOKEN',
  'RTMS_PREVIOUS_SECRET_KEYS',
  'RTMS_SECRET_KEY',
] as const;

export interface ResolvedVariables {
  variables: Record<string, string | undefined>;
  mistakes: string[];
}

/** Each secret may also stand in a file that `<NAME>_FILE` names, as Docker and Kubernetes mount secrets. */
export function readSecretFiles(env: Readonly<Record<string, string | undefined>>): ResolvedVariables {
  const resolved: ResolvedVariables = { variables: { ...env }, mistakes: [] };
  for (const name of secretVariables) readSecretFile(name, resolved);
  return resolved;
}

function readSecretFile(name: string, { variables, mistakes }: ResolvedVariables): void {
  const path = variables[`${name}_FILE`];
  if (path === undefined) return;
  if (variables[name] !== undefined) {
    mistakes.push(`${name} and ${name}_FILE are both set: only one of them may be`);
    return;
  }
  try {
    variables[name] = readSecret(path);
    if (variables[name] === '') mistakes.push(`${name}_FILE: ${path} is empty`);
  } catch (error) {
    mistakes.push(`${name}_FILE: ${path} cannot be read (${codeOf(error)})`);
  }
}

/** Most editors and `echo` end a file with a line break, which is no part of the secret. */
export function readSecret(path: string): string {
  return readFileSync(path, 'utf8').replace(/[\r\n]+$/, '');
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown error';
}
