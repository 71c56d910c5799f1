/** @seconds 8 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { withoutHash } from '../../../tools/deploy/chart/chart.js';
import { madeChart } from '../../../tools/deploy/chart/made-chart.js';
import { mayReach } from '../network.js';
import { podsOf } from '../pods.js';
import { ofKind, render, repository, titleOf, type Loose, type Manifest } from '../render.js';
import { schemaProblems } from '../schema/schema-problems.js';
import { securityProblems } from '../security-problems.js';
import { helmRefusal, lint, template, type Values } from './helm.js';

const folder = `${repository}deploy/helm/rtms/`;
const read = (file: string): string => readFileSync(`${folder}${file}`, 'utf8');
const chart = parse(read('Chart.yaml')) as { version: string; appVersion: string };
const { version } = JSON.parse(readFileSync(`${repository}package.json`, 'utf8')) as { version: string };
const singleNode = 'values-single-node.yaml';
if (helmRefusal) process.stderr.write(helmRefusal);
const describeWithHelm = helmRefusal ? describe.skip : describe;

/** Objects by title, without the differences that a chart needs. */
function comparable(manifests: readonly Manifest[]): Record<string, Loose> {
  const named = manifests
    .map(each => withoutHash(each))
    // The namespaces of the secrets exist before the chart.
    .filter(({ kind }) => kind !== 'Namespace')
    .map(each => {
      // A Job cannot be changed, so each release has its own.
      if (each.kind === 'Job') each.metadata.name = each.metadata.name.replace(/-1$/, '');
      tidyPods(each.spec?.template);
      return [titleOf(each), each] as const;
    });
  return Object.fromEntries(named);
}

function tidyPods(template: Loose): void {
  const { annotations } = template?.metadata ?? {};
  if (annotations) delete annotations['checksum/config'];
  if (annotations && Object.keys(annotations).length === 0) delete template.metadata.annotations;
  // Nothing depends on their order.
  template?.spec?.volumes?.sort((one: Loose, other: Loose) => (one.name < other.name ? -1 : 1));
}

describe('the Helm chart', () => {
  it('is made of what Kustomize renders: npm run deploy:chart', () => {
    for (const [file, content] of madeChart()) {
      const now = read(file);
      const [one, other] = file.startsWith('templates/') ? [now, content] : [parse(now), parse(content)];
      expect([file, one]).toEqual([file, other]);
    }
  });

  it('has the version of the release', () => {
    expect(chart).toMatchObject({ version, appVersion: version });
  });

  it('reads files that are there', () => {
    for (const name of readdirSync(`${folder}files`)) expect(existsSync(`${folder}files/${name}/`)).toBe(true);
  });
});

describeWithHelm('Helm', () => {
  it.each<[string, string, Values]>([
    ['overlays/production', 'routes/gateway-api', []],
    ['overlays/single-node', 'routes/traefik', [singleNode]],
    ['examples/turn', 'routes/gateway-api', [{ turn: { mode: 'bundled' } }]],
    ['examples/ingest/production', 'routes/gateway-api', [{ ingest: { enabled: true } }]],
    ['examples/ingest/single-node', 'routes/traefik', [singleNode, { ingest: { enabled: true } }]],
  ])('renders the objects of deploy/%s with deploy/%s', (overlay, routes, values) => {
    const wanted = comparable([...render(overlay), ...render(routes)]);
    const found = comparable(template(...values));
    expect(Object.keys(found).sort()).toEqual(Object.keys(wanted).sort());
    for (const [title, object] of Object.entries(wanted)) expect([title, found[title]]).toEqual([title, object]);
  });

  it('makes no namespace, as Helm refuses one that exists for the secrets', () => {
    expect(ofKind(template(), 'Namespace')).toEqual([]);
  });

  it.each<[string, Values]>([
    ['the defaults', []],
    ['a single node', [singleNode]],
    ['TURN', [{ turn: { mode: 'bundled' } }]],
    ['ingest nodes', [{ ingest: { enabled: true } }]],
  ])('lints the chart with the values of %s', (_name, values) => {
    expect(lint(...values)).toMatchObject({ accepts: true, output: expect.not.stringMatching(/WARNING|ERROR/) });
  });
});

describeWithHelm.each<[string, Values]>([
  [
    'external services',
    [{ postgresql: { mode: 'external', ca: false }, nats: { url: 'tls://nats.example.net:4222' } }],
  ],
  [
    'ingest nodes without operators',
    [{ ingest: { enabled: true }, autoscaling: { enabled: false }, monitoring: { enabled: false } }],
  ],
  ['no operators', [{ autoscaling: { enabled: false }, monitoring: { enabled: false }, nats: { tls: false } }]],
  ['a single node with ingress-nginx', [singleNode, { routes: { kind: 'ingress-nginx' } }]],
  [
    'values for pods',
    [
      {
        image: { pullSecrets: [{ name: 'registry' }] },
        sfu: { nodeSelector: { 'rtms/media': 'true' }, tolerations: [{ key: 'media', operator: 'Exists' }] },
      },
    ],
  ],
])('the chart with %s', (_name, values) => {
  let manifests: Manifest[] = [];
  beforeAll(() => {
    manifests = template(...values);
  });

  it('renders objects that Kubernetes and the operators know, each once', async () => {
    for (const manifest of manifests) expect(await schemaProblems(manifest)).toEqual([]);
    expect(new Set(manifests.map(titleOf)).size).toBe(manifests.length);
  });

  it('gives its pods the fewest possible rights', () => {
    expect(podsOf(manifests).flatMap(securityProblems)).toEqual([]);
  });
});

describeWithHelm('a value of the chart', () => {
  const podNamed = (manifests: readonly Manifest[], name: string) => podsOf(manifests).find(pod => pod.name === name)!;

  it('leaves PostgreSQL and NATS to others, and lets the services reach them', () => {
    const external = { postgresql: ['192.0.2.0/24'], nats: ['192.0.2.7/32'] };
    const manifests = template({
      postgresql: { mode: 'external' },
      nats: { url: 'tls://nats.example.net:4222' },
      network: { external },
    });
    expect(ofKind(manifests, 'Cluster', 'ObjectStore', 'ScheduledBackup', 'StatefulSet')).toEqual([]);
    const config = ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name === 'transcoder-config');
    expect(config?.data?.['NATS_URL']).toBe('tls://nats.example.net:4222');
    const reaches = (name: string, address: string, port: number): boolean =>
      mayReach(
        manifests,
        { namespace: 'rtms', labels: { 'app.kubernetes.io/name': name } },
        { address },
        { protocol: 'TCP', port },
      );
    expect(['gateway', 'migrate', 'transcoder'].map(name => reaches(name, '192.0.2.9', 5432))).toEqual([
      true,
      true,
      false,
    ]);
    expect(['gateway', 'transcoder'].map(name => reaches(name, '192.0.2.7', 4222))).toEqual([true, true]);
  });

  it('pins an image by its digest', () => {
    const digest = `sha256:${'a'.repeat(64)}`;
    const manifests = template({ image: { registry: 'ghcr.io/acme', digests: { sfu: digest } } });
    expect(podNamed(manifests, 'sfu').containers[0].image).toBe(`ghcr.io/acme/rtms-sfu@${digest}`);
    expect(podNamed(manifests, 'gateway').containers[0].image).toBe(`ghcr.io/acme/rtms-gateway:${version}`);
  });

  it('becomes a variable of a service, and restarts its pods only', () => {
    const [before, after] = [template(), template({ sfu: { config: { LOG_LEVEL: 'debug', ICE_SERVERS: '[]' } } })];
    const config = ofKind(after, 'ConfigMap').find(({ metadata }) => metadata.name === 'sfu-config');
    expect(config?.data).toMatchObject({ LOG_LEVEL: 'debug', ICE_SERVERS: '[]', SFU_WORKERS: expect.any(String) });
    const checksum = (manifests: readonly Manifest[], name: string): Loose =>
      ofKind(manifests, 'Deployment').find(({ metadata }) => metadata.name === name)!.spec.template.metadata
        .annotations['checksum/config'];
    expect(checksum(before, 'sfu')).not.toBe(checksum(after, 'sfu'));
    expect(checksum(before, 'gateway')).toBe(checksum(after, 'gateway'));
  });

  it('announces another address, reaches a private bucket, admits tunnels', () => {
    const external = { bucket: ['10.0.8.0/24'], tunnels: ['10.42.0.0/16'], names: ['169.254.20.10/32'] };
    const manifests = template({ sfu: { announcedAddress: '203.0.113.7' }, network: { external } });
    const { env } = podNamed(manifests, 'sfu').containers[0];
    expect(env).toContainEqual({ name: 'RTC_ANNOUNCED_ADDRESS', value: '203.0.113.7' });
    const transcoder = { namespace: 'rtms', labels: { 'app.kubernetes.io/name': 'transcoder' }, address: '10.42.0.9' };
    const nats = { namespace: 'rtms', labels: { 'app.kubernetes.io/name': 'nats' } };
    expect([
      mayReach(manifests, transcoder, { address: '10.0.8.3' }, { protocol: 'TCP', port: 9000 }),
      mayReach(manifests, { address: '10.42.1.0' }, nats, { protocol: 'TCP', port: 4222 }),
      mayReach(manifests, transcoder, { address: '169.254.20.10' }, { protocol: 'UDP', port: 53 }),
    ]).toEqual([true, true, true]);
  });
});

describeWithHelm('TURN of the chart', () => {
  const sfuOf = (manifests: readonly Manifest[]) => podsOf(manifests).find(({ name }) => name === 'sfu')!;
  const urlsOf = (manifests: readonly Manifest[]): string | undefined =>
    ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name === 'sfu-config')?.data?.['TURN_URLS'];

  it('is left out by default', () => {
    const manifests = template();
    expect(manifests.map(titleOf).filter(title => title.includes('turn'))).toEqual([]);
    expect(urlsOf(manifests)).toBeUndefined();
    expect(JSON.stringify(sfuOf(manifests).spec)).not.toContain('turn');
  });

  it('may be servers of others', () => {
    const urls = 'turns:turn.example.net:443?transport=tcp';
    const manifests = template({ turn: { mode: 'external', urls } });
    expect(manifests.map(titleOf).filter(title => title.includes('turn'))).toEqual([]);
    expect(urlsOf(manifests)).toBe(urls);
    expect(sfuOf(manifests).spec.volumes).toContainEqual(
      expect.objectContaining({ name: 'turn', secret: expect.objectContaining({ secretName: 'turn' }) }),
    );
  });

  it('has its own host, peers, certificate and load balancer', () => {
    const serviceAnnotations = { 'service.example.com/kind': 'network' };
    const external = { peers: ['203.0.113.0/24'] };
    const manifests = template({
      ...{ hosts: { turn: 'relay.acme.example' }, network: { external } },
      turn: { mode: 'bundled', peers: '203.0.113.0-203.0.113.255', issuer: '', serviceAnnotations },
    });
    expect(urlsOf(manifests)).toBe('turn:relay.acme.example?transport=udp,turns:relay.acme.example:443?transport=tcp');
    const titled = (title: string): Manifest | undefined => manifests.find(each => titleOf(each) === title);
    expect(titled('Certificate rtms/turn')).toBeUndefined();
    expect(titled('Service rtms/turn')?.metadata.annotations).toEqual(serviceAnnotations);
    const turn = podsOf(manifests).find(({ name }) => name === 'turn')!;
    expect(turn.containers[0].env).toContainEqual({ name: 'TURN_PEERS', value: '203.0.113.0-203.0.113.255' });
    const relay = { namespace: 'rtms', labels: turn.labels };
    const media = { protocol: 'UDP', port: 20_000 } as const;
    expect(mayReach(manifests, relay, { address: '203.0.113.9' }, media)).toBe(true);
    expect(mayReach(manifests, relay, { address: '198.51.100.7' }, media)).toBe(false);
  });

  it('restarts SFUs, and nothing else, when it changes', () => {
    const checksums = (urls: string): string[] => {
      const manifests = template({ turn: { mode: 'external', urls } });
      return ['gateway', 'sfu', 'transcoder'].map(
        name =>
          ofKind(manifests, 'Deployment').find(({ metadata }) => metadata.name === name)!.spec.template.metadata
            .annotations['checksum/config'],
      );
    };
    const [one, other] = [checksums('turn:a.example'), checksums('turn:b.example')];
    expect(one.map((checksum, index) => checksum === other[index])).toEqual([true, false, true]);
  });
});

describeWithHelm('the schema of the values', () => {
  it.each<[string, object, string]>([
    ['a misspelt value', { sfu: { worker: 3 } }, '/sfu'],
    ['unknown routes', { routes: { kind: 'nginx' } }, '/routes/kind'],
    ['an unknown way to PostgreSQL', { postgresql: { mode: 'internal' } }, '/postgresql/mode'],
    ['an address that is no network', { network: { nodes: '10.0.0.0' } }, '/network/nodes'],
    ['a digest that is none', { image: { digests: { sfu: 'latest' } } }, '/image/digests/sfu'],
    [
      'a variable that belongs to other values',
      { gateway: { config: { NATS_URL: 'nats://x' } } },
      '/gateway/config/NATS_URL',
    ],
    ['fewer nodes than one', { sfu: { minReplicas: 0 } }, '/sfu/minReplicas'],
    ['an even number of copies', { nats: { replicas: '2' } }, '/nats/replicas'],
    ['TURN servers of others without their addresses', { turn: { mode: 'external' } }, '/turn/urls'],
    ['a network as a peer of coturn', { turn: { peers: '10.0.0.0/16' } }, '/turn/peers'],
  ])('rejects %s', (_name, values, path) => {
    expect(() => template(values)).toThrow(`at '${path}'`);
  });
});
