import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@rtms/testing';
import { descendants, type RunningProcess } from './processes.js';

export interface ReadyFile {
  gateway: string;
  sfu: string;
  transcoder: string;
  apiUserName: string;
  apiKey: string;
  adminToken: string;
  email: string;
  password: string;
}

/** The start program on any free ports, with a home of its own. */
export class StartedProgram {
  output = '';
  readonly child: ChildProcess;
  readonly exit: Promise<number | null>;

  constructor(
    private readonly home: string,
    env: Record<string, string> = {},
    command: string[] = [process.execPath, 'tools/start.mjs'],
  ) {
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_') && name !== 'NODE_OPTIONS');
    const ports = { GATEWAY_PORT: '0', SFU_PORT: '0', TRANSCODER_PORT: '0', SFU_WORKERS: '1' };
    const [file = '', ...args] = command;
    this.child = spawn(file, args, { env: { ...Object.fromEntries(own), ...ports, RTMS_HOME: home, ...env } });
    this.child.stdout?.on('data', data => (this.output += String(data)));
    this.child.stderr?.on('data', data => (this.output += String(data)));
    this.exit = once(this.child, 'close').then(([code]) => code as number | null);
  }

  async ready(home = this.home): Promise<ReadyFile> {
    const path = join(home, 'ready.json');
    const written = waitFor(() => this.output.includes('Ctrl-C stops everything') && existsSync(path), {
      timeoutMs: 90_000,
      what: 'the start program to be ready',
    });
    await Promise.race([written, this.exit.then(() => Promise.reject(new Error(`it ended:\n${this.output}`)))]);
    return JSON.parse(readFileSync(path, 'utf8')) as ReadyFile;
  }

  started(): RunningProcess[] {
    return descendants(this.child.pid ?? 0);
  }
}
