import type { DataSource } from 'typeorm';
import type { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import type { RestreamLifecycleService, SeenRestream } from '../restreams/restream-lifecycle.service.js';
import type { RestreamSourcesService } from '../restreams/restream-sources.service.js';
import type { FailedRestartsService } from './failed-restarts.service.js';
import { RestreamRepairService } from './restream-repair.service.js';

const rows = Array.from({ length: 9 }, (_, index) => ({ id: `rstr_${index}`, nodeID: 'tc-1', nodeEpoch: 'e1' }));
const seen = rows as unknown as SeenRestream[];

/** `start` takes a restream or rejects. `log` names the steps in their order. */
function repairWith(start: (id: string) => Promise<void>) {
  const log: string[] = [];
  const sources = { find: () => Promise.resolve({}) } as unknown as RestreamSourcesService;
  const restreams = {
    takeAway: (row: SeenRestream) => Promise.resolve(row),
    startSomewhere: (row: SeenRestream) => {
      log.push(`start ${row.id}`);
      return start(row.id);
    },
  } as unknown as RestreamLifecycleService;
  const commands = {
    tell: ([{ request }]: [{ request: { restreamID: string } }]) =>
      Promise.resolve(void log.push(`stop ${request.restreamID}`)),
  } as unknown as WorkerCommandsService;
  const failures = { handle: () => Promise.resolve() } as unknown as FailedRestartsService;
  const database = { manager: {} } as unknown as DataSource;
  return { log, repair: new RestreamRepairService(database, sources, restreams, commands, failures) };
}

const started = (log: readonly string[]) => log.filter(step => step.startsWith('start'));

describe('the restreams of a draining transcoder', () => {
  it('move at most four at a time after the first, each after its former connection is closed', async () => {
    const taking: (() => void)[] = [];
    const { log, repair } = repairWith(() => new Promise<void>(resolve => taking.push(resolve)));
    const moved = repair.handOver(seen);
    for (const atOnce of [1, 4, 4]) {
      await new Promise(setImmediate);
      expect(taking).toHaveLength(atOnce);
      for (const take of taking.splice(0)) take();
    }
    await moved;
    for (const { id } of rows) expect(log.indexOf(`stop ${id}`)).toBeLessThan(log.indexOf(`start ${id}`));
    expect(started(log)).toHaveLength(rows.length);
  });

  it('stay when no other transcoder takes the first', async () => {
    const { log, repair } = repairWith(() => Promise.reject(new Error('full')));
    await repair.handOver(seen);
    expect(started(log)).toHaveLength(1);
  });
});
