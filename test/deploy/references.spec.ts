import { externalSecrets } from './documented-secrets.js';
import { allContainers, podsOf, selects, type Pod } from './pods.js';
import { ofKind, render, titleOf, type Manifest, type Loose } from './render.js';

describe.each(['overlays/single-node', 'overlays/production'])('the references in deploy/%s', overlay => {
  const manifests = render(overlay);
  const pods = podsOf(manifests);
  const named = (kind: string, namespace: string | undefined, name: string): Manifest | undefined =>
    ofKind(manifests, kind).find(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
  const podsSelectedBy = (namespace: string | undefined, matchLabels: object): Pod[] =>
    pods.filter(pod => pod.namespace === namespace && selects({ matchLabels }, pod.labels));

  it('are existing namespaces', () => {
    const made = ofKind(manifests, 'Namespace').map(({ metadata }) => metadata.name);
    const used = manifests.flatMap(({ metadata }) => metadata.namespace ?? []);
    expect([...new Set(used)].sort()).toEqual(made.sort());
  });

  it('are service accounts, each without a token', () => {
    for (const { namespace, spec } of pods) {
      expect(named('ServiceAccount', namespace, spec.serviceAccountName)?.['automountServiceAccountToken']).toBe(false);
    }
    expect(ofKind(manifests, 'ClusterRole', 'ClusterRoleBinding')).toEqual([]);
  });

  it('give rights in the cluster only to the job that writes deletion costs', () => {
    const asks = pods.filter(({ spec }) => (spec.volumes ?? []).some(({ projected }: Loose) => projected));
    expect(asks.map(({ name }) => name)).toEqual(overlay === 'overlays/production' ? ['deletion-costs'] : []);
    const bound = ofKind(manifests, 'RoleBinding').flatMap(({ subjects }) => subjects.map(({ name }: Loose) => name));
    expect([...new Set(bound)]).toEqual(asks.map(({ spec }) => spec.serviceAccountName as string));
    for (const { rules } of ofKind(manifests, 'Role')) {
      expect(rules).toEqual([{ apiGroups: [''], resources: ['pods'], verbs: ['list', 'patch'] }]);
    }
  });

  it('are pods and ports behind each Service', () => {
    for (const { metadata, spec } of ofKind(manifests, 'Service')) {
      const behind = podsSelectedBy(metadata.namespace, spec.selector);
      expect(behind).toHaveLength(1);
      const names = behind[0]!.containers.flatMap(({ ports }) => ports).map(({ name }: Loose) => name);
      for (const { targetPort } of spec.ports) expect(names).toContain(targetPort);
    }
  });

  it('are the Services of StatefulSets', () => {
    for (const { metadata, spec } of ofKind(manifests, 'StatefulSet')) {
      expect(named('Service', metadata.namespace, spec.serviceName)?.spec.clusterIP).toBe('None');
    }
  });

  it('are the workloads of autoscalers, one for each, which alone set their replicas', () => {
    const autoscalers = ofKind(manifests, 'HorizontalPodAutoscaler', 'ScaledObject');
    const targets = autoscalers.map(({ metadata, spec }) => {
      const { kind, name } = spec.scaleTargetRef;
      return named(kind, metadata.namespace, name);
    });
    expect(targets.map(target => target?.spec.replicas)).toEqual(targets.map(() => undefined));
    expect(targets.map(target => titleOf(target!)).sort()).toEqual(
      [...new Set(targets.map(each => titleOf(each!)))].sort(),
    );
  });

  it('are the pods of disruption budgets, which always let some be evicted', () => {
    const budgets = ofKind(manifests, 'PodDisruptionBudget');
    for (const { metadata, spec } of budgets) {
      expect(podsSelectedBy(metadata.namespace, spec.selector.matchLabels)).toHaveLength(1);
      expect(spec.maxUnavailable).toBeGreaterThan(0);
    }
    expect(budgets.map(({ metadata }) => metadata.name).sort()).toEqual(['gateway', 'sfu', 'transcoder']);
  });

  it('are existing config maps of the same namespace', () => {
    for (const pod of pods) {
      const fromVolumes = (pod.spec.volumes ?? []).flatMap(({ configMap }: Loose) => configMap?.name ?? []);
      const fromContainers = allContainers(pod).flatMap(({ container }) =>
        (container.envFrom ?? []).flatMap(({ configMapRef }: Loose) => configMapRef?.name ?? []),
      );
      for (const name of [...fromVolumes, ...fromContainers] as string[]) {
        expect([pod.title, name, named('ConfigMap', pod.namespace, name) !== undefined]).toEqual([
          pod.title,
          name,
          true,
        ]);
      }
    }
  });

  it('are secrets of certificates or of docs/kubernetes.md, and none is in the files', () => {
    expect(ofKind(manifests, 'Secret')).toEqual([]);
    const made = new Map([...externalSecrets(), ...secretsOfCertificates(manifests)]);
    for (const { namespace, name, key } of secretReferences(manifests)) {
      expect(made.get(`${namespace}/${name}`) ?? []).toContain(key);
    }
  });

  it('are the pods that are watched', () => {
    for (const { metadata, spec } of ofKind(manifests, 'PodMonitor')) {
      // CloudNativePG makes the pods of its cluster, with this label and a port `metrics`.
      const cluster = spec.selector.matchLabels['cnpg.io/cluster'] as string | undefined;
      if (cluster !== undefined) {
        expect(ofKind(manifests, 'Cluster').map(each => each.metadata.name)).toContain(cluster);
        continue;
      }
      const [watched] = podsSelectedBy(metadata.namespace, spec.selector.matchLabels);
      const ports = watched!.containers.flatMap(({ ports }) => ports).map(({ name }: Loose) => name);
      for (const { port } of spec.podMetricsEndpoints) expect(ports).toContain(port);
    }
  });
});

/** Secrets that cert-manager makes: `namespace/name` → keys. */
function secretsOfCertificates(manifests: readonly Manifest[]): [string, string[]][] {
  const keys = ['ca.crt', 'tls.crt', 'tls.key'];
  return ofKind(manifests, 'Certificate').map(({ metadata, spec }) => [
    `${metadata.namespace!}/${spec.secretName as string}`,
    keys,
  ]);
}

interface SecretReference {
  namespace: string;
  name: string;
  key: string;
}

/** Secrets in variables of pods, in files that a variable names, and in the operators' objects. */
function secretReferences(manifests: readonly Manifest[]): SecretReference[] {
  return [...podsOf(manifests).flatMap(secretsOfPod), ...ofKind(manifests, 'ObjectStore').flatMap(secretsOfStore)];
}

function secretsOfPod(pod: Pod): SecretReference[] {
  return allContainers(pod).flatMap(({ container }) => {
    const variables: Loose[] = container.env ?? [];
    const byVariable = variables.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []);
    const byFile = variables
      .filter(({ name }) => name.endsWith('_FILE'))
      .map(({ value }) => keyAtPath(pod, container, value));
    return [...byVariable, ...byFile].map(({ name, key }) => ({ namespace: pod.namespace, name, key }));
  });
}

function secretsOfStore({ metadata, spec }: Manifest): SecretReference[] {
  const { accessKeyId, secretAccessKey } = spec.configuration.s3Credentials;
  return [accessKeyId, secretAccessKey].map(({ name, key }) => ({ namespace: metadata.namespace!, name, key }));
}

/** The secret's key that a container finds at a path. */
function keyAtPath(pod: Pod, container: Loose, path: string): { name: string; key: string } {
  const mount = container.volumeMounts.find(({ mountPath }: Loose) => path.startsWith(`${mountPath}/`));
  if (!mount) throw new Error(`${pod.title}: nothing is mounted at ${path}`);
  const { secret } = pod.spec.volumes.find(({ name }: Loose) => name === mount.name);
  const file = path.slice(String(mount.mountPath).length + 1);
  const item = secret.items?.find((each: Loose) => each.path === file);
  if (secret.items && !item) throw new Error(`${pod.title}: ${secret.secretName} has nothing for ${path}`);
  return { name: secret.secretName, key: item?.key ?? file };
}
