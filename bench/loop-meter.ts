import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@rtms/testing';
import type { RunningGateway } from './api/gateway-process.js';

export interface LoopMeasures {
  /** Wall time; on a busy machine also the time in which the gateway waited for a core. */
  longestPauseMs: number;
  /** CPU of the main thread between two turns of the event loop, in which a timer is due every 2 ms. */
  longestCpuMs: number;
  /** Of all threads. */
  cpuMs: number;
  wallMs: number;
}

/** Measures the event loop of a gateway, which is started with `options`. Needs Linux. */
export class LoopMeter {
  private constructor(private readonly folder: string) {}

  static async open(): Promise<LoopMeter> {
    return new LoopMeter(await mkdtemp(join(tmpdir(), 'rtms-loop-')));
  }

  get options(): string[] {
    return ['--import', new URL(`loop-meter.mjs?file=${encodeURIComponent(this.file)}`, import.meta.url).href];
  }

  /** The measures since the last call. */
  async read({ pid }: RunningGateway): Promise<LoopMeasures> {
    await rm(this.file, { force: true });
    process.kill(pid, 'SIGUSR2');
    await waitFor(() => existsSync(this.file), { what: 'the measures of the event loop' });
    return JSON.parse(await readFile(this.file, 'utf8')) as LoopMeasures;
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  private get file(): string {
    return join(this.folder, 'measures.json');
  }
}
