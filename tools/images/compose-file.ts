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

/** As Compose does where nothing is set: `${NAME:-default}` is its default, which may hold another; `$$` is a dollar sign. */
function interpolate(text: string): string {
  const inner = text.replaceAll(/\$\{\w+:-([^${}]*)\}/g, '$1');
  return inner === text ? text.replaceAll('$$', '$') : interpolate(inner);
}

export function readComposeFile(): ComposeFile {
  return parse(interpolate(composeText), { merge: true }) as ComposeFile;
}

export const networksOf = ({ networks = [] }: ComposeService): string[] =>
  Array.isArray(networks) ? networks : Object.keys(networks);
