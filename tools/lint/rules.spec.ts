import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import plugin from './rules.mjs';

const run = promisify(execFile);
const program = join(import.meta.dirname, '../../node_modules/oxlint/bin/oxlint');

/** Lines that a rule refuses, and neighbours that it accepts. */
const examples: Record<keyof typeof plugin.rules, { refused: string[]; accepted: string[] }> = {
  clock: {
    refused: [
      'Date.now();',
      'new Date();',
      'Date();',
      'setTimeout(act, 5);',
      'setInterval(act, 5);',
      "import { setTimeout as pause } from 'node:timers/promises';",
      'const later = setTimeout;',
      "import { setImmediate } from 'timers';",
      "export { setImmediate } from 'node:timers';",
      "export * from 'timers/promises';",
    ],
    accepted: ['new Date(0);', 'clock.now();', 'Date.parse(text);', 'socket.setTimeout(5);'],
  },
  'checked-values': { refused: ['schema.safeParse(value);'], accepted: ['checkValue(schema, value);'] },
  'sql-in-repositories': { refused: ["source.query('SELECT 1');"], accepted: ['request.query;'] },
  'no-wait-for-time': { refused: ['setTimeout(act, 5);'], accepted: ['clearTimeout(timer);'] },
  'no-polled-count': {
    refused: ['waitFor(() => calls.length === 2);', 'waitForState(() => 2 === seen.size);'],
    accepted: ['waitFor(() => calls.length >= 2);', 'expectThat(() => calls.length === 2);'],
  },
  'hooks-in-describe': {
    refused: ['beforeEach(act);', 'afterAll(act);'],
    accepted: ["describe('a room', () => { beforeEach(act); });", 'await afterAllReaders();'],
  },
};

describe('the rules of the project', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rtms-lint-'));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Returns the numbers of the refused lines, from 1. */
  async function refusedLines(rule: string, lines: string[]): Promise<number[]> {
    const config = {
      categories: { correctness: 'off' },
      jsPlugins: [join(import.meta.dirname, 'rules.mjs')],
      rules: { [`rtms/${rule}`]: 'error' },
    };
    await writeFile(join(folder, `${rule}.json`), JSON.stringify(config));
    await writeFile(join(folder, `${rule}.ts`), lines.join('\n'));
    const args = [program, '--config', `${rule}.json`, '--format', 'json', `${rule}.ts`];
    // The program exits with 1 when it refuses a line.
    const ended = run(process.execPath, args, { cwd: folder }).catch((error: unknown) => error as { stdout: string });
    const { stdout } = await ended;
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { labels: { span: { line: number } }[] }[] };
    return [...new Set(diagnostics.flatMap(each => each.labels.map(({ span }) => span.line)))];
  }

  it.each(Object.entries(examples))('refuse what "%s" forbids, and no more', async (rule, { refused, accepted }) => {
    const lines = await refusedLines(rule, [...refused, ...accepted]);
    expect(lines.toSorted((a, b) => a - b)).toEqual(refused.map((_, index) => index + 1));
  });

  it('each have an example', () => {
    expect(Object.keys(examples)).toEqual(Object.keys(plugin.rules));
  });
});
