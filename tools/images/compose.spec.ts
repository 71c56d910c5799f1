import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DCLinter } from 'dclint';
import { parse } from 'yaml';
import { loadConfig, type Environment } from '@rtms/config';
import { loadGatewayConfig } from '../../apps/gateway/src/gateway.config.js';
import { sfuConfigSchema } from '../../apps/sfu/src/sfu.config.js';
import { ingestConfigSchema } from '../../apps/ingest/src/ingest.config.js';
import { transcoderConfigSchema } from '../../apps/transcoder/src/transcoder.config.js';
import { repositoryRoot } from '../setup/repository.mjs';
import { composePath, composeText, networksOf, readComposeFile, type ComposeService } from './compose-file.js';

const file = readComposeFile();
const names = Object.keys(file.services);
const service = (name: string): ComposeService => file.services[name]!;
const secretsFolder = mkdtempSync(join(tmpdir(), 'rtms-secrets-'));
const secretsScript = join(repositoryRoot, 'deploy/docker/make-secrets.sh');

interface LintResult {
  messages: { line: number; rule: string; message: string }[];
}

describe('Compose', () => {
  beforeAll(() => makeSecrets());

  afterAll(() => rmSync(secretsFolder, { recursive: true }));

  function makeSecrets(env: Record<string, string> = {}): void {
    execFileSync('sh', [secretsScript], { env: { ...process.env, SECRETS_DIR: secretsFolder, ...env } });
  }

  const secretText = (name: string): string => readFileSync(join(secretsFolder, name), 'utf8');
  const dockerfileOf = (name: string): string =>
    readFileSync(join(repositoryRoot, `deploy/docker/${name}.Dockerfile`), 'utf8');

  const seconds = (duration = '10s'): number => Number(/^(\d+)s$/.exec(duration)?.[1]);

  /** The program's environment: ENV of its image, Compose's variables, mounted secrets. */
  function environmentOf(name: string): Record<string, string> {
    const [, line = ''] = /^ENV (.+)$/m.exec(dockerfileOf(name)) ?? [];
    const ofImage = Object.fromEntries(line.split(' ').map(pair => pair.split('=')));
    const mounted = Object.entries(service(name).environment ?? {}).map(([variable, value]) => [
      variable,
      value.replace('/run/secrets', secretsFolder),
    ]);
    return { ...ofImage, ...Object.fromEntries(mounted) };
  }

  const loaders: Record<string, (env: Environment) => unknown> = {
    gateway: loadGatewayConfig,
    sfu: env => loadConfig(sfuConfigSchema, env),
    transcoder: env => loadConfig(transcoderConfigSchema, env),
    ingest: env => loadConfig(ingestConfigSchema, env),
  };

  /** The configuration that a service reads from its environment, or the reason why it does not start. */
  function outcome(name: string, env: Environment): string {
    try {
      return JSON.stringify(loaders[name]!(env));
    } catch (error) {
      return String(error);
    }
  }

  describe('docker-compose.yml', () => {
    it('follows the schema of Compose files, and has no fault that a linter knows', () => {
      const linter = new DCLinter({
        rules: {
          // Services are in their starting order, and related services are neighbours.
          'services-alphabetical-order': 0,
          'service-keys-order': 0,
          'service-ports-alphabetical-order': 0,
          'service-dependencies-alphabetical-order': 0,
          'top-level-properties-order': 0,
          // The linter reads no variables; a test below checks the interfaces.
          'no-unbound-port-interfaces': 0,
          // Images of this checkout are made from it, and have their version in a label.
          'no-build-and-image': 0,
          'service-image-require-explicit-tag': 0,
          'require-quotes-in-ports': 2,
        },
        quiet: false,
        debug: false,
        exclude: [],
      });
      const results: LintResult[] = linter.lintFiles([composePath], false);
      const problems = results.flatMap(result => result.messages);
      expect(problems.map(({ line, rule, message }) => `${line}: ${rule}: ${message}`)).toEqual([]);
    });

    it.each(names)('gives %s a root that cannot be written, no capability to gain, and bounds', name => {
      const { read_only, cap_drop, cap_add = [], security_opt, privileged, deploy } = service(name);
      expect({ read_only, cap_drop, security_opt, privileged }).toEqual({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        privileged: undefined,
      });
      expect(cap_add).toEqual(['turn', 'caddy'].includes(name) ? ['NET_BIND_SERVICE'] : []);
      const limits = { cpus: expect.anything(), memory: expect.anything(), pids: expect.any(Number) };
      expect(deploy?.resources.limits).toEqual(limits);
    });

    it.each(names.filter(name => name !== 'migrate'))('knows how to ask whether %s is well', name => {
      const { build, image, healthcheck } = service(name);
      const ofImage = (build ?? image.startsWith('rtms-')) ? dockerfileOf(image.replace('rtms-', '')) : '';
      expect(healthcheck?.test?.[0] === 'CMD' || ofImage.includes('HEALTHCHECK')).toBe(true);
    });

    it('names images of others by their whole version', () => {
      const others = Object.values(file.services).map(each => each.image);
      for (const image of others.filter(each => !each.startsWith('rtms-'))) {
        expect(image).toMatch(/^[a-z.]+\/[a-z0-9/-]+:v?\d+\.\d+(\.\d+)?(-[a-z0-9.]+)?(@sha256:[0-9a-f]{64})?$/);
      }
    });

    it('mounts only what is in the checkout, and secrets that make-secrets.sh makes', () => {
      const mounted = Object.values(file.services).flatMap(each => each.volumes ?? []);
      const paths = mounted.map(each => each.split(':', 1).join()).filter(each => each.startsWith('.'));
      expect(paths.filter(path => !existsSync(join(repositoryRoot, path)))).toEqual([]);
      const used = Object.values(file.services).flatMap(each => each.secrets ?? []);
      expect(new Set(used)).toEqual(new Set(Object.keys(file.secrets)));
      for (const name of used) expect(secretText(name)).not.toBe('');
    });

    it('holds no secret itself: services read theirs from files', () => {
      expect(composeText).not.toMatch(/postgres(ql)?:\/\/[^\s:]*:[^\s@$]+@/);
      const variables = Object.values(file.services).flatMap(each => Object.entries(each.environment ?? {}));
      const secret = variables.filter(([name]) => /SECRET|PASSWORD|TOKEN|DATABASE_URL/.test(name));
      expect(secret.filter(([name, value]) => !name.endsWith('_FILE') && value !== '')).toEqual([]);
    });

    it('shows each secret only to those who need it', () => {
      const holders = (secret: string): string[] => names.filter(name => service(name).secrets?.includes(secret));
      expect(holders('secret_key')).toEqual(['gateway']);
      expect(holders('admin_token')).toEqual(['gateway']);
      expect(holders('database_url')).toEqual(['migrate']);
      expect(holders('database_serving_url')).toEqual(['migrate', 'gateway']);
      for (const node of ['gateway', 'sfu', 'transcoder', 'ingest']) {
        expect(holders(`nats_${node}_password`)).toEqual(['nats', node]);
      }
    });

    it('lets only the gateway and its migrations reach the database', () => {
      const reaching = names.filter(name => networksOf(service(name)).includes('data'));
      expect(reaching).toEqual(['postgres', 'migrate', 'gateway']);
      expect(networksOf(service('postgres'))).toEqual(['data']);
      expect([file.networks['data']?.internal, file.networks['bus']?.internal]).toEqual([true, true]);
    });

    it('migrates the database before the gateway starts', () => {
      expect(service('gateway').depends_on).toMatchObject({ migrate: { condition: 'service_completed_successfully' } });
      expect(service('migrate').depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
      const { DATABASE_OWNER_URL_FILE, DATABASE_URL_FILE } = service('migrate').environment ?? {};
      expect(DATABASE_OWNER_URL_FILE).toBe('/run/secrets/database_url');
      expect(DATABASE_URL_FILE).toBe(service('gateway').environment?.['DATABASE_URL_FILE']);
    });

    it('gives NATS the password of every user that its permissions name', () => {
      const permissions = readFileSync(join(repositoryRoot, 'deploy/nats/authorization.conf'), 'utf8');
      const wanted = [...permissions.matchAll(/^\s*password: \$NATS_(\w+)_PASSWORD$/gm)].map(match => match[1]);
      expect(wanted).toEqual(['GATEWAY', 'SFU', 'TRANSCODER', 'INGEST']);
      const script = service('nats').command?.join() ?? '';
      expect(script).toContain(`for user in ${wanted.join(' ')};`);
      expect(script).toContain('exec nats-server');
    });
  });

  describe.each(Object.keys(loaders))('the environment of the %s', name => {
    it('lets it start', () => {
      expect(() => loaders[name]!(environmentOf(name))).not.toThrow();
    });

    it('has no variable that it does not know', () => {
      const env = environmentOf(name);
      const usual = outcome(name, env);
      // Another value of a known variable changes the configuration, or is refused.
      const unknown = Object.keys(env).filter(key => outcome(name, { ...env, [key]: `other${env[key]}` }) === usual);
      expect(unknown).toEqual(['NODE_ENV']);
    });

    it('has its own name and password for the bus', () => {
      const { NATS_USER, NATS_PASSWORD_FILE, NATS_URL } = service(name).environment ?? {};
      expect({ NATS_USER, NATS_PASSWORD_FILE, NATS_URL }).toEqual({
        NATS_USER: name,
        NATS_PASSWORD_FILE: `/run/secrets/nats_${name}_password`,
        NATS_URL: 'nats://nats:4222',
      });
    });

    it('puts metrics on a port that is not published', () => {
      const { PORT = '', MANAGEMENT_PORT = '' } = environmentOf(name);
      const published = service(name).ports ?? [];
      // Encoders use the ports of their protocols.
      const isPublished = published.includes(`127.0.0.1:${PORT}:${PORT}`);
      expect(isPublished).toBe(name !== 'ingest');
      expect(MANAGEMENT_PORT).toMatch(/^940[0-3]$/);
      expect(published.join()).not.toContain(MANAGEMENT_PORT);
      expect(dockerfileOf(name)).toContain(`EXPOSE ${PORT}\n`);
    });

    it('leaves more time to stop than a drain takes', () => {
      const drain = Number(environmentOf(name)['DRAIN_SECONDS']);
      expect(seconds(service(name).stop_grace_period)).toBeGreaterThanOrEqual(drain + (name === 'sfu' ? 20 : 15));
    });

    it('has a process with number one that reaps children', () => {
      expect(service(name).init).toBe(true);
    });
  });

  describe('media', () => {
    it('reaches every worker of the SFU by UDP and by TCP', () => {
      const { SFU_WORKERS, RTC_PORT } = environmentOf('sfu');
      const range = `${RTC_PORT}-${Number(RTC_PORT) + Number(SFU_WORKERS) - 1}`;
      const published = ['udp', 'tcp'].map(protocol => `127.0.0.1:${range}:${range}/${protocol}`);
      expect(service('sfu').ports).toEqual(expect.arrayContaining(published));
    });

    it('goes to the transcoder at the address that it has on the network of the SFU', () => {
      const { networks } = service('transcoder');
      expect(networks).toMatchObject({ bus: { ipv4_address: environmentOf('transcoder')['RTP_LISTEN_IP'] } });
      expect(networksOf(service('sfu'))).toContain('bus');
    });
  });

  describe('the monitoring profile', () => {
    const scraped = parse(readFileSync(join(repositoryRoot, 'deploy/monitoring/prometheus.yml'), 'utf8')) as {
      rule_files: string[];
      scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[];
    };

    it('asks every service for its metrics where they are', () => {
      const targets = scraped.scrape_configs.flatMap(job => job.static_configs.flatMap(each => each.targets));
      const offered = Object.keys(loaders).map(name => `${name}:${environmentOf(name)['MANAGEMENT_PORT']}`);
      expect(targets).toEqual(expect.arrayContaining(offered));
      for (const name of Object.keys(loaders)) expect(networksOf(service(name))).toContain('bus');
      expect(networksOf(service('prometheus'))).toContain('bus');
    });

    it('is started on demand, and seen on this machine alone', () => {
      for (const name of ['prometheus', 'grafana']) {
        expect(service(name).profiles).toEqual(['monitoring']);
        expect(service(name).ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:/)]);
      }
    });
  });

  describe('make-secrets.sh', () => {
    it('keeps existing secrets', () => {
      const before = secretText('secret_key');
      makeSecrets();
      expect(secretText('secret_key')).toBe(before);
    });

    it('makes a key of 32 bytes, a token nobody guesses, and an address with the password of the database', () => {
      expect(Buffer.from(secretText('secret_key'), 'base64')).toHaveLength(32);
      expect(secretText('admin_token')).toMatch(/^[0-9a-f]{64}$/);
      const [owner, serving] = ['database_url', 'database_serving_url'].map(name => new URL(secretText(name)));
      expect(owner!.password).toBe(secretText('postgres_password'));
      expect(serving!.password).toMatch(/^p[0-9a-f]{48}$/);
      expect(serving!.username).not.toBe(owner!.username);
    });
  });

  describe('published ports', () => {
    const portsOf = ({ services }: typeof file, except: readonly string[] = []): string[] =>
      Object.entries(services).flatMap(([name, { ports = [] }]) => (except.includes(name) ? [] : ports));

    it('are on the loopback address, except those of the tls profile', () => {
      expect(portsOf(file, ['caddy']).filter(port => !port.startsWith('127.0.0.1:'))).toEqual([]);
      expect(service('caddy')).toMatchObject({ profiles: ['tls'], ports: ['0.0.0.0:80:8080', '0.0.0.0:443:8443'] });
    });

    it('of media and TURN follow PUBLISH_MEDIA, and no port of HTTP does', () => {
      const published = portsOf(readComposeFile({ PUBLISH_MEDIA: '0.0.0.0' }), ['caddy']);
      const containerPorts = published.flatMap(port => (port.startsWith('0.0.0.0:') ? [port.split(':').at(-1)] : []));
      const media = [
        ...['50000-50001/udp', '50000-50001/tcp', '20000-20019/udp', '1935'],
        ...['3478/udp', '3478/tcp', '5349/tcp'],
      ];
      expect(containerPorts).toEqual(media);
      const own = readComposeFile({ PUBLISH_TURNS: '203.0.113.8:443' }).services['turn']?.ports;
      expect(own).toContain('203.0.113.8:443:5349/tcp');
    });
  });

  describe('the tls profile', () => {
    const withDomain = readComposeFile({ DOMAIN: 'rtms.example.com', ANNOUNCED_ADDRESS: '203.0.113.7' });

    it('gives the services the address of the domain, and believes Caddy alone', () => {
      const { networks } = withDomain.services['caddy']!;
      for (const name of Object.keys(loaders)) {
        const { PUBLIC_URL, TRUSTED_PROXIES } = withDomain.services[name]?.environment ?? {};
        expect(PUBLIC_URL).toBe('https://rtms.example.com');
        expect(networks).toEqual({ edge: { ipv4_address: TRUSTED_PROXIES } });
      }
      expect(withDomain.services['gateway']?.environment?.['MEDIA_NODE_ADDRESSES']).toBe('rtms.example.com');
      expect(withDomain.services['sfu']?.environment?.['RTC_ANNOUNCED_ADDRESS']).toBe('203.0.113.7');
    });

    it('lets coturn read the certificate that Caddy keeps', () => {
      const { environment, volumes } = withDomain.services['turn']!;
      expect(volumes).toContain('caddy:/caddy:ro');
      expect(withDomain.services['caddy']?.volumes).toContain('caddy:/data');
      // Caddy keeps certificates in caddy/certificates/<host and path of the CA>/<domain>.
      const caddyfile = readFileSync(join(repositoryRoot, 'deploy/caddy/Caddyfile'), 'utf8');
      const [, ca = ''] = /^\tacme_ca https:\/\/(\S+)$/m.exec(caddyfile) ?? [];
      const folder = `/caddy/caddy/certificates/${ca.replaceAll('/', '-')}/rtms.example.com`;
      expect(environment).toMatchObject({
        TURN_CERT_FILE: `${folder}/rtms.example.com.crt`,
        TURN_KEY_FILE: `${folder}/rtms.example.com.key`,
      });
    });
  });

  describe('the turn profile', () => {
    it('shares a secret with the SFU alone', () => {
      expect(names.filter(name => service(name).secrets?.includes('turn_secret'))).toEqual(['sfu', 'turn']);
      expect(service('turn').environment?.['TURN_SECRET_FILE']).toBe(service('sfu').environment?.['TURN_SECRET_FILE']);
      expect(secretText('turn_secret').length).toBeGreaterThan(40);
    });

    it('relays to the announced address of the SFU', () => {
      const { RTC_ANNOUNCED_ADDRESS } = service('sfu').environment ?? {};
      expect(service('turn').environment?.['TURN_PEERS']).toBe(RTC_ANNOUNCED_ADDRESS);
    });

    it('sets only variables that the script of the server reads', () => {
      const script = readFileSync(join(repositoryRoot, 'deploy/base/turn/turnserver.sh'), 'utf8');
      const variables = Object.keys(service('turn').environment ?? {});
      expect(variables.filter(name => !script.includes(`\${${name}:-}`) && !script.includes(`"\${${name}:?`))).toEqual(
        [],
      );
    });
  });
});
