import { loadConfig } from '@rtms/config';
import { AllowedAddresses } from '../../apps/gateway/src/media/nodes/allowed-addresses.js';
import { ingestConfigSchema } from '../../apps/ingest/src/ingest.config.js';
import { environmentOf } from './environment.js';
import { externalSecrets } from './documented-secrets.js';
import { podsOf, type Pod } from './pods.js';
import { ofKind, render, type Loose } from './render.js';

const overlays = ['examples/ingest/production', 'examples/ingest/single-node'];

describe.each(overlays)('the ingest nodes of deploy/%s', overlay => {
  const manifests = render(overlay);
  const podNamed = (name: string): Pod => podsOf(manifests).find(pod => pod.name === name)!;
  const pod = podNamed('ingest');
  const [container] = pod.containers;
  const env = environmentOf(manifests, pod, container, () => 'a-secret-of-the-test');
  const files = Object.keys(env).filter(name => /^NATS_\w+_FILE$/.test(name));
  const config = loadConfig(ingestConfigSchema, {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !files.includes(name))),
    NATS_USER: undefined,
  });
  const portsOf = (protocol: string): number[] =>
    container.ports
      .filter((port: Loose) => (port.protocol ?? 'TCP') === protocol)
      .map(({ hostPort }: Loose) => hostPort as number);

  it('state each port of the node that encoders use, and no other UDP port', () => {
    expect(container.ports.every(({ containerPort, hostPort }: Loose) => containerPort === hostPort)).toBe(true);
    const { firstPort = 0, lastPort = 0 } = config.srt ?? {};
    expect(portsOf('UDP')).toEqual(Array.from({ length: lastPort - firstPort + 1 }, (_, at) => firstPort + at));
    const tcp = [config.port, config.managementPort, config.rtmp?.port, config.rtmps?.port].filter(Boolean);
    expect(portsOf('TCP').sort()).toEqual(tcp.sort());
  });

  it('share no port with the SFU of the same node', () => {
    const ofSfu = podNamed('sfu').containers[0].ports.map(({ hostPort }: Loose) => hostPort as number);
    expect(ofSfu.filter((port: number) => [...portsOf('UDP'), ...portsOf('TCP')].includes(port))).toEqual([]);
  });

  it('announce an address that the gateway allows', () => {
    const gateway = podNamed('gateway');
    const { MEDIA_NODE_ADDRESSES = '' } = environmentOf(manifests, gateway, gateway.containers[0], () => 'secret');
    const isProduction = overlay.endsWith('production');
    expect(new URL(config.publicUrl).hostname).toBe(isProduction ? 'machine-0.ingest.example.com' : '10.0.3.7');
    expect(new AllowedAddresses(MEDIA_NODE_ADDRESSES.split(',')).allows(config.publicUrl)).toBe(true);
  });

  it('have the certificate of the name that encoders of RTMPS check', () => {
    const { hostname } = new URL(config.publicUrl);
    const names = ofKind(manifests, 'Certificate')
      .filter(({ spec }) => spec.secretName === 'ingest-tls')
      .flatMap(({ spec }) => spec.dnsNames as string[]);
    expect(names.map(name => hostname.endsWith(name.slice(1)))).toEqual(config.rtmps ? [true] : []);
  });

  it('drain before they end, and are probed like the other services', () => {
    const [, seconds] = container.lifecycle.preStop.exec.command;
    expect(pod.spec.terminationGracePeriodSeconds).toBeGreaterThan(Number(seconds) + Number(env['DRAIN_SECONDS']) + 20);
    expect(container.startupProbe.httpGet).toEqual({ path: '/healthz', port: 'http' });
    expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'http' });
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' });
  });

  it('have a documented secret with the password of the bus', () => {
    const { secret } = pod.spec.volumes.find(({ name }: Loose) => name === 'bus');
    expect(externalSecrets().get(`rtms-sfu/${secret.secretName as string}`)).toEqual(['ingest']);
  });
});

describe('production', () => {
  it('scales ingest nodes by their slots, and keeps them without an answer of Prometheus', () => {
    const [scaled] = ofKind(render('examples/ingest/production'), 'ScaledObject').filter(
      ({ metadata }) => metadata.name === 'ingest',
    );
    expect(scaled?.spec.triggers[0].metadata).toMatchObject({
      query: expect.stringContaining('rtms_ingest_slots_utilization'),
      ignoreNullValues: 'false',
    });
    expect(scaled?.spec.fallback).toMatchObject({ behavior: 'currentReplicasIfHigher', replicas: 2 });
  });
});
