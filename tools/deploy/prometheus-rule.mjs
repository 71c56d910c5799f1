import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';

const rulesFolder = 'deploy/monitoring/rules';
const head = `# Made by \`npm run deploy:rules\` from ${rulesFolder}: change those.\n`;

/** Path of the object for the Prometheus operator. */
export const prometheusRuleFile = 'deploy/overlays/production/prometheus-rule.yaml';

/**
 * The files of rules that Prometheus reads itself, as one object that its operator reads.
 * @param {string} root
 */
export function prometheusRule(root) {
  const files = readdirSync(join(root, rulesFolder)).filter(file => /\.ya?ml$/.test(file) && !file.includes('test'));
  const groups = files.sort().flatMap(file => parse(readFileSync(join(root, rulesFolder, file), 'utf8')).groups);
  const manifest = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'rtms', namespace: 'rtms', labels: { 'app.kubernetes.io/part-of': 'rtms' } },
    spec: { groups },
  };
  return `${head}${stringify(manifest, { lineWidth: 120, singleQuote: true })}`;
}
