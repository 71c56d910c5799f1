import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { loadConfig, type Environment } from '@rtms/config';
import { loadGatewayConfig } from '../../apps/gateway/src/gateway.config.js';
import { sfuConfigSchema } from '../../apps/sfu/src/sfu.config.js';
import { ingestConfigSchema } from '../../apps/ingest/src/ingest.config.js';
import { transcoderConfigSchema } from '../../apps/transcoder/src/transcoder.config.js';
import { repository } from './render.js';

const folder = `${repository}deploy/systemd`;
const root = mkdtempSync(join(tmpdir(), 'rtms-test-systemd-'));
const loaders: Record<string, (env: Environment) => unknown> = {
  gateway: loadGatewayConfig,
  sfu: env => loadConfig(sfuConfigSchema, env),
  transcoder: env => loadConfig(transcoderConfigSchema, env),
  ingest: env => loadConfig(ingestConfigSchema, env),
};
const names = Object.keys(loaders);
const units = readdirSync(folder).filter(name => name.endsWith('.service'));

function install(directory: string, ...options: string[]): string {
  return execFileSync('sh', [`${folder}/install.sh`, ...options], {
    env: { ...process.env, ROOT: directory },
    encoding: 'utf8',
    stdio: 'pipe',
  });
}

const settingsOf = (name: string): Record<string, string | undefined> =>
  parseEnv(readFileSync(join(root, `etc/rtms/${name}.env`), 'utf8'));

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter(path => statSync(join(directory, path)).isFile())
    .sort();
}

/** The directives of a unit; a repeated one has its last value. */
function directivesOf(unit: string): Record<string, string> {
  const lines = readFileSync(`${folder}/${unit}`, 'utf8').matchAll(/^(\w+)=(.*)$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, value]));
}

describe('systemd', () => {
  beforeAll(() => install(root, '--address', '203.0.113.7', '--url', 'https://rtms.example.com'));
  afterAll(() => rmSync(root, { recursive: true }));

  describe('deploy/systemd/install.sh', () => {
    it('writes settings that each service accepts', () => {
      for (const name of names) expect(() => loaders[name]!(settingsOf(name))).not.toThrow();
      const { PUBLIC_URL, RTC_ANNOUNCED_ADDRESS, HOST } = settingsOf('sfu');
      expect({ PUBLIC_URL, RTC_ANNOUNCED_ADDRESS, HOST }).toEqual({
        PUBLIC_URL: 'https://rtms.example.com',
        RTC_ANNOUNCED_ADDRESS: '203.0.113.7',
        HOST: '127.0.0.1',
      });
    });

    it('gives NATS and PostgreSQL the passwords of the services', () => {
      for (const name of names)
        expect(settingsOf(name)['NATS_PASSWORD']).toBe(settingsOf('nats')[`NATS_${name.toUpperCase()}_PASSWORD`]);
      const { DATABASE_URL, DATABASE_OWNER_URL = '', OWNER_PASSWORD } = settingsOf('migrate');
      expect(settingsOf('gateway')['DATABASE_URL']).toBe(DATABASE_URL);
      expect(new URL(DATABASE_OWNER_URL).password).toBe(OWNER_PASSWORD);
    });

    it('lets only root read secrets', () => {
      const files = filesBelow(root);
      const open = files.filter(path => (statSync(join(root, path)).mode & 0o077) !== 0);
      expect(files.filter(path => path.endsWith('.env'))).toHaveLength(6);
      expect(open.filter(path => path.endsWith('.env'))).toEqual([]);
      const secrets = /=(p[0-9a-f]{48})$/gm;
      const values = files.flatMap(path =>
        [...readFileSync(join(root, path), 'utf8').matchAll(secrets)].map(([, value]) => value!),
      );
      expect(values.length).toBeGreaterThan(5);
      const leaks = open.filter(path => values.some(value => readFileSync(join(root, path), 'utf8').includes(value)));
      expect(leaks).toEqual([]);
    });

    it('changes nothing when it runs again', () => {
      const contents = (): [string, string][] =>
        filesBelow(root).map(path => [path, readFileSync(join(root, path), 'utf8')]);
      const before = contents();
      expect(install(root, '--address', '203.0.113.7')).toContain('keep    /etc/rtms/sfu.env');
      expect(contents()).toEqual(before);
    });

    it('prints each action of a dry run and no secret, and writes nothing', () => {
      const empty = mkdtempSync(join(tmpdir(), 'rtms-test-systemd-'));
      const printed = install(empty, '--dry-run');
      expect(readdirSync(empty)).toEqual([]);
      rmSync(empty, { recursive: true });
      for (const unit of units) expect(printed).toContain(`write   /etc/systemd/system/${unit} (644)`);
      expect(printed).toContain('run     systemctl daemon-reload');
      expect(printed).not.toMatch(/p[0-9a-f]{48}|postgresql:/);
    });

    it.each([
      ['--port', '80'],
      ['--address', '$(reboot)'],
      ['--url', 'ftp://rtms.example.com'],
    ])('refuses %s %s', (option, value) => {
      expect(() => install(root, option, value)).toThrow(/exit|Command failed/);
    });
  });

  describe.each(units)('%s', unit => {
    const name = /^rtms-(\w+)\.service$/.exec(unit)![1]!;
    const directives = directivesOf(unit);

    it('runs a program of the build with the settings that install.sh writes', () => {
      const [, script = ''] = /^\/usr\/bin\/env node (\S+)$/.exec(directives['ExecStart'] ?? '') ?? [];
      expect(existsSync(`${repository}${script.replace('/dist/', '/src/').replace(/\.js$/, '.ts')}`)).toBe(true);
      expect(directives['EnvironmentFile']).toBe(`/etc/rtms/${name}.env`);
      expect(existsSync(join(root, `etc/rtms/${name}.env`))).toBe(true);
    });

    it('has a user of its own and no way to more rights', () => {
      expect(directives).toMatchObject({
        User: 'rtms',
        NoNewPrivileges: 'true',
        CapabilityBoundingSet: '',
        ProtectSystem: 'strict',
        ProtectHome: 'true',
        PrivateTmp: 'true',
        PrivateDevices: 'true',
        SystemCallFilter: '@system-service',
      });
    });

    it('is understood by systemd, which rates its exposure below 3 of 10', () => {
      if (spawnSync('systemd-analyze', ['--version']).error) return;
      const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' });
      const { status, stderr } = analyze('verify', ...units.map(each => `${folder}/${each}`));
      expect([status, stderr]).toEqual([0, '']);
      const rated = analyze('security', '--offline=true', '--no-pager', '--threshold=30', `${folder}/${unit}`);
      expect([rated.status, rated.stdout.split('\n').at(-2)]).toEqual([0, expect.stringContaining('Overall exposure')]);
    });

    if (names.includes(name))
      it('leaves more time to stop than a drain takes', () => {
        const { drainSeconds } = loaders[name]!(settingsOf(name)) as { drainSeconds?: number };
        expect(Number(directives['TimeoutStopSec'])).toBeGreaterThanOrEqual((drainSeconds ?? 5) + 25);
      });
  });

  it('starts NATS with the configuration that install.sh writes', () => {
    const { status, stderr } = spawnSync('nats-server', ['-t', '-c', join(root, 'etc/rtms/nats/nats-server.conf')], {
      env: { ...process.env, ...settingsOf('nats') },
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, expect.stringContaining('is valid')]);
  });
});
