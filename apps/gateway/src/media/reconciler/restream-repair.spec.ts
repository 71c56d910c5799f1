import type { DataSource } from 'typeorm';
import type { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import type { RestreamLifecycleService, SeenRestream } from '../restreams/restream-lifecycle.service.js';
import type { RestreamSourcesService } from '../restreams/restream-sources.service.js';
import type { FailedRestartsService } from './failed-restarts.service.js';
import { RestreamRepairService } from './restream-repair.service.js';

const rows = Array.from({ length: 9 }, (_, index) => ({ id: `rstr_${index}`, nodeID: 'tc-1', nodeEpoch: 'e1' }));
const seen = rows as unknown as SeenRestream[];

/** `start` takes a restream or rejects. `log` names the steps in their order. `ended` have no source any more. */
function repairWith(start: (id: string) => Promise<void>, ended: readonly string[] = []) {
  const log: string[] = [];
  const sources = {
    find: (_: unknown, { id }: SeenRestream) => Promise.resolve(ended.includes(id) ? undefined : {}),
  } as unknown as RestreamSourcesService;
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

  it('move one at a time past those without a source, until a transcoder takes one', async () => {
    const start = (): Promise<void> => Promise.reject(new Error('full'));
    const { log, repair } = repairWith(start, ['rstr_0', 'rstr_1']);
    await repair.handOver(seen);
    expect(log).toEqual(['stop rstr_2', 'start rstr_2']);
  });

  it('all move after one that has no source', async () => {
    const { log, repair } = repairWith(() => Promise.resolve(), ['rstr_0', 'rstr_5']);
    await repair.handOver(seen);
    expect(started(log)).toHaveLength(rows.length - 2);
  });
});
