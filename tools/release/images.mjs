import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceImages } from '../images/service-images.mjs';

/** @typedef {{ code: number | null, output: string }} Ended */
/** @typedef {(program: string, words: string[]) => Ended} Run */

/** @type {Run} */
export const runQuietly = (program, words) => {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' });
  return { code: status, output: `${stdout ?? ''}${stderr ?? ''}` };
};

const wantedPlatforms = ['linux/amd64', 'linux/arm64'];

/**
 * The builder of this machine: BuildKit by Docker, with the platforms that it can build, or undefined.
 * @param {Run} run
 */
export function findBuilder(run = runQuietly) {
  if (run('docker', ['version']).code !== 0) return undefined;
  const { code, output } = run('docker', ['buildx', 'inspect', '--bootstrap']);
  if (code !== 0) return undefined;
  const platforms = wantedPlatforms.filter(platform => new RegExp(`Platforms:.*${platform}\\b`).test(output));
  return platforms.length > 0 ? { platforms } : undefined;
}

/**
 * The commands that build the images. With `push` they go to the registry, each with its SBOM and provenance; otherwise into files
 * of the OCI layout.
 * @param {{ version: string, revision: string, registry: string, platforms: string[], push: boolean, out: string }} release
 */
export function buildCommands({ version, revision, registry, platforms, push, out }) {
  return Object.keys(serviceImages).map(service => {
    const file = join(out, `rtms-${service}.oci.tar`);
    const digests = join(out, `rtms-${service}.metadata.json`);
    return {
      service,
      digests,
      words: [
        ...['buildx', 'build', '--file', `deploy/docker/${service}.Dockerfile`, '--platform', platforms.join(',')],
        ...['--build-arg', `VERSION=${version}`, '--build-arg', `REVISION=${revision}`],
        ...['--tag', `${registry}/rtms-${service}:${version}`, '--metadata-file', digests],
        ...(push ? ['--sbom=true', '--provenance=mode=max', '--push'] : ['--output', `type=oci,dest=${file}`]),
        '.',
      ],
    };
  });
}

/** The digest that the builder wrote down. @param {string} file */
export const digestIn = file => /** @type {string} */ (JSON.parse(readFileSync(file, 'utf8'))['containerimage.digest']);
