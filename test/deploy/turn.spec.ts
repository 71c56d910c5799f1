import { loadConfig } from '@rtms/config';
import { sfuConfigSchema } from '../../apps/sfu/src/sfu.config.js';
import { environmentOf } from './environment.js';
import { mayReach, type Peer } from './network.js';
import { podsOf, type Pod } from './pods.js';
import { ofKind, render, type Loose } from './render.js';

const manifests = render('examples/turn');
const podNamed = (name: string): Pod => podsOf(manifests).find(pod => pod.name === name)!;
const secretOf = (pod: Pod): string =>
  pod.spec.volumes.find(({ name }: Loose) => name === 'turn').secret.secretName as string;
const turn: Peer = { namespace: 'rtms', labels: podNamed('turn').labels };
const outside: Peer = { address: '198.51.100.7' };
const sfu: Peer = { address: '10.0.3.7' };

describe('TURN on Kubernetes', () => {
  it('gives SFU nodes addresses that the Service has, and the server’s secret', () => {
    const pod = podNamed('sfu');
    const env = environmentOf(manifests, pod, pod.containers[0], () => 'a-secret-of-the-test');
    const { TURN_SECRET_FILE, NATS_PASSWORD_FILE: _password, ...others } = env;
    expect(TURN_SECRET_FILE).toBe(podNamed('turn').containers[0].env[0].value);
    expect(secretOf(pod)).toBe(secretOf(podNamed('turn')));
    const files = Object.keys(others).filter(name => name.endsWith('_FILE'));
    const given = Object.fromEntries(Object.entries(others).filter(([name]) => !files.includes(name)));
    const { turn } = loadConfig(sfuConfigSchema, {
      ...given,
      NATS_USER: undefined,
      TURN_SECRET: 'a-secret-of-the-test',
    });
    const [certificate] = ofKind(manifests, 'Certificate').filter(({ metadata }) => metadata.name === 'turn');
    expect(certificate?.spec.dnsNames).toEqual(['turn.example.com']);
    expect(turn?.urls).toEqual(['turn:turn.example.com?transport=udp', 'turns:turn.example.com:443?transport=tcp']);
    const [service] = ofKind(manifests, 'Service').filter(({ metadata }) => metadata.name === 'turn');
    const ports = service?.spec.ports.map(({ port, protocol = 'TCP', targetPort }: Loose) => [
      port,
      protocol,
      targetPort,
    ]);
    expect(ports).toEqual([
      [443, 'TCP', 'tls'],
      [3478, 'TCP', 'tcp'],
      [3478, 'UDP', 'udp'],
    ]);
  });

  it('is reached from outside, and reaches media ports of SFU nodes alone', () => {
    const reaches = (from: Peer, to: Peer, protocol: 'TCP' | 'UDP', port: number): boolean =>
      mayReach(manifests, from, to, { protocol, port });
    expect([reaches(outside, turn, 'TCP', 5349), reaches(outside, turn, 'UDP', 3478)]).toEqual([true, true]);
    expect([reaches(turn, sfu, 'UDP', 20_000), reaches(turn, sfu, 'UDP', 20_015)]).toEqual([true, true]);
    expect([reaches(turn, sfu, 'UDP', 21_000), reaches(turn, sfu, 'TCP', 4001)]).toEqual([false, false]);
    expect(reaches(turn, outside, 'UDP', 20_000)).toBe(false);
  });
});
