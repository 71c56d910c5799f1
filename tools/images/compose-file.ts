import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { repositoryRoot } from '../setup/repository.mjs';

export interface ComposeService {
  image: string;
  build?: { context: string; dockerfile: string };
  profiles?: string[];
  environment?: Record<string, string>;
  secrets?: string[];
  volumes?: string[];
  ports?: string[];
  networks?: string[] | Record<string, { ipv4_address: string } | null>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test?: string[]; disable?: boolean };
  read_only?: boolean;
  init?: boolean;
  privileged?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  stop_grace_period?: string;
  command?: string[];
  deploy?: { resources: { limits: { cpus: string; memory: string; pids: number } } };
}

export interface ComposeFile {
  services: Record<string, ComposeService>;
  secrets: Record<string, { file: string }>;
  networks: Record<string, { internal?: boolean; ipam?: { config: { subnet: string }[] } } | null>;
  volumes: Record<string, unknown>;
}

export const composePath = join(repositoryRoot, 'docker-compose.yml');
export const composeText = readFileSync(composePath, 'utf8');

type Variables = Readonly<Record<string, string>>;

/** As Compose does: `${NAME:-default}` and `${NAME:+replacement}`, which may hold others; `$$` is a dollar sign. */
function interpolate(text: string, variables: Variables): string {
  const inner = text.replaceAll(
    /\$\{(\w+)(?::([-+])([^${}]*))?\}/g,
    (_all, name: string, operator: '-' | '+' | undefined, other: string | undefined): string => {
      const value = variables[name] ?? '';
      if (operator === '+') return value === '' ? '' : (other ?? '');
      return value === '' ? (other ?? '') : value;
    },
  );
  return inner === text ? text.replaceAll('$$', '$') : interpolate(inner, variables);
}

/** The file as Compose reads it with variables of an `.env` file; default: none. */
export function readComposeFile(variables: Variables = {}): ComposeFile {
  return parse(interpolate(composeText, variables), { merge: true }) as ComposeFile;
}

export const networksOf = ({ networks = [] }: ComposeService): string[] =>
  Array.isArray(networks) ? networks : Object.keys(networks);
