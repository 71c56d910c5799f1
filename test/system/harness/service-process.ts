import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { patienceMs, waitFor } from '@rtms/testing';
import { readSamples } from '../../metrics/exposition.js';
import { boundPortsOf } from './bound-ports.js';
import { asFirstProcess } from './first-process.js';
import { descendants } from './processes.js';
import type { Fetch } from './trusting-fetch.js';

/** Compiled modules of the services: they save a tenth of the CPU of a gateway's start. */
const compileCache = resolve('node_modules/.cache/services');

export interface ServiceOptions {
  name: string;
  entryPoint: string;
  env: Record<string, string>;
  url: string;
  logFile: string;
  /** With the process id 1 in a namespace of its own, as in a container. */
  isFirstProcess?: boolean;
  /** A command that runs the service, such as `ip netns exec <name>`. */
  around?: readonly string[];
  /** Sends its requests, if not `fetch`. */
  fetch?: Fetch;
}

/** One service, run by its ordinary entry point; a test may kill it and start it again. */
export class ServiceProcess {
  #child: ChildProcess | undefined;
  #further: Record<string, string> = {};
  #isLogged: Promise<void> = Promise.resolve();

  constructor(private readonly options: ServiceOptions) {}

  get url(): string {
    return this.options.url;
  }

  get pid(): number {
    const pid = this.options.isFirstProcess ? descendants(this.#child?.pid ?? 0)[0]?.pid : this.#child?.pid;
    if (pid === undefined) throw new Error(`${this.options.name} does not run`);
    return pid;
  }

  /** Additional environment from the next start on; replaces earlier values. */
  configure(env: Record<string, string>): void {
    this.#further = env;
  }

  async start(options: { timeoutMs?: number } = {}): Promise<void> {
    const log = createWriteStream(this.options.logFile, { flags: 'a' });
    // The kernel ends the service with the test run, even after SIGKILL.
    const { isFirstProcess, entryPoint } = this.options;
    const around = isFirstProcess ? asFirstProcess : (this.options.around ?? []);
    const child = spawn('setpriv', ['--pdeathsig', 'INT', ...around, process.execPath, entryPoint], {
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: process.env['HOME'] ?? '/',
        NODE_ENV: 'production',
        // A run starts services a hundred times. Node.js 20 ignores the cache.
        NODE_COMPILE_CACHE: compileCache,
        ...this.options.env,
        ...this.#further,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    // Its last lines may arrive after its end.
    child.once('close', () => log.end());
    this.#isLogged = new Promise(resolve => log.once('close', resolve));
    this.#child = child;
    await this.waitUntilReady(options);
  }

  async waitUntilReady({ timeoutMs = patienceMs } = {}): Promise<void> {
    const { name } = this.options;
    const isOver = async () => this.#hasEnded || (await this.isReady());
    await waitFor(isOver, { timeoutMs, everyMs: 50, what: `${name} to be ready` });
    this.#requireProcess();
  }

  /** Throws when the process has ended. */
  async isReady(): Promise<boolean> {
    this.#requireProcess();
    const answer = await this.#ask('/readyz').catch(() => undefined);
    return (answer?.ok ?? false) && this.#isListening();
  }

  /** Sum of a metric's samples that have these labels. */
  async metric(name: string, labels: Record<string, string> = {}): Promise<number> {
    const text = await (await this.#ask('/metrics')).text();
    return readSamples(text)
      .filter(each => each.name === name && Object.entries(labels).every(([key, value]) => each.labels[key] === value))
      .reduce((sum, { value }) => sum + value, 0);
  }

  #ask(path: string): ReturnType<Fetch> {
    return (this.options.fetch ?? fetch)(`${this.options.url}${path}`);
  }

  /** Another program may have taken the port, and answer in place of this process. */
  #isListening(): boolean {
    const own = `tcp ${new URL(this.options.url).port} `;
    return boundPortsOf(this.#child?.pid ?? 0).some(bound => bound.startsWith(own));
  }

  get #hasEnded(): boolean {
    return this.#child?.exitCode !== null || this.#child.signalCode !== null;
  }

  #requireProcess(): void {
    if (!this.#hasEnded) return;
    const { name, logFile } = this.options;
    const end = this.#child?.signalCode ?? `code ${this.#child?.exitCode}`;
    throw new Error(`${name} ended with ${end}; see ${logFile}`);
  }

  /**
   * Ends the process, by default without draining it, and waits for its death and for the last line of its log; can
   * be called after its end. Returns its exit code; null: a signal killed it.
   */
  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
    const child = this.#child;
    if (child?.exitCode === null && child.signalCode === null) {
      const gone = new Promise(resolve => child.once('exit', resolve));
      process.kill(this.pid, signal);
      await gone;
    }
    await this.#isLogged;
    return child?.exitCode ?? null;
  }
}
