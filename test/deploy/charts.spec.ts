import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { externalSecrets } from './documented-secrets.js';
import { ofKind, parseManifests, render, repository, type Loose } from './render.js';

const valuesOf = (chart: string): Loose =>
  parse(readFileSync(`${repository}deploy/charts/${chart}/values.yaml`, 'utf8'));
const permissions = readFileSync(`${repository}deploy/nats/authorization.conf`, 'utf8');

describe('the values of charts', () => {
  const passwords = [...permissions.matchAll(/password: \$(\w+)/g)].map(([, name]) => name!).sort();

  it('give NATS the passwords that its permissions want, from the secret', () => {
    const { env } = valuesOf('nats').container;
    const single = render('overlays/single-node').find(
      ({ metadata, kind }) => kind === 'StatefulSet' && metadata.name === 'nats',
    );
    const besides = single!.spec.template.spec.containers[0].env.map(({ name }: Loose) => name);
    expect(
      Object.keys(env)
        .filter(name => name.endsWith('_PASSWORD'))
        .sort(),
    ).toEqual(passwords);
    expect(besides.sort()).toEqual(passwords);
    for (const name of passwords) {
      const { secretKeyRef } = env[name].valueFrom;
      expect(externalSecrets().get(`rtms/${secretKeyRef.name}`)).toContain(secretKeyRef.key);
    }
  });

  it('let NATS read the same permissions as everywhere', () => {
    expect(valuesOf('nats').config.merge['00$include']).toBe('authorization.conf');
    const generated = ofKind(render('overlays/single-node'), 'ConfigMap').find(
      ({ data }) => data?.['authorization.conf'],
    );
    expect(generated?.data?.['authorization.conf']).toBe(permissions);
  });

  it('let NATS require certificates, from another CA for its servers than for its clients', () => {
    const { nats, cluster } = valuesOf('nats').config;
    const certificates = ofKind(render('overlays/production'), 'Certificate');
    const issuers = [nats.tls, cluster.tls].map(({ enabled, secretName, dir, merge }: Loose) => {
      expect({ enabled, merge }).toMatchObject({ enabled: true, merge: { verify: true, ca_file: `${dir}/ca.crt` } });
      return certificates.find(({ spec }) => spec.secretName === secretName)?.spec.issuerRef.name as string;
    });
    expect(issuers).toEqual(['rtms-internal', 'nats-route']);
    expect(nats.tls.dir).not.toBe(cluster.tls.dir);
  });

  it('provide the metric of the gateways’ autoscaler', () => {
    const [autoscaler] = ofKind(render('overlays/production'), 'HorizontalPodAutoscaler');
    const { metric } = autoscaler!.spec.metrics.find(({ type }: Loose) => type === 'Pods').pods;
    const [rule] = valuesOf('prometheus-adapter').rules.custom;
    expect(rule.name.matches).toBe(`^${metric.name as string}$`);
    expect(rule.seriesQuery).toContain(`${metric.name as string}{`);
  });
});

it('the example for External Secrets makes each documented secret except the operator’s own', () => {
  const file = readFileSync(`${repository}deploy/examples/secrets/external-secrets.yaml`, 'utf8');
  const made = parseManifests(file).map(({ metadata }) => `${metadata.namespace!}/${metadata.name}`);
  expect([...made, 'rtms/postgres-app', 'rtms/postgres-ca'].sort()).toEqual([...externalSecrets().keys()].sort());
});
