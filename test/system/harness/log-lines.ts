import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stack } from './stack.js';

export interface LogLine {
  msg: string;
  requestID?: string;
  trace_id?: string;
  command?: string;
  type?: string;
  fact?: string;
}

/** Log lines of a service of the stack until now. */
export async function logLines({ folder }: Pick<Stack, 'folder'>, service: string): Promise<LogLine[]> {
  const text = await readFile(join(folder, `${service}.log`), 'utf8');
  return text
    .split('\n')
    .filter(line => line.startsWith('{') && line.endsWith('}'))
    .map(line => JSON.parse(line) as LogLine);
}
