import { readFileSync } from 'node:fs';
import { environmentOf } from './environment.js';
import { podsOf } from './pods.js';
import { ofKind, render, repository, type Loose } from './render.js';

const scaling = readFileSync(`${repository}docs/scaling.md`, 'utf8');
const [, viewersPerCore] = /a core serves (\d+) viewers/.exec(scaling)!.map(Number);
const [, coresOfBroadcast] = /broadcast of 720p30 in four renditions +\| ([\d.]+) cores/.exec(scaling)!.map(Number);

function numbersOf(
  overlay: string,
  service: string,
): { cores: number; requested: number; env: Record<string, string> } {
  const manifests = render(overlay);
  const pod = podsOf(manifests).find(({ name }) => name === service)!;
  const { limits, requests } = pod.containers[0].resources;
  const env = environmentOf(manifests, pod, pod.containers[0], () => 'secret');
  return { cores: Number(limits.cpu), requested: Number(requests.cpu), env };
}

describe.each(['overlays/single-node', 'overlays/production'])('the capacity of deploy/%s', overlay => {
  it('gives each worker of an SFU a core, one to the process around them, and lets the CPU limit viewers', () => {
    const { cores, env } = numbersOf(overlay, 'sfu');
    expect(Number(env['SFU_WORKERS'])).toBeLessThan(cores);
    expect([env['CONSUMERS_PER_WORKER'], env['WORKER_CPU_LIMIT']]).toEqual([undefined, undefined]);
  });

  it('admits the broadcasts that the cores of a transcoder carry by docs/scaling.md', () => {
    const { cores, env } = numbersOf(overlay, 'transcoder');
    expect(Number(env['MAX_BROADCASTS'])).toBe(Math.floor((cores * 0.7) / coresOfBroadcast!));
  });
});

describe('production', () => {
  const manifests = render('overlays/production');
  const autoscalers = ofKind(manifests, 'ScaledObject');

  it('requests the cores that its media nodes use', () => {
    for (const service of ['sfu', 'transcoder']) {
      const { cores, requested } = numbersOf('overlays/production', service);
      expect([service, requested]).toEqual([service, cores]);
    }
  });

  it('can grow to the 10,000 viewers that docs/scaling.md reckons with', () => {
    const { env } = numbersOf('overlays/production', 'sfu');
    const { maxReplicaCount } = autoscalers.find(({ metadata }) => metadata.name === 'sfu')!.spec;
    expect(maxReplicaCount * Number(env['SFU_WORKERS']) * viewersPerCore!).toBeGreaterThanOrEqual(10_000);
  });

  it('keeps its media nodes while Prometheus gives no answer, or an empty one', () => {
    expect(autoscalers).toHaveLength(2);
    for (const { spec } of autoscalers) {
      expect(spec.fallback).toMatchObject({ behavior: 'currentReplicasIfHigher', replicas: spec.minReplicaCount });
      expect(spec.triggers.map(({ metadata }: Loose) => metadata.ignoreNullValues)).toEqual(
        spec.triggers.map(() => 'false'),
      );
    }
    const command = readFileSync(`${repository}deploy/charts/keda/values.yaml`, 'utf8');
    const [, minor] = /kedacore\/keda --version 2\.(\d+)\.\d+ /.exec(command)!.map(Number);
    // The release that knows `behavior`.
    expect(minor).toBeGreaterThanOrEqual(17);
  });

  it('lets no media pod take the place of a gateway, NATS or PostgreSQL', () => {
    const classes = ofKind(manifests, 'PriorityClass');
    const named = (name: string): Loose => classes.find(({ metadata }) => metadata.name === name);
    const classOf = (name: string): string =>
      podsOf(manifests).find(pod => pod.name === name)!.spec.priorityClassName as string;
    expect(['sfu', 'transcoder'].map(name => named(classOf(name)).preemptionPolicy)).toEqual(['Never', 'Never']);
    const [cluster] = ofKind(manifests, 'Cluster');
    const ofNats = /priorityClassName: (\S+)/.exec(readFileSync(`${repository}deploy/charts/nats/values.yaml`, 'utf8'));
    for (const name of [classOf('gateway'), classOf('migrate'), cluster!.spec.priorityClassName, ofNats![1]]) {
      expect(named(name).value).toBeGreaterThan(named(classOf('sfu')).value);
    }
  });
});
