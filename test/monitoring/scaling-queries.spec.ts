import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { ofKind, render, type Loose } from '../deploy/render.js';

const manifests = render('overlays/production');

/** Metadata of an autoscaler's query. */
function trigger(name: string): Loose {
  return ofKind(manifests, 'ScaledObject')
    .flatMap(({ spec }) => spec.triggers)
    .find((each: Loose) => each.name === name).metadata;
}

const [costs] = ofKind(manifests, 'CronJob');
const loadQuery = costs!.spec.jobTemplate.spec.template.spec.containers[0].env.find(
  ({ name }: Loose) => name === 'LOAD_QUERY',
).value as string;

/** Checks what a query gives, with Prometheus itself. Series and samples look like `up{job="a"}` → value. */
function expectAnswer(query: string, series: Record<string, number>, answer: Record<string, number>): void {
  const directory = mkdtempSync(join(tmpdir(), 'rtms-test-queries-'));
  const samples = Object.entries(answer).map(([labels, value]) => ({ labels, value }));
  const test = {
    interval: '15s',
    input_series: Object.entries(series).map(([name, value]) => ({ series: name, values: `${value}x8` })),
    promql_expr_test: [{ expr: query, eval_time: '1m', exp_samples: samples }],
  };
  try {
    writeFileSync(join(directory, 'test.yml'), stringify({ evaluation_interval: '15s', tests: [test] }));
    execFileSync('promtool', ['test', 'rules', 'test.yml'], { cwd: directory, encoding: 'utf8', stdio: 'pipe' });
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const sfu = (pod: string, others = ''): string => `{namespace="rtms-sfu", pod="${pod}", job="rtms-sfu/sfu"${others}}`;
const transcoder = (pod: string): string => `{namespace="rtms", pod="${pod}", job="rtms/transcoder"}`;

describe('the query of the deletion costs', () => {
  it('gives each media pod its own load, so that the emptiest one is known', () => {
    const series = {
      [`rtms_sfu_consumers${sfu('full', ', worker="1"')}`]: 400,
      [`rtms_sfu_consumers${sfu('full', ', worker="2"')}`]: 200,
      [`rtms_sfu_sessions${sfu('full')}`]: 2,
      [`rtms_sfu_members${sfu('full')}`]: 1,
      [`rtms_sfu_consumers${sfu('publisher', ', worker="1"')}`]: 0,
      [`rtms_sfu_sessions${sfu('publisher')}`]: 1,
      [`rtms_sfu_members${sfu('publisher')}`]: 0,
      [`rtms_sfu_consumers${sfu('empty', ', worker="1"')}`]: 0,
      [`rtms_sfu_sessions${sfu('empty')}`]: 0,
      [`rtms_sfu_members${sfu('empty')}`]: 0,
      [`rtms_transcoder_slots_utilization${transcoder('encoder')}`]: 0.5,
      [`rtms_transcoder_slots_utilization${transcoder('idle')}`]: 0,
    };
    expectAnswer(loadQuery, series, {
      '{namespace="rtms-sfu", pod="full"}': 900,
      '{namespace="rtms-sfu", pod="publisher"}': 100,
      '{namespace="rtms-sfu", pod="empty"}': 0,
      '{namespace="rtms", pod="encoder"}': 500,
      '{namespace="rtms", pod="idle"}': 0,
    });
  });
});

describe('the queries of the autoscalers', () => {
  it('count no node that is being drained', () => {
    const series = {
      [`rtms_sfu_utilization${sfu('one')}`]: 0.5,
      [`rtms_sfu_utilization${sfu('two')}`]: 0.25,
      [`rtms_sfu_utilization${sfu('draining')}`]: 0.75,
      [`rtms_draining${sfu('one')}`]: 0,
      [`rtms_draining${sfu('two')}`]: 0,
      [`rtms_draining${sfu('draining')}`]: 1,
      [`rtms_transcoder_slots_utilization${transcoder('three')}`]: 0.5,
      [`rtms_draining${transcoder('three')}`]: 0,
    };
    expectAnswer(trigger('utilization').query, series, { '{}': 0.75 });
    expectAnswer(trigger('slots').query, series, { '{}': 0.5 });
  });

  it('give no answer, instead of zero, when Prometheus has no metrics', () => {
    for (const name of ['utilization', 'growth', 'slots']) expectAnswer(trigger(name).query, {}, {});
  });

  it('count a node as full that will be full in two minutes, and none for a growth that ended', () => {
    const series = (seconds: number): Record<string, number> => ({
      [`rtms_sfu_utilization${sfu('one')}`]: 0.5,
      [`rtms_sfu_seconds_until_full${sfu('one')}`]: seconds,
    });
    expectAnswer(trigger('growth').query, series(60), { '{}': 1 });
    expectAnswer(trigger('growth').query, series(3600), { '{}': 0.5 });
  });
});
