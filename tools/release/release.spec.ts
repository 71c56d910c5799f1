/** @seconds 11 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { repositoryRoot } from '../setup/repository.mjs';
import { obstacles, packChart } from './artifacts.mjs';
import { buildCommands, findBuilder, type Run } from './images.mjs';
import { publishedLibs } from './packages.mjs';

const folder = mkdtempSync(join(tmpdir(), 'rtms-release-'));
const out = join(folder, 'release');
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const read = (file: string): string => readFileSync(join(out, file), 'utf8');
const filesIn = (archive: string): string[] =>
  execFileSync('tar', ['-tzf', join(out, archive)], { encoding: 'utf8' })
    .trim()
    .split('\n');

describe('a release', () => {
  afterAll(() => rmSync(folder, { recursive: true }));

  describe('npm run release', () => {
    beforeAll(() => {
      execFileSync(process.execPath, ['tools/release/release.mjs', '--out', out, '--no-images', '--no-site'], {
        stdio: 'pipe',
      });
    });

    it('makes the chart, the manifests, the libraries, the OpenAPI document, a list of packages for each image, and checksums', () => {
      const libs = publishedLibs(repositoryRoot);
      expect(libs).toEqual(expect.arrayContaining(['agent-import', 'client', 'server']));
      const files = [
        'SHA256SUMS',
        `rtms-${version}.tgz`,
        'rtms-gateway.cdx.json',
        'rtms-ingest.cdx.json',
        `rtms-kustomize-${version}.tgz`,
        `rtms-openapi-${version}.json`,
        'rtms-sfu.cdx.json',
        'rtms-transcoder.cdx.json',
        ...libs.map(lib => `rtms-${lib}-${version}.tgz`),
      ];
      expect(readdirSync(out).sort()).toEqual(files.sort());
    });

    it('gives each file its checksum', () => {
      const lines = read('SHA256SUMS').trim().split('\n');
      const sums = Object.fromEntries(lines.map(line => line.split('  ').reverse() as [string, string]));
      expect(Object.keys(sums)).toEqual(readdirSync(out).filter(file => file !== 'SHA256SUMS'));
      for (const [file, sum] of Object.entries(sums)) {
        expect([
          file,
          createHash('sha256')
            .update(readFileSync(join(out, file)))
            .digest('hex'),
        ]).toEqual([file, sum]);
      }
    });

    it('packs a chart that needs no file beside it', () => {
      const files = filesIn(`rtms-${version}.tgz`);
      expect(files).toEqual(expect.arrayContaining(['rtms/Chart.yaml', 'rtms/values.yaml', 'rtms/values.schema.json']));
      const unpacked = join(folder, 'chart');
      mkdirSync(unpacked);
      execFileSync('tar', ['-xzf', join(out, `rtms-${version}.tgz`), '-C', unpacked]);
      const templates = files.filter(file => /templates\/.+\.yaml$/.test(file));
      const wanted = templates.flatMap(file =>
        [...readFileSync(join(unpacked, file), 'utf8').matchAll(/\.Files\.Get "([^"]+)"/g)].map(([, path]) => path!),
      );
      expect(wanted.length).toBeGreaterThan(5);
      for (const path of wanted) expect(readFileSync(join(unpacked, 'rtms', path), 'utf8')).not.toBe('');
    });

    it('packs the same bytes again', () => {
      const again = join(folder, 'again');
      mkdirSync(again);
      const file = packChart(repositoryRoot, again);
      expect(readFileSync(join(again, file)).equals(readFileSync(join(out, file)))).toBe(true);
    });

    it('packs manifests that Kustomize renders elsewhere', () => {
      const unpacked = join(folder, 'manifests');
      mkdirSync(unpacked);
      execFileSync('tar', ['-xzf', join(out, `rtms-kustomize-${version}.tgz`), '-C', unpacked]);
      const { status } = spawnSync(process.env['KUBECTL'] ?? 'kubectl', [
        'kustomize',
        join(unpacked, 'deploy/overlays/production'),
      ]);
      expect(status).toBe(0);
      expect(filesIn(`rtms-kustomize-${version}.tgz`).some(file => file.includes('secrets/'))).toBe(true);
      expect(filesIn(`rtms-kustomize-${version}.tgz`).filter(file => file.includes('docker'))).toEqual([]);
    });

    it('lists the packages of each image and no others', () => {
      const names = (service: string): string[] =>
        (JSON.parse(read(`rtms-${service}.cdx.json`)) as { components: { purl: string }[] }).components.map(
          ({ purl }) => decodeURIComponent(purl).replace(/^pkg:npm\/(.+)@.*$/, '$1'),
        );
      expect(names('sfu')).toEqual(expect.arrayContaining(['mediasoup', 'pino', '@nestjs/core']));
      expect(names('gateway')).toEqual(expect.arrayContaining(['typeorm', 'pg', 'socket.io']));
      expect(names('transcoder')).not.toContain('mediasoup');
      expect(names('gateway')).not.toContain('mediasoup');
      expect(names('sfu')).not.toContain('typeorm');
    });
  });

  describe('a version', () => {
    const chart = 'version: 1.2.3\nappVersion: 1.2.3\n';

    it.each([
      ['is released with its section and its chart', '## 1.2.3 – 2026-11-23\n', chart, []],
      ['needs a section in the changelog', '## Unreleased\n', chart, [/CHANGELOG.md has no section/]],
      ['needs a date', '## 1.2.3\n', chart, [/CHANGELOG.md has no section/]],
      ['needs the chart of this version', '## 1.2.3 – 2026-11-23\n', 'version: 1.2.2\n', [/Chart.yaml/]],
    ])('%s', (_name, changelog, chartFile, expected) => {
      const found = obstacles('1.2.3', { changelog, chart: chartFile });
      expect(found).toEqual(expected.map(pattern => expect.stringMatching(pattern)));
    });

    it('of the repository has no obstacle', () => {
      const [changelog, chartFile] = ['CHANGELOG.md', 'deploy/helm/rtms/Chart.yaml'].map(file =>
        readFileSync(file, 'utf8'),
      );
      expect(obstacles(version, { changelog: changelog!, chart: chartFile! })).toEqual([]);
    });
  });

  describe('the builder of images', () => {
    const machine =
      (platforms: string | undefined, engine = 0): Run =>
      (_program, words) =>
        words[0] === 'version'
          ? { code: engine, output: '' }
          : { code: platforms === undefined ? 1 : 0, output: `Platforms: ${platforms ?? ''}\n` };

    it.each([
      ['builds for both processors', machine('linux/amd64, linux/arm64, linux/386'), ['linux/amd64', 'linux/arm64']],
      ['builds for its own processor without emulation', machine('linux/arm64'), ['linux/arm64']],
    ])('%s', (_name, run, platforms) => {
      expect(findBuilder(run)).toEqual({ platforms });
    });

    it.each([
      ['no engine runs', machine('linux/amd64', 1)],
      ['Docker has no buildx', machine(undefined)],
    ])('is missing if %s', (_name, run) => {
      expect(findBuilder(run)).toBeUndefined();
    });

    const release = {
      version,
      revision: 'abc',
      registry: 'ghcr.io/acme',
      platforms: ['linux/amd64', 'linux/arm64'],
      out,
    };

    it('pushes each image for all platforms, with its SBOM and provenance', () => {
      const commands = buildCommands({ ...release, push: true });
      expect(commands.map(({ service }) => service)).toEqual(['gateway', 'sfu', 'transcoder', 'ingest']);
      for (const { service, words } of commands) {
        const text = words.join(' ');
        expect(text).toContain(`--tag ghcr.io/acme/rtms-${service}:${version} `);
        expect(text).toContain('--platform linux/amd64,linux/arm64 ');
        expect(text).toMatch(/--sbom=true --provenance=mode=max --push \.$/);
        expect(readFileSync(`deploy/docker/${service}.Dockerfile`, 'utf8')).toContain('ARG VERSION');
      }
    });

    it('writes archives without a registry', () => {
      const { words } = buildCommands({ ...release, push: false })[0]!;
      expect(words.join(' ')).toContain(`--output type=oci,dest=${out}/rtms-gateway.oci.tar .`);
      expect(words).not.toContain('--push');
    });
  });

  describe('.github/workflows/release.yml', () => {
    const step = z.union([
      z.strictObject({
        uses: z.string().regex(/^[\w-]+\/[\w-]+@v\d+$/),
        with: z.record(z.string(), z.any()).optional(),
      }),
      z.strictObject({
        name: z.string().optional(),
        run: z.string(),
        env: z.record(z.string(), z.string()).optional(),
      }),
    ]);
    const schema = z.strictObject({
      name: z.string(),
      on: z.strictObject({ push: z.strictObject({ tags: z.array(z.string()) }) }),
      concurrency: z.string(),
      permissions: z.record(z.enum(['contents', 'packages', 'id-token']), z.enum(['read', 'write'])),
      env: z.record(z.string(), z.string()),
      jobs: z.record(
        z.string(),
        z.strictObject({ 'runs-on': z.string(), 'timeout-minutes': z.number(), steps: z.array(step) }),
      ),
    });
    const workflow = schema.parse(parse(readFileSync('.github/workflows/release.yml', 'utf8')));
    const scripts = workflow.jobs['release']!.steps.flatMap(each => ('run' in each ? each.run : []));

    it('runs only scripts that bash and package.json know', () => {
      const { scripts: known } = JSON.parse(readFileSync('package.json', 'utf8')) as {
        scripts: Record<string, string>;
      };
      for (const script of scripts) {
        const { status, stderr } = spawnSync('bash', ['-n'], { input: script.replaceAll(/\$\{\{.*?\}\}/g, 'x') });
        expect([script, status, String(stderr)]).toEqual([script, 0, '']);
        for (const [, name] of script.matchAll(/npm run ([\w:-]+)/g)) expect(known).toHaveProperty([name!]);
      }
    });

    it('signs each image by its digest, after it was pushed', () => {
      const [push, sign] = ['--push', 'cosign sign'].map(text => scripts.findIndex(script => script.includes(text)));
      expect(push).toBeGreaterThan(-1);
      expect(sign).toBeGreaterThan(push!);
      expect(scripts[sign!]).toMatch(/for service in gateway sfu transcoder ingest;[^]*@\$\(jq -er/);
    });

    it('writes no secret into a script', () => {
      for (const script of scripts) expect(script).not.toContain('secrets.');
    });
  });
});
