// npm run check:audit: fails by a known vulnerability of high severity in a package that production installs.
import { spawnSync } from 'node:child_process';
import { repositoryRoot } from '../setup/repository.mjs';
import { auditVerdict } from './audit-verdict.mjs';

const audit = spawnSync('npm', ['audit', '--omit=dev', '--audit-level=high', '--json'], {
  cwd: repositoryRoot,
  encoding: 'utf8',
  timeout: 120_000,
});
const output = audit.error ? JSON.stringify({ error: audit.error }) : audit.stdout;
const { outcome, message } = auditVerdict(output);
process.stdout.write(`${message}\n`);
process.exitCode = outcome === 'vulnerable' || outcome === 'failed' ? 1 : 0;
