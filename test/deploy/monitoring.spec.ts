import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { prometheusRule, prometheusRuleFile } from '../../tools/deploy/prometheus-rule.mjs';
import { ofKind, render, repository, type Loose } from './render.js';

const read = (path: string): string => readFileSync(`${repository}${path}`, 'utf8');
const documented = new Set([...read('docs/metrics.md').matchAll(/`(rtms_[a-z_]+)`/g)].map(([, name]) => name!));
const manifests = render('overlays/production');

/** Names of metrics in an expression, without what Prometheus adds to those of histograms. */
function metricsIn(expression: string): string[] {
  return [...expression.matchAll(/\brtms_[a-z_]+/g)].map(([name]) => name.replace(/_(?:bucket|sum|count)$/, ''));
}

describe('the use of metrics in the cluster', () => {
  it('asks for existing metrics', () => {
    const queries = ofKind(manifests, 'ScaledObject').flatMap(({ spec }) =>
      spec.triggers.map(({ metadata }: Loose) => metadata.query),
    );
    const pods = ofKind(manifests, 'HorizontalPodAutoscaler').flatMap(({ spec }) =>
      spec.metrics.flatMap((each: Loose) => each.pods?.metric.name ?? []),
    );
    const names = [...queries, ...pods].flatMap(metricsIn);
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter(name => !documented.has(name))).toEqual([]);
  });

  it('gives the operator the rules that Prometheus reads elsewhere: npm run deploy:rules', () => {
    expect(parse(read(prometheusRuleFile))).toEqual(parse(prometheusRule(repository)));
    const [rule] = ofKind(manifests, 'PrometheusRule');
    expect(rule?.spec.groups.length).toBeGreaterThan(0);
  });

  it('gives Grafana every dashboard', () => {
    const dashboards = ofKind(manifests, 'ConfigMap').filter(({ metadata }) => metadata.labels?.['grafana_dashboard']);
    const shown = dashboards.flatMap(({ data }) => Object.keys(data!));
    expect(shown.sort()).toEqual(readdirSync(`${repository}deploy/monitoring/grafana/dashboards`).sort());
  });
});
