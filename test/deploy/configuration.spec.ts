import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseUrls, databaseVariables, loadConfig, ownerVariables, z, type Environment } from '@rtms/config';
import { loadGatewayConfig, variables as gatewayVariables } from '../../apps/gateway/src/gateway.config.js';
import { sfuConfigSchema } from '../../apps/sfu/src/sfu.config.js';
import { transcoderConfigSchema } from '../../apps/transcoder/src/transcoder.config.js';
import { environmentOf } from './environment.js';
import { podsOf, type Pod } from './pods.js';
import { ofKind, render, type Loose, type Manifest } from './render.js';

/** Examples for the content of the secrets. */
const secrets: Readonly<Record<string, string>> = {
  RTMS_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  RTMS_ADMIN_TOKEN: 'a'.repeat(32),
  DATABASE_OWNER_URL: 'postgresql://rtms:secret@postgres-rw.rtms:5432/rtms',
  DATABASE_URL: 'postgresql://rtms_gateway:secret@postgres-rw.rtms:5432/rtms',
  NATS_PASSWORD: 'p0123456789',
  NATS_CA: 'certificate',
  NATS_CERT: 'certificate',
  NATS_KEY: 'key',
  DATABASE_CA: 'certificate',
  RECORDINGS_S3_ACCESS_KEY_ID: 'AKIA0123456789',
  RECORDINGS_S3_SECRET_ACCESS_KEY: 'secret',
};

/** Variables of which others are made, and those of Node itself. */
const besides = ['HOST_IP', 'POD_IP', 'NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS'];

const services = {
  gateway: { known: Object.keys(gatewayVariables.shape), load: loadGatewayConfig },
  sfu: { known: variablesOf(sfuConfigSchema), load: (env: Environment) => loadConfig(sfuConfigSchema, env) },
  transcoder: {
    known: variablesOf(transcoderConfigSchema),
    load: (env: Environment) => loadConfig(transcoderConfigSchema, env),
  },
};

const directory = mkdtempSync(join(tmpdir(), 'rtms-secrets-'));
function fileWith(secret: string): string {
  const path = join(directory, createHash('sha256').update(secret).digest('hex'));
  writeFileSync(path, `${secret}\n`);
  return path;
}

/** A schema that is transformed has the object's at its beginning. */
function variablesOf(schema: { in: unknown }): string[] {
  return Object.keys((schema.in as { shape: object }).shape);
}

/** A pod, and the environment of its first container. */
function configured(manifests: readonly Manifest[], name: string): { pod: Pod; env: Record<string, string> } {
  const pod = podsOf(manifests).find(each => each.name === name)!;
  return { pod, env: environmentOf(manifests, pod, pod.containers[0], variable => secrets[variable]!) };
}

describe('the configuration', () => {
  afterAll(() => rmSync(directory, { recursive: true }));

  describe.each(['overlays/single-node', 'overlays/production'])('the configuration in deploy/%s', overlay => {
    const manifests = render(overlay);
    const podNamed = (name: string): Pod => configured(manifests, name).pod;
    const given = (name: string): Record<string, string> => configured(manifests, name).env;
    /** With local files in place of the pod's. */
    const read = (name: string): Record<string, string> =>
      Object.fromEntries(
        Object.entries(given(name)).map(([variable, value]) =>
          variable.endsWith('_FILE') ? [variable, fileWith(secrets[variable.slice(0, -5)]!)] : [variable, value],
        ),
      );

    it.each(['gateway', 'sfu', 'transcoder'] as const)('of the %s is accepted by its schema', service => {
      const { known, load } = services[service];
      const isKnown = (variable: string): boolean => [...known, ...besides].includes(variable);
      const variables = Object.keys(given(service));
      expect(variables.filter(each => !isKnown(each) && !isKnown(each.replace(/_FILE$/, '')))).toEqual([]);
      expect(() => load(read(service))).not.toThrow();
    });

    it('of the migrations has the owner of the database, which gateways do not have', () => {
      const schema = z.object({ ...databaseVariables, ...ownerVariables }).transform(databaseUrls);
      const { url, servingUrl } = loadConfig(schema, read('migrate'));
      expect([url, servingUrl].map(each => new URL(each).username)).toEqual(['rtms', 'rtms_gateway']);
      const secretOf = (name: string, variable: string): string => {
        const folder = given(name)[variable]!.replace(/\/[^/]*$/, '');
        const { spec, containers } = podNamed(name);
        const mount = containers[0].volumeMounts.find((each: Loose) => each.mountPath === folder);
        return spec.volumes.find((each: Loose) => each.name === mount.name).secret.secretName;
      };
      expect(given('gateway')).not.toHaveProperty('DATABASE_OWNER_URL_FILE');
      expect(secretOf('gateway', 'DATABASE_URL_FILE')).toBe(secretOf('migrate', 'DATABASE_URL_FILE'));
      expect(secretOf('migrate', 'DATABASE_OWNER_URL_FILE')).not.toBe(secretOf('migrate', 'DATABASE_URL_FILE'));
    });

    it.each(['gateway', 'sfu', 'transcoder'])('of the %s names the ports that its container has', service => {
      const { PORT, MANAGEMENT_PORT } = given(service);
      const ports = podNamed(service).containers[0].ports;
      const numberOf = (name: string): number => ports.find((port: Loose) => port.name === name)?.containerPort;
      expect([numberOf('http'), numberOf('metrics')]).toEqual([Number(PORT), Number(MANAGEMENT_PORT)]);
    });

    it('of the SFU gives each worker a UDP and a TCP port of the node that nothing else uses', () => {
      const { RTC_PORT, SFU_WORKERS, RTC_MIN_PORT, RTC_MAX_PORT } = given('sfu');
      const ports: Loose[] = podNamed('sfu').containers[0].ports;
      expect(ports.every(({ containerPort, hostPort }) => containerPort === hostPort)).toBe(true);
      for (let port = Number(RTC_PORT); port < Number(RTC_PORT) + Number(SFU_WORKERS); port += 1) {
        const protocols = ports.filter(each => each.hostPort === port).map(({ protocol }) => protocol as string);
        expect(protocols.sort()).toEqual(['TCP', 'UDP']);
      }
      // Below Kubernetes' node ports (30000) and the kernel's ephemeral ports (32768).
      expect(Number(RTC_PORT) + Number(SFU_WORKERS)).toBeLessThanOrEqual(Number(RTC_MIN_PORT));
      expect(Number(RTC_MAX_PORT)).toBeLessThan(30_000);
    });

    it('of the SFU announces the address of the node, and has the name of the pod', () => {
      expect(given('sfu')).toMatchObject({
        RTMS_NODE_ID: 'node-0',
        HOST: '10.0.3.7',
        INTERNAL_URL: 'http://10.0.3.7:4001',
        RTC_ANNOUNCED_ADDRESS: '10.0.3.7',
      });
      expect(podNamed('sfu').spec).toMatchObject({ hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' });
    });

    it('of the transcoder lets SFUs send to the pod', () => {
      expect(given('transcoder')).toMatchObject({ RTP_LISTEN_IP: '10.1.2.3', INTERNAL_URL: 'http://10.1.2.3:4002' });
    });

    it('gives a transcoder time for one more window of segments', () => {
      const { spec } = podNamed('transcoder');
      const windowSeconds = 20;
      const needed = Number(given('transcoder')['DRAIN_SECONDS']) + windowSeconds + 10;
      expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(needed);
    });

    it('gives a pod more time to end than its drain takes', () => {
      for (const name of ['gateway', 'sfu', 'transcoder']) {
        const { spec, containers } = podNamed(name);
        const [program, seconds] = containers[0].lifecycle.preStop.exec.command;
        const drainSeconds = Number(given(name)['DRAIN_SECONDS']);
        expect(program).toBe('sleep');
        // An SFU gives the gateway ten seconds to move its rooms, and may take ten to stop.
        const needed = Number(seconds) + drainSeconds + (name === 'sfu' ? 20 : 0);
        expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(needed);
      }
    });

    it('gives each service a user of its own on the bus', () => {
      expect(['gateway', 'sfu', 'transcoder'].map(service => given(service)['NATS_USER'])).toEqual([
        'gateway',
        'sfu',
        'transcoder',
      ]);
    });
  });

  it('in production trusts only a bus and a database with certificates of its own CAs', () => {
    const manifests = render('overlays/production');
    const certificates = ofKind(manifests, 'Certificate');
    for (const { pod, env } of Object.keys(services).map(name => configured(manifests, name))) {
      const { hostname, protocol } = new URL(env['NATS_URL']!);
      const server = certificates.find(({ spec }) => spec.dnsNames?.includes(hostname));
      const own = certificates.find(({ spec }) => spec.secretName === `${pod.name}-bus-tls`);
      expect(protocol).toBe('tls:');
      expect(own?.spec.issuerRef).toEqual(server?.spec.issuerRef);
      expect([own?.metadata.namespace, own?.spec.usages]).toEqual([
        pod.namespace,
        expect.arrayContaining(['client auth']),
      ]);
      expect(env).toMatchObject({ NATS_CA_FILE: expect.any(String), NATS_KEY_FILE: expect.any(String) });
    }
    for (const name of ['gateway', 'migrate'])
      expect(configured(manifests, name).env).toHaveProperty('DATABASE_CA_FILE');
  });

  describe('the place of recordings', () => {
    const transcoderOf = (overlay: string) => configured(render(overlay), 'transcoder');

    it('is a bucket in production, so that no pod must return', () => {
      expect(transcoderOf('overlays/production').env['RECORDINGS_S3_BUCKET']).toBeDefined();
    });

    it('is a volume on a single node, which one transcoder of a lasting name has', () => {
      const { pod, env } = transcoderOf('overlays/single-node');
      const media = pod.spec.volumes.find(({ name }: Loose) => name === 'media');
      expect(media).toEqual({ name: 'media', persistentVolumeClaim: { claimName: 'transcoder-media' } });
      expect(env['RTMS_NODE_ID']).toBe('transcoder-1');
      expect(env['RECORDINGS_DIR']).toMatch(/^\/var\/lib\/rtms\//);
    });
  });
});
