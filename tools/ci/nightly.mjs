// npm run test:nightly -- [rounds] [soak seconds]: runs the long soak, all generated inputs, the property tests with new
// values, the media tests with programs that begin late, and all mutants. Then runs each timed test file ten times while
// other programs use the processors. Names each test that failed, with its first message.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import plan from '../../test/runner/plan.cjs';
import { installDebianPackages } from '../setup/debian-packages.mjs';
import { say } from '../setup/progress.mjs';
import { repositoryRoot } from '../setup/repository.mjs';
import { findProgram, spawnTied } from '../setup/run-command.mjs';
import { reportFailure } from '../setup/start-failure.mjs';
import { failedTests, reportsIn } from './summary.mjs';
import { timedFiles } from './timed-files.mjs';

/** Busy processes: on two cores a load of about 8 with the tests' own. */
const busyProcesses = '6';
const soakSessions = '100';
const clusterRounds = '20';
const outageSeconds = '60';
const generatedInputs = '50000';
/** Tests of services that start programs: FFmpeg, and workers of mediasoup. */
const testsOfPrograms = ['--selectProjects', 'fast', 'e2e', '--testPathPatterns', 'apps/(transcoder|ingest|sfu)/'];
const latePrograms = join(repositoryRoot, 'test', 'setup', 'late-programs.cjs');

/** @param {string} name @param {string[]} args @param {NodeJS.ProcessEnv} [env] */
async function npm(name, args, env = {}) {
  const child = spawn('npm', ['run', name, '--', ...args], {
    cwd: repositoryRoot,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  return code === 0;
}

function testFiles() {
  return ['apps', 'libs', 'test', 'tools']
    .flatMap(top => readdirSync(join(repositoryRoot, top), { recursive: true }).map(name => join(top, String(name))))
    .filter(path => /spec\.ts$/.test(path) && !/(?:^|\/)(?:node_modules|dist)\//.test(path))
    .map(path => ({ path, source: readFileSync(join(repositoryRoot, path), 'utf8') }));
}

/** Returns the reports of the runs, and how many there should be. @param {number} rounds @param {string} folder */
async function runUnderLoad(rounds, folder) {
  const files = timedFiles(testFiles());
  const tiers = plan.tiers.filter(each => files.some(file => file.tier === each));
  const load = spawnTied('TERM', ['stress-ng', '--cpu', busyProcesses, '--quiet'], { stdio: 'inherit' });
  try {
    for (let round = 1; round <= rounds; round++) {
      // Each tier alone, because a failed tier stops the later ones.
      for (const tier of tiers) {
        const paths = files.filter(file => file.tier === tier).map(file => file.path);
        say(`Round ${round} of ${rounds}: ${paths.length} files of the tier "${tier}"`);
        await npm('test', ['--runTestsByPath', ...paths], { RTMS_TEST_REPORT: join(folder, `${round}-${tier}.json`) });
      }
    }
  } finally {
    // stress-ng ends its own children on this signal.
    load.kill('SIGTERM');
  }
  return { expected: rounds * tiers.length, reports: reportsIn(folder) };
}

/** Returns whether all tests passed. @param {number} rounds */
async function roundsPass(rounds) {
  const folder = mkdtempSync(join(tmpdir(), 'rtms-nightly-'));
  try {
    const { expected, reports } = await runUnderLoad(rounds, folder);
    const failed = failedTests(reports);
    say(`\n${failed.length} test(s) failed in ${rounds} rounds under load.`);
    for (const line of failed) say(line);
    if (reports.length < expected) say(`${expected - reports.length} runs of jest broke: see above.`);
    return failed.length === 0 && reports.length === expected;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

try {
  const [rounds = 10, soakSeconds = 600] = process.argv.slice(2).map(Number);
  if (!findProgram('stress-ng', process.env.PATH)) await installDebianPackages(['stress-ng'], process.env);
  const seed = String(Date.now() % 2 ** 31);
  const passed = [
    await npm('test', ['test/system/lifetimes.system-spec.ts'], { RTMS_TEST_SESSIONS: soakSessions }),
    await npm('test', ['test/system/outages.system-spec.ts'], { RTMS_TEST_OUTAGE_SECONDS: outageSeconds }),
    await npm('test', ['apps/gateway/src/platform/http/hostile-input.spec.ts'], { RTMS_TEST_INPUTS: generatedInputs }),
    await npm('test', ['--selectProjects', 'fast'], { RTMS_TEST_SEED: seed }),
    await npm('test', testsOfPrograms, { NODE_OPTIONS: `--require ${latePrograms}` }),
    await npm('soak', [String(soakSeconds)]),
    await npm('test:cluster', [clusterRounds]),
    await npm('test:mutants', ['--again']),
    await roundsPass(rounds),
  ];
  const words = passed.map(each => (each ? 'passed' : 'failed'));
  say(`${soakSessions} sessions: ${words[0]}. Outages of ${outageSeconds} s: ${words[1]}.`);
  say(`${generatedInputs} inputs: ${words[2]}. Property tests with RTMS_TEST_SEED=${seed}: ${words[3]}.`);
  say(`Programs that begin late: ${words[4]}. Soak of ${soakSeconds} s: ${words[5]}.`);
  say(`Faults of a cluster: ${words[6]}. Mutants: ${words[7]}. Timed files: ${words[8]}.`);
  process.exitCode = passed.every(Boolean) ? 0 : 1;
} catch (error) {
  reportFailure(error);
  process.exitCode = 1;
}
