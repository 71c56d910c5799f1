// Measures the time from the start of each service's process until it is ready, and its CPU time and memory then. Cold: its files
// are not in the kernel's memory; warm: they are. Compares with a bare Node.js in the same run. Prints one JSON line.
// After `npm run build`; as root, since only root may empty the kernel's memory of files.
//   npm run bench:start -- [rounds]
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { startStack, type Stack } from '../../test/system/harness/stack.js';
import { percentile } from '../percentile.js';
import { cpuSeconds, residentMegabytesOfTree } from '../process-usage.js';

const run = promisify(execFile);
const rounds = Number(process.argv[2] ?? 5);
const temperatures = ['cold', 'warm'] as const;
type Temperature = (typeof temperatures)[number];

const stack = await startStack({ dedicatedPostgres: true });
try {
  const { gateway, sfu, transcoder } = stack;
  const services = { gateway, sfu, transcoder, ingest: await stack.addIngest('ingest-1', {}) };
  const results: Record<string, unknown> = { bareNode: await eachTemperature(bareNode) };
  for (const [name, service] of Object.entries(services)) {
    const cpu: number[] = [];
    const readyMs = await eachTemperature(async () => {
      const ms = await restart(service);
      cpu.push(cpuSeconds(service.pid) * 1000);
      return ms;
    });
    const cpuMs = Math.round(percentile(cpu.slice(-rounds), 0.5));
    results[name] = { readyMs, cpuMs, residentMegabytes: residentMegabytesOfTree(service.pid) };
  }
  results['migrations'] = { emptyDatabaseMs: await migrate(await stack.postgres.createDatabase()) };
  console.log(JSON.stringify({ bench: 'start', rounds, ...results }));
} finally {
  await stack.close();
}
process.exit();

/** The median of the rounds at each temperature, in ms. */
async function eachTemperature(measure: () => Promise<number>): Promise<Record<Temperature, number>> {
  const medians = { cold: 0, warm: 0 };
  for (const temperature of temperatures) {
    const taken: number[] = [];
    for (let round = 0; round < rounds; round++) {
      if (temperature === 'cold') forgetFiles();
      taken.push(await measure());
    }
    medians[temperature] = Math.round(percentile(taken, 0.5));
  }
  return medians;
}

/** proc(5): 3 frees the page cache, directory entries and inodes that are clean. */
function forgetFiles(): void {
  writeFileSync('/proc/sys/vm/drop_caches', '3');
}

async function restart(service: Stack['gateway']): Promise<number> {
  await service.stop('SIGINT');
  const started = performance.now();
  await service.start();
  return performance.now() - started;
}

async function bareNode(): Promise<number> {
  const started = performance.now();
  await run(process.execPath, ['-e', '0']);
  return performance.now() - started;
}

async function migrate(databaseUrl: string): Promise<number> {
  const started = performance.now();
  await run(process.execPath, ['apps/gateway/dist/platform/database/migrate.js'], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
  });
  return Math.round(performance.now() - started);
}
