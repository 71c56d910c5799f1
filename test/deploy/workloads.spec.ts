import { readFileSync } from 'node:fs';
import { allContainers, podsOf, type Pod } from './pods.js';
import { ofKind, render, repository, type Loose } from './render.js';

const { version } = JSON.parse(readFileSync(`${repository}package.json`, 'utf8')) as { version: string };
const ownImage = /^registry\.example\.com\/rtms-(?:gateway|sfu|transcoder):(.+)$/;

describe.each(['overlays/single-node', 'overlays/production'])('the pods of deploy/%s', overlay => {
  const manifests = render(overlay);
  const pods = podsOf(manifests);
  const lasting = pods.filter(({ kind }) => !['Job', 'CronJob'].includes(kind));
  const podNamed = (name: string): Pod => pods.find(pod => pod.name === name)!;

  it('have separate probes for start, life and readiness', () => {
    const silent = lasting
      .flatMap(pod => pod.containers.map((container: Loose) => ({ pod, container })))
      .filter(({ container }) => !container.startupProbe || !container.livenessProbe || !container.readinessProbe);
    expect(silent.map(({ pod }) => pod.title)).toEqual([]);
  });

  it('probe our services at the paths that these answer', () => {
    for (const name of ['gateway', 'sfu', 'transcoder']) {
      const [container] = podNamed(name).containers;
      expect(container.startupProbe.httpGet).toEqual({ path: '/healthz', port: 'http' });
      expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'http' });
      expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' });
    }
  });

  it('run as the user of their image', () => {
    for (const name of ['gateway', 'sfu', 'transcoder', 'migrate']) {
      const file = readFileSync(
        `${repository}deploy/docker/${name === 'migrate' ? 'gateway' : name}.Dockerfile`,
        'utf8',
      );
      const { runAsUser, runAsGroup } = podNamed(name).spec.securityContext;
      expect(file).toContain(`USER ${runAsUser as number}:${runAsGroup as number}`);
    }
  });

  it('use images of this release, or of a stated version', () => {
    const images = pods.flatMap(pod => allContainers(pod).map(({ container }) => container.image as string));
    const own = images.flatMap(image => ownImage.exec(image)?.[1] ?? []);
    expect(own.length).toBeGreaterThanOrEqual(4);
    expect(new Set(own)).toEqual(new Set([version]));
    const others = images.filter(image => !ownImage.test(image));
    expect(others.filter(image => !/:\d+\.\d+\.?\d*(?:-[a-z]+)?$/.test(image))).toEqual([]);
  });

  it('are selected by the workload that makes them', () => {
    for (const { spec } of ofKind(manifests, 'Deployment', 'StatefulSet')) {
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
    }
  });

  it('are spread by their own labels', () => {
    for (const name of ['gateway', 'sfu', 'transcoder']) {
      const { spec, labels } = podNamed(name);
      expect(spec.topologySpreadConstraints.length).toBeGreaterThan(0);
      for (const { labelSelector } of spec.topologySpreadConstraints) {
        expect(labels).toMatchObject(labelSelector.matchLabels);
      }
    }
    const [rule] = podNamed('sfu').spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution;
    expect(rule).toEqual({
      topologyKey: 'kubernetes.io/hostname',
      labelSelector: { matchLabels: { 'app.kubernetes.io/name': 'sfu' } },
    });
  });

  it('mount exactly the volumes that they have', () => {
    for (const { spec, title, ...pod } of pods) {
      const claims = ofKind(manifests, 'StatefulSet').find(({ metadata }) => metadata.name === pod.name)?.spec
        .volumeClaimTemplates;
      const volumes = [...(spec.volumes ?? []), ...(claims ?? []).map(({ metadata }: Loose) => metadata)];
      const mounts = [...pod.initContainers, ...pod.containers].flatMap((each: Loose) => each.volumeMounts ?? []);
      const names = (things: Loose[]): string[] => [...new Set(things.map(({ name }) => name as string))].sort();
      expect([title, names(mounts)]).toEqual([title, names(volumes)]);
    }
  });

  it('migrate with the image of the gateways', () => {
    const [migrate] = podNamed('migrate').containers;
    expect(migrate.command.at(-1)).toBe('apps/gateway/dist/platform/database/migrate.js');
    expect(migrate.image).toBe(podNamed('gateway').containers[0].image);
  });
});
