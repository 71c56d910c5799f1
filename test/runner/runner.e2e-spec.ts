/** @weight 1 for 11 s */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { JestRun } from './jest-run.js';

/** A service whose log `log` has one line more after each call of `say`. */
const service = `
  const { appendFileSync, mkdtempSync } = require('node:fs');
  const folder = mkdtempSync(__dirname + '/logs-');
  const logs = globalThis[Symbol.for('rtms.service-logs')];
  logs.show(folder);
  const time = '2026-01-02T10:20:30.400Z';
  const print = text => appendFileSync(folder + '/sfu.log', text + '\\n');
  const say = (msg, level = 'info') => print(JSON.stringify({ time, level, msg }));
  afterAll(() => logs.discard(folder));`;

describe('a run of jest', () => {
  let jest: JestRun;
  let folder: string;

  beforeEach(() => {
    jest = new JestRun();
    folder = jest.folder;
  });
  afterEach(() => jest.close());

  const write = (name: string, source: string) => jest.write(name, source);
  const run = (args?: string[], env?: Record<string, string>) => jest.run(args, env);

  const passes = "it('passes', () => undefined);";
  const fails = "it('fails', () => { throw new Error('broken'); });";

  it('runs no tier after a failed one, and prints the reason', async () => {
    write('a.fast.cjs', passes);
    write('b.e2e.cjs', fails);
    write('c.system.cjs', passes);
    write('d.system.cjs', passes);
    const { code, output } = await run();
    expect(code).toBe(1);
    expect(output).toContain('A file of the tier "e2e" failed: the 2 files of later tiers do not run.');
    expect(output).toMatch(/Tests: +1 failed, 1 passed, 2 total/);
  });

  it('runs the tiers in order, each file of the later ones in its own process', async () => {
    const note = `require('node:fs').appendFileSync(__dirname + '/order', __filename.split('.')[1] + ' ' + process.pid + '\\n');`;
    for (const name of ['a.system', 'b.fast', 'c.e2e', 'd.e2e']) write(`${name}.cjs`, `${note}${passes}`);
    expect((await run()).code).toBe(0);
    const lines = readFileSync(join(folder, 'order'), 'utf8').trim().split('\n');
    expect(lines.map(line => line.split(' ')[0])).toEqual(['fast', 'e2e', 'e2e', 'system']);
    expect(new Set(lines.map(line => line.split(' ')[1]))).toHaveProperty('size', 4);
  });

  it('runs fast files in as few processes as there are cores', async () => {
    const note = `require('node:fs').appendFileSync(__dirname + '/order', process.pid + '\\n');`;
    for (const name of ['a', 'b', 'c', 'd', 'e']) write(`${name}.fast.cjs`, `${note}${passes}`);
    const { code, output } = await run();
    expect(code).toBe(0);
    expect(output).toMatch(/Test Suites: 5 passed, 5 total\nTests: +5 passed, 5 total/);
    expect(new Set(readFileSync(join(folder, 'order'), 'utf8').trim().split('\n')).size).toBe(2);
  });

  it('runs system files one at a time where the cores allow no more', async () => {
    const note = (step: string) => `require('node:fs').appendFileSync(__dirname + '/order', '${step} ')`;
    const source = `/** @weight 0.2 */ ${note('begin')}; afterAll(() => ${note('end')}); ${passes}`;
    for (const name of ['a', 'b', 'c']) write(`${name}.system.cjs`, source);
    expect((await run([], { RTMS_TEST_CORES: '0.3' })).code).toBe(0);
    expect(readFileSync(join(folder, 'order'), 'utf8')).toBe('begin end '.repeat(3));
  });

  it('refuses a weight that is no number', async () => {
    write('a.e2e.cjs', `/** @weight heavy */ ${passes}`);
    const { code, output } = await run();
    expect(code).toBe(1);
    expect(output).toContain('@weight is heavy; write a number from 0.1 to 8');
  });

  it('prints the log lines of the test that failed, and deletes the logs', async () => {
    const tests = `it('first', () => say('of the first'));
      it('second', () => { say('of the second'); throw new Error('broken'); });`;
    write('a.e2e.cjs', `${service} describe('the service', () => { ${tests} });`);
    const { output } = await run();
    expect(output).toContain('● the service › second: logs of the services');
    expect(output).toContain('of the second');
    expect(output).not.toContain('info of the first');
    const [, path] = /Last lines of (\S+)/.exec(output) ?? [];
    expect(() => readFileSync(path ?? '')).toThrow('ENOENT');
  });

  it('keeps the logs of a failed file when RTMS_KEEP_LOGS is set', async () => {
    write('a.e2e.cjs', `${service} it('fails', () => { say('kept'); throw new Error('broken'); });`);
    const { output } = await run([], { RTMS_KEEP_LOGS: '1' });
    const [, path] = /Logs are kept in (\S+)/.exec(output) ?? [];
    expect(readFileSync(join(path ?? '', 'sfu.log'), 'utf8')).toContain('kept');
    rmSync(path ?? '', { recursive: true });
  });

  it('writes the times, counts and failures of each file to RTMS_TEST_REPORT', async () => {
    write('a.fast.cjs', passes);
    write('b.e2e.cjs', `const end = process.cpuUsage().user + 3e5; while (process.cpuUsage().user < end); ${passes}`);
    const warns =
      "it('fails', () => { say('late', 'warn'); say('on time'); print('boom'); throw new Error('broken'); });";
    write('c.system.cjs', `${passes} ${service} ${warns}`);
    write('d.system.cjs', `throw new Error('not loaded\\nat all');`);
    const path = join(folder, 'report.json');
    await run([], { RTMS_TEST_REPORT: path });
    const { tiers, files, failures } = JSON.parse(readFileSync(path, 'utf8'));
    expect(tiers).toMatchObject([
      { tier: 'fast', files: 1, passed: 1, failed: 0 },
      { tier: 'e2e', files: 1, passed: 1, failed: 0 },
      { tier: 'system', files: 2, passed: 1, failed: 2 },
    ]);
    // Either file may end first.
    expect(failures).toHaveLength(2);
    expect(failures).toContainEqual({
      ...{ file: 'c.system.cjs', test: 'fails', message: 'Error: broken' },
      warnings: ['10:20:30.400 warn late {}', 'boom'],
    });
    expect(failures).toContainEqual({
      ...{ file: 'd.system.cjs', test: '(the file itself)', message: 'not loaded', warnings: [] },
    });
    expect(files[1]).toMatchObject({ file: 'b.e2e.cjs', tier: 'e2e' });
    expect(files[1].cpuSeconds).toBeGreaterThan(0.25);
    expect(files[1].seconds).toBeGreaterThan(0.25);
  });

  it('writes the CPU time of the servers that files share', async () => {
    const server = `const end = process.cpuUsage().user + 3e5; while (process.cpuUsage().user < end);
      process.send('ready'); process.on('disconnect', () => process.exit());`;
    write('server.cjs', server);
    write(
      'set-up.cjs',
      `module.exports = () => new Promise(resolve => {
        globalThis.server = require('node:child_process').fork(__dirname + '/server.cjs').once('message', resolve);
      });`,
    );
    write('tear-down.cjs', 'module.exports = () => globalThis.server.disconnect();');
    write('a.e2e.cjs', passes);
    const path = join(folder, 'report.json');
    const hooks = ['--globalSetup', join(folder, 'set-up.cjs'), '--globalTeardown', join(folder, 'tear-down.cjs')];
    expect((await run(hooks, { RTMS_TEST_REPORT: path })).code).toBe(0);
    expect(JSON.parse(readFileSync(path, 'utf8')).sharedCpuSeconds).toBeGreaterThan(0.25);
  });

  it('runs a single test by its name', async () => {
    write('a.e2e.cjs', `${passes} ${fails}`);
    const { code, output } = await run(['--testNamePattern', 'passes']);
    expect(code).toBe(0);
    expect(output).toMatch(/Tests: +1 skipped, 1 passed/);
  });

  describe('with several e2e files of the gateway', () => {
    const noted = `require('node:fs').appendFileSync(__dirname + '/order', require('./shared.cjs').next() + '\\n');`;

    beforeEach(() => {
      mkdirSync(join(folder, 'apps', 'gateway'), { recursive: true });
      // Counts how often one and the same module was used.
      writeGateway('shared.cjs', `let uses = 0; exports.next = () => process.pid + ' ' + (uses += 1);`);
    });
    const writeGateway = (name: string, source: string) => write(join('apps', 'gateway', name), source);
    const runTogether = (...args: string[]) =>
      run(['--maxWorkers=1', ...args], { RTMS_TEST_REPORT: join(folder, 'report.json') });
    const counts = () => {
      const { files } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as {
        files: { file: string; passed: number; failed: number }[];
      };
      return Object.fromEntries(files.map(({ file, passed, failed }) => [file, `${passed} passed, ${failed} failed`]));
    };

    it('runs them in one process, where they share their modules, and reports each alone', async () => {
      for (const name of ['a', 'b', 'c']) {
        writeGateway(`${name}.e2e.cjs`, `describe('${name}', () => { it('uses it', () => { ${noted} }); });`);
      }
      const { code, output } = await runTogether();
      expect(code).toBe(0);
      const uses = readFileSync(join(folder, 'apps', 'gateway', 'order'), 'utf8')
        .trim()
        .split('\n');
      expect(uses.map(use => use.split(' ')[1])).toEqual(['1', '2', '3']);
      for (const name of ['a', 'b', 'c']) expect(output).toContain(`PASS e2e apps/gateway/${name}.e2e.cjs`);
      expect(output).toMatch(/Test Suites: 3 passed, 3 total\nTests: +3 passed, 3 total/);
    });

    it('gives each file its own failures, logs and times', async () => {
      const broken = `${service} it('writes', () => { say('of the broken'); throw new Error('broken'); });`;
      const busy = 'const end = process.cpuUsage().user + 3e5; while (process.cpuUsage().user < end);';
      writeGateway('a.e2e.cjs', `describe('a', () => { it('is busy', () => { ${busy} }); });`);
      writeGateway('b.e2e.cjs', `describe('b', () => { ${passes} ${broken} });`);
      writeGateway('c.e2e.cjs', `describe('c', () => { ${passes} it.todo('more'); });`);
      const { code, output } = await runTogether();
      expect(code).toBe(1);
      expect(counts()).toEqual({
        'apps/gateway/a.e2e.cjs': '1 passed, 0 failed',
        'apps/gateway/b.e2e.cjs': '1 passed, 1 failed',
        'apps/gateway/c.e2e.cjs': '1 passed, 0 failed',
      });
      expect(output).toContain('FAIL e2e apps/gateway/b.e2e.cjs');
      expect(output).toContain('● b › writes: logs of the services');
      expect(output).toMatch(/at .*apps\/gateway\/b\.e2e\.cjs:9:/);
      expect(output).toMatch(/Tests: +1 failed, 1 todo, 3 passed, 5 total/);
      const { files } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
      const seconds = Object.fromEntries(files.map((each: { file: string }) => [each.file.at(-9), each]));
      expect(seconds.a.cpuSeconds).toBeGreaterThan(0.25);
      expect(seconds.c.cpuSeconds).toBeLessThan(0.25);
    });

    it.each([
      ['cannot be loaded', "throw new Error('no such thing');", 'no such thing'],
      ['has no test', '', 'Your test suite must contain at least one test'],
      [
        'fails outside of its tests',
        `describe('b', () => { afterAll(() => { throw new Error('late'); }); ${passes} });`,
        'late',
      ],
    ])('fails a file alone that %s', async (_what, source, message) => {
      writeGateway('a.e2e.cjs', `describe('a', () => { ${passes} });`);
      writeGateway('b.e2e.cjs', source);
      writeGateway('c.e2e.cjs', `describe('c', () => { ${passes} });`);
      const { code, output } = await runTogether();
      expect(code).toBe(1);
      expect(output).toContain(message);
      for (const line of ['PASS e2e apps/gateway/a', 'FAIL e2e apps/gateway/b', 'PASS e2e apps/gateway/c']) {
        expect(output).toContain(`${line}.e2e.cjs`);
      }
      expect(output).toContain('Test Suites: 1 failed, 2 passed, 3 total');
    });

    it('fails every file of a process that breaks', async () => {
      writeGateway('a.e2e.cjs', `describe('a', () => { ${passes} });`);
      writeGateway('b.e2e.cjs', `describe('b', () => { it('ends', () => process.kill(process.pid, 'SIGKILL')); });`);
      const { code, output } = await runTogether();
      expect(code).toBe(1);
      expect(output).toContain('Test Suites: 2 failed, 2 total');
    });

    it('runs a file with a weight, and one that is run alone, in its own process', async () => {
      writeGateway('a.e2e.cjs', `/** @weight 0.2 */ ${noted} ${passes}`);
      writeGateway('b.e2e.cjs', `${noted} ${passes}`);
      expect((await runTogether()).code).toBe(0);
      const uses = readFileSync(join(folder, 'apps', 'gateway', 'order'), 'utf8')
        .trim()
        .split('\n');
      expect(uses.map(use => use.split(' ')[1])).toEqual(['1', '1']);
    });
  });
});
