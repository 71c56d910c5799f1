import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, waitFor } from '@rtms/testing';

/** The media server SRS with WHIP and WHEP, from a program that the caller names. */
export class SrsProcess {
  private constructor(
    private readonly child: ChildProcess,
    private readonly address: string,
    private readonly directory: string,
  ) {}

  static async start(program: string): Promise<SrsProcess> {
    const directory = mkdtempSync(join(tmpdir(), 'rtms-bench-srs-'));
    const [rtmp, api, media] = [await freePort(), await freePort(), await freePort()];
    writeFileSync(join(directory, 'srs.conf'), configuration(directory, rtmp, api, media));
    // A session of its own, as the service has.
    const child = spawn(program, ['-c', 'srs.conf'], { cwd: directory, stdio: 'ignore', detached: true });
    const srs = new SrsProcess(child, `http://127.0.0.1:${api}`, directory);
    const answers = async (): Promise<boolean> =>
      child.exitCode !== null || ((await fetch(`${srs.address}/api/v1/versions`).catch(() => undefined))?.ok ?? false);
    try {
      // Rejects if the program cannot start.
      await once(child, 'spawn');
      await waitFor(answers, { what: 'SRS to answer' });
      if (child.exitCode !== null) throw new Error(`SRS has ended with ${child.exitCode}.`);
      return srs;
    } catch (error) {
      await srs.close();
      throw error;
    }
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  url(method: 'whip' | 'whep'): string {
    return `${this.address}/rtc/v1/${method}/?app=live&stream=bench`;
  }

  async close(): Promise<void> {
    if (this.child.pid !== undefined && this.child.exitCode === null) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await ended;
    }
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** SRS binds its media port on all addresses. It may not ask its vendor for a newer version. */
function configuration(directory: string, rtmp: number, api: number, media: number): string {
  return `
listen 127.0.0.1:${rtmp};
max_connections 1000;
daemon off;
query_latest_version off;
pid ${directory}/srs.pid;
srs_log_tank file;
srs_log_file /dev/null;
srs_log_level warn;
stats { network 0; }
http_api { enabled on; listen 127.0.0.1:${api}; }
rtc_server { enabled on; listen ${media}; candidate 127.0.0.1; }
vhost __defaultVhost__ { rtc { enabled on; rtmp_to_rtc off; rtc_to_rtmp off; } }
`;
}
