import { mayReach, type Peer, type Port } from './network.js';
import { podsOf, selects } from './pods.js';
import { ofKind, render, titleOf } from './render.js';

const tcp = (port: number): Port => ({ protocol: 'TCP', port });
const udp = (port: number): Port => ({ protocol: 'UDP', port });
const own = (name: string): Peer => ({ namespace: 'rtms', labels: { 'app.kubernetes.io/name': name } });

const gateway = own('gateway');
const transcoder: Peer = { ...own('transcoder'), address: '10.1.2.3' };
const migrate = own('migrate');
const nats = own('nats');
const database: Peer = { namespace: 'rtms', labels: { 'rtms/part': 'database' } };
/** On the network of its node. */
const sfu: Peer = { address: '10.0.3.7' };
const outside: Peer = { address: '198.51.100.7' };
const ingress: Peer = { namespace: 'ingress', labels: { app: 'controller' } };
const prometheus: Peer = { namespace: 'monitoring', labels: { app: 'prometheus' } };
const names: Peer = { namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } };
const operator: Peer = { namespace: 'cnpg-system', labels: { app: 'cloudnative-pg' } };
const solver = (namespace: string): Peer => ({ namespace, labels: { 'acme.cert-manager.io/http01-solver': 'true' } });
const stranger: Peer = { namespace: 'shop', labels: { app: 'till' } };

describe.each(['overlays/single-node', 'overlays/production'])('the network policies of deploy/%s', overlay => {
  const manifests = render(overlay);

  it.each<[string, Peer, Peer, Port]>([
    ['the Ingress reaches gateways', ingress, gateway, tcp(4000)],
    ['the Ingress reaches transcoders', ingress, transcoder, tcp(4002)],
    ['gateways reach NATS', gateway, nats, tcp(4222)],
    ['gateways reach PostgreSQL', gateway, database, tcp(5432)],
    ['migrations reach PostgreSQL', migrate, database, tcp(5432)],
    ['transcoders reach NATS', transcoder, nats, tcp(4222)],
    ['transcoders fetch from each other', transcoder, transcoder, tcp(4002)],
    ['SFUs reach NATS', sfu, nats, tcp(4222)],
    ['SFUs send RTP to transcoders', sfu, transcoder, udp(33_333)],
    ['transcoders send RTCP to SFUs', transcoder, sfu, udp(21_000)],
    ['Prometheus reads gateways', prometheus, gateway, tcp(9400)],
    ['Prometheus reads transcoders', prometheus, transcoder, tcp(9402)],
    ['gateways look names up', gateway, names, udp(53)],
    ['the Ingress reaches solvers of ACME challenges', ingress, solver('rtms'), tcp(8089)],
    ['the Ingress reaches solvers of ACME challenges for SFUs', ingress, solver('rtms-sfu'), tcp(8089)],
  ])('say that %s', (_sentence, from, to, port) => {
    expect(mayReach(manifests, from, to, port)).toBe(true);
  });

  it.each<[string, Peer, Peer, Port]>([
    ['transcoders reach PostgreSQL', transcoder, database, tcp(5432)],
    ['SFUs reach PostgreSQL', sfu, database, tcp(5432)],
    ['SFUs reach gateways', sfu, gateway, tcp(4000)],
    ['transcoders reach gateways', transcoder, gateway, tcp(4000)],
    ['gateways reach transcoders', gateway, transcoder, tcp(4002)],
    ['gateways go outside', gateway, outside, tcp(443)],
    ['migrations reach NATS', migrate, nats, tcp(4222)],
    ['NATS goes outside', nats, outside, tcp(443)],
    ['another namespace reaches gateways', stranger, gateway, tcp(4000)],
    ['another namespace reaches NATS', stranger, nats, tcp(4222)],
    ['another namespace reaches PostgreSQL', stranger, database, tcp(5432)],
    ['the Ingress reads metrics', ingress, gateway, tcp(9400)],
    ['transcoders ask the cloud for rights', transcoder, { address: '169.254.169.254' }, tcp(443)],
    ['somebody outside sends RTP', outside, transcoder, udp(33_333)],
    ['transcoders command SFUs', transcoder, sfu, tcp(4001)],
    ['another namespace reaches solvers of ACME challenges', stranger, solver('rtms'), tcp(8089)],
  ])('keep it from being that %s', (_sentence, from, to, port) => {
    expect(mayReach(manifests, from, to, port)).toBe(false);
  });

  it('deny what they do not allow, in both namespaces', () => {
    for (const namespace of ['rtms', 'rtms-sfu']) {
      const rules = ofKind(manifests, 'NetworkPolicy').filter(({ metadata }) => metadata.namespace === namespace);
      expect(rules.map(({ spec }) => spec)).toContainEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    }
  });

  it('select existing pods, or those of NATS, PostgreSQL and cert-manager', () => {
    const labels = [...podsOf(manifests).map(pod => pod.labels), nats.labels!, database.labels!, solver('').labels!];
    const idle = ofKind(manifests, 'NetworkPolicy').filter(
      ({ spec }) => !labels.some(each => selects(spec.podSelector, each)),
    );
    expect(idle.map(titleOf)).toEqual([]);
  });

  it('let transcoders reach exactly the ports that SFUs send from', () => {
    const { data } = ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name.startsWith('sfu-config'))!;
    const min = Number(data!['RTC_MIN_PORT']);
    const max = Number(data!['RTC_MAX_PORT']);
    const reached = [min - 1, min, max, max + 1].map(port => mayReach(manifests, transcoder, sfu, udp(port)));
    expect(reached).toEqual([false, true, true, false]);
  });
});

it('let transcoders connect to the outside only if recordings go into a bucket', () => {
  expect(mayReach(render('overlays/production'), transcoder, outside, tcp(443))).toBe(true);
  expect(mayReach(render('overlays/single-node'), transcoder, outside, tcp(443))).toBe(false);
});

it('let PostgreSQL instances ping each other, which keeps a primary alive while the cluster has no API', () => {
  const manifests = render('overlays/production');
  expect(mayReach(manifests, database, database, tcp(8000))).toBe(true);
  expect(mayReach(manifests, operator, database, tcp(8000))).toBe(true);
  expect(mayReach(manifests, gateway, database, tcp(8000))).toBe(false);
});

describe('the network policies of deploy/examples/private-networks', () => {
  const manifests = [...render('overlays/production'), ...render('examples/private-networks')];
  const tunnel: Peer = { address: '10.42.1.0' };
  const bucket: Peer = { address: '10.0.8.20' };
  const nodeLocalNames: Peer = { address: '169.254.20.10' };

  it.each<[string, Peer, Peer, Port]>([
    ['SFUs behind a tunnel reach NATS', tunnel, nats, tcp(4222)],
    ['SFUs behind a tunnel send RTP to transcoders', tunnel, transcoder, udp(33_333)],
    ['transcoders reach a bucket with a private address', transcoder, bucket, tcp(9000)],
    ['PostgreSQL archives into a bucket with a private address', database, bucket, tcp(9000)],
    ['gateways look names up at their node', gateway, nodeLocalNames, udp(53)],
  ])('add that %s', (_sentence, from, to, port) => {
    expect(mayReach(render('overlays/production'), from, to, port)).toBe(false);
    expect(mayReach(manifests, from, to, port)).toBe(true);
  });
});
