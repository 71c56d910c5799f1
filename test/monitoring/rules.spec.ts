/** @seconds 11 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';

const run = promisify(execFile);
const folder = join(import.meta.dirname, '../../deploy/monitoring');
const files = ['rules/recording.yml', 'rules/slo.yml', 'rules/alerts.yml'];

interface Rule {
  alert: string;
  labels: { severity: string };
  annotations: { summary: string; action: string };
}

interface AlertTest {
  name: string;
  promql_expr_test: { expr: string; exp_samples: unknown[] }[];
}

const read = (file: string): unknown => parse(readFileSync(join(folder, file), 'utf8'));
const alerts = (read('rules/alerts.yml') as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) => rules);
const promtool = (...args: string[]) => run('promtool', args, { cwd: folder });

describe('the rules for Prometheus', () => {
  it('pass promtool, and so does the configuration that names them', async () => {
    expect((await promtool('check', 'rules', ...files)).stdout).toMatch(
      /SUCCESS: 11 rules[^]*SUCCESS: 10 rules[^]*SUCCESS: 38 rules/,
    );
    expect((await promtool('check', 'config', 'prometheus.yml')).stdout).toContain('is valid');
  });

  it('fire when they should, and only then', async () => {
    expect((await promtool('test', 'rules', 'rules/alerts.test.yml')).stdout).toContain('SUCCESS');
  });

  it('are tested both ways, each of them', () => {
    const { tests } = read('rules/alerts.test.yml') as { tests: AlertTest[] };
    for (const { alert } of alerts) {
      const own = tests.flatMap(each => each.promql_expr_test).filter(({ expr }) => expr.includes(`"${alert}"`));
      const counts = own.map(({ exp_samples: samples }) => samples.length);
      expect([alert, ...counts.sort()]).toEqual([alert, 0, 1]);
    }
  });

  it('have a summary and an action', () => {
    for (const { alert, labels, annotations } of alerts) {
      expect(alert).toMatch(/^Rtms[A-Z]/);
      expect(['warning', 'critical']).toContain(labels.severity);
      expect([annotations.summary, annotations.action].every(text => text.length > 10)).toBe(true);
    }
  });

  it('make promtool fail when one is wrong', async () => {
    await expect(promtool('test', 'rules', 'prometheus.yml')).rejects.toThrow();
  });
});
