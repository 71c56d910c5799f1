import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventLog } from '@rtms/testing';
import { descendants, type RunningProcess } from './processes.js';

export interface ReadyFile {
  gateway: string;
  sfu: string;
  transcoder: string;
  ingest: string;
  apiUserName: string;
  apiKey: string;
  adminToken: string;
  email: string;
  password: string;
  /** The dashboard's address for other machines. */
  lan?: string;
}

/** A start is several waits in a row. On a busy machine with 25 times the load, one of them took 60 s. */
const timeoutMs = 240_000;

/** The start program on any free ports, with a home of its own. */
export class StartedProgram {
  readonly child: ChildProcess;
  readonly exit: Promise<number | null>;
  private readonly chunks = new EventLog<string>();

  constructor(
    private readonly home: string,
    env: Record<string, string> = {},
    command: string[] = [process.execPath, 'tools/start.mjs'],
  ) {
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_') && name !== 'NODE_OPTIONS');
    const ports = { GATEWAY_PORT: '0', SFU_PORT: '0', TRANSCODER_PORT: '0', INGEST_PORT: '0', SFU_WORKERS: '1' };
    const [file = '', ...args] = command;
    this.child = spawn(file, args, { env: { ...Object.fromEntries(own), ...ports, RTMS_HOME: home, ...env } });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', data => this.chunks.add(String(data)));
    }
    this.exit = once(this.child, 'close').then(([code]) => code as number | null);
  }

  get output(): string {
    return this.chunks.all.join('');
  }

  async ready(): Promise<ReadyFile> {
    await this.says('Ctrl-C stops everything');
    return JSON.parse(readFileSync(join(this.home, 'ready.json'), 'utf8')) as ReadyFile;
  }

  /** Resolves once the text is in the output; fails with the output when the program ends before. */
  async says(text: string): Promise<void> {
    if (this.output.includes(text)) return;
    const said = this.chunks.next(() => this.output.includes(text), { timeoutMs });
    const ended = this.exit.then(() => Promise.reject(new Error(`it ended:\n${this.output}`)));
    await Promise.race([said, ended]);
  }

  started(): RunningProcess[] {
    return descendants(this.child.pid ?? 0);
  }
}
