/** @weight 0.1 for 75 s */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { identify } from '../../tools/embedded/process-table.mjs';
import { JestRun } from './jest-run.js';

/** The teardown of this project, which ends what the object `sharedServers` holds. */
const globalTeardown = join(import.meta.dirname, '..', 'setup', 'global-teardown.mjs');
const passes = "it('passes', () => undefined);";

/** Blocks the event loop without work. */
const blockFor = (ms: number) => `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms});`;
const block = blockFor(Infinity);

describe('a test file that never ends', () => {
  let jest: JestRun;
  let result: Awaited<ReturnType<JestRun['run']>>;

  /** All cases together, because each waits for its deadline: a busy machine gets from the first step to a test within 15 s. */
  beforeAll(async () => {
    jest = new JestRun();
    const stated = '/** @weight 0.1 for 1 s */';
    const hook = 'beforeEach(() => new Promise(() => setInterval(() => undefined, 1000)), 1e6);';
    const tied = "require('node:child_process').spawn('setpriv', ['--pdeathsig', 'KILL', 'sleep', '600'])";
    const noted = `require('node:fs').writeFileSync(__dirname + '/pid', String(${tied}.pid));`;
    jest.write('loop.e2e.cjs', `${stated} ${noted} describe('a loop', () => { it('blocks', () => { ${block} }); });`);
    jest.write('hook.e2e.cjs', `${stated} describe('a hook', () => { ${hook} ${passes} });`);
    jest.write('load.e2e.cjs', `${stated} ${block}`);
    const steps = "it.each(Array(200).fill(0))('waits', () => new Promise(done => setTimeout(done, 500)));";
    jest.write('steps.e2e.cjs', `${stated} ${steps}`);
    jest.write('good.e2e.cjs', `${stated} ${passes}`);
    const gateway = join('apps', 'gateway');
    mkdirSync(join(jest.folder, gateway), { recursive: true });
    jest.write(join(gateway, 'a.e2e.cjs'), `describe('a', () => { it('blocks', () => { ${block} }); });`);
    jest.write(join(gateway, 'b.e2e.cjs'), `describe('b', () => { ${passes} });`);
    const report = join(jest.folder, 'report.json');
    result = await jest.run(['--maxWorkers=1'], { RTMS_TEST_FILE_SECONDS: '15', RTMS_TEST_REPORT: report });
  });
  afterAll(() => jest.close());

  /** Asserts that jest reports the file once with these words. */
  const expectFailure = (file: string, words: string) => {
    expect(result.output.split('FAIL e2e ').find(part => part.includes(`${file}\n`))).toContain(words);
  };

  it('fails with the name of the test that blocks its event loop', () => {
    expectFailure('loop.e2e.cjs', 'The file reported no step within 15 s, so its process was killed.');
    expectFailure('loop.e2e.cjs', 'The last step of the file: "a loop › blocks".');
  });

  it('fails with the name of the hook that never resolves', () => {
    expectFailure('hook.e2e.cjs', 'The last step of the file: beforeEach of "a hook › passes".');
  });

  it('fails while it is loaded', () => {
    expectFailure('load.e2e.cjs', 'The last step of the file: loads its modules.');
  });

  it('fails with its path when it shares its process with others', () => {
    const path = join(jest.folder, 'apps', 'gateway', 'a.e2e.cjs');
    expectFailure('apps/gateway/a.e2e.cjs', 'The file reported no step within 15 s');
    expectFailure('apps/gateway/b.e2e.cjs', `The last step of the file: "a › blocks" in ${path}.`);
  });

  it('fails although each of its steps is short', () => {
    expectFailure('steps.e2e.cjs', 'The file did not end within 49 s, so its process was killed.');
  });

  it('lets other files run, and fails the run', () => {
    expect(result.code).toBe(1);
    const { files } = JSON.parse(readFileSync(join(jest.folder, 'report.json'), 'utf8')) as {
      files: { file: string; passed: number; failed: number }[];
    };
    expect(files.find(({ file }) => file === 'good.e2e.cjs')).toMatchObject({ passed: 1, failed: 0 });
    expect(files.find(({ file }) => file === 'loop.e2e.cjs')).toMatchObject({ passed: 0, failed: 1 });
  });

  it('takes the processes with it that are tied to it', () => {
    expect(identify(Number(readFileSync(join(jest.folder, 'pid'), 'utf8')))).toBeUndefined();
  });
});

describe('the process of a test file', () => {
  let jest: JestRun;

  beforeEach(() => {
    jest = new JestRun();
  });
  afterEach(() => jest.close());

  it('may start slowly: the deadline of a step begins with the first step', async () => {
    jest.write('a.e2e.cjs', `/** @weight 0.1 for 5 s */ ${passes}`);
    jest.write('start.cjs', `if (process.send) ${blockFor(6_000)}`);
    const options = `--require ${join(jest.folder, 'start.cjs')}`;
    const { output } = await jest.run([], { RTMS_TEST_FILE_SECONDS: '5', NODE_OPTIONS: options });
    expect(output).toMatch(/Tests: +1 passed, 1 total/);
  });

  it('that ends itself runs only once, and the file fails with the name of the test', async () => {
    const noted = "require('node:fs').appendFileSync(__dirname + '/runs', 'x');";
    jest.write('a.e2e.cjs', `it('ends', () => { ${noted} process.exit(3); });`);
    const { code, output } = await jest.run();
    expect(code).toBe(1);
    expect(readFileSync(join(jest.folder, 'runs'), 'utf8')).toBe('x');
    expect(output).toContain('The last step of the file: "ends"; there the process ended itself with exit code 3.');
  });
});

describe('the end of a run', () => {
  let jest: JestRun;

  beforeEach(() => {
    jest = new JestRun({ globalSetup: './setup.cjs', globalTeardown });
    jest.write('a.fast.cjs', passes);
  });
  afterEach(() => jest.close());

  const serverThatEnds = (end: string) =>
    jest.write('setup.cjs', `module.exports = () => { globalThis.sharedServers = [{ name: 'STACK', end: ${end} }]; };`);
  const run = () => jest.run([], { RTMS_TEST_END_SECONDS: '0.5' });

  it('fails with the name of a shared server that does not end', async () => {
    serverThatEnds('() => new Promise(() => undefined)');
    const { code, output } = await run();
    expect(code).toBe(1);
    expect(output).toContain('Servers of the tests: STACK did not end within 0.5 s.');
    expect(output).toMatch(/Tests: +1 passed, 1 total/);
  });

  it('fails with the reason when a shared server cannot end', async () => {
    serverThatEnds(`async () => { throw new Error('no such process'); }`);
    const { code, output } = await run();
    expect(code).toBe(1);
    expect(output).toContain('STACK did not end: Error: no such process.');
  });

  it('does not wait for a child that keeps a pipe open', async () => {
    serverThatEnds(`async () => void require('node:child_process').spawn('sleep', ['600'])`);
    const { code, output } = await run();
    expect(code).toBe(1);
    const [, child] = /Still running: (\d+) sleep 600/.exec(output) ?? [];
    process.kill(Number(child), 'SIGKILL');
    expect(output).toContain('The tests ended 0.5 s ago, but this process stays alive: ');
  });
});
