import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ignore from '@balena/dockerignore';
import { validate } from 'dockerfile-utils';
import { repositoryRoot } from '../setup/repository.mjs';
import { serviceImages } from './service-images.mjs';

const services = Object.keys(serviceImages);

interface Step {
  instruction: string;
  text: string;
}

interface Stage {
  from: string;
  name: string | undefined;
  steps: Step[];
}

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');
const dockerfileOf = (service: string): string => read(`deploy/docker/${service}.Dockerfile`);

/** Instructions as one line each, without comments. */
const stepsOf = (text: string): Step[] =>
  text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter(line => line !== '')
    .map(line => ({ instruction: line.split(' ', 1).join(), text: line.slice(line.indexOf(' ') + 1) }));

function stagesOf(service: string): Stage[] {
  const stages: Stage[] = [];
  for (const step of stepsOf(dockerfileOf(service))) {
    const [from = '', , name] = step.text.split(/\s+/);
    if (step.instruction === 'FROM') stages.push({ from, name, steps: [] });
    else stages.at(-1)?.steps.push(step);
  }
  return stages;
}

const imageOf = (service: string): Stage => stagesOf(service).at(-1) ?? { from: '', name: undefined, steps: [] };
const textsOf = (stage: Stage, instruction: string): string[] =>
  stage.steps.filter(step => step.instruction === instruction).map(step => step.text);

/** Paths that a COPY takes from the checkout, not from other stages. */
const copiedFromContext = (service: string): string[] =>
  stagesOf(service)
    .flatMap(stage => textsOf(stage, 'COPY'))
    .filter(text => !text.includes('--from='))
    .flatMap(text => text.split(/\s+/).slice(0, -1));

describe.each(services)('the container file of the %s', service => {
  it('has no fault that a linter knows', () => {
    expect(validate(dockerfileOf(service)).map(problem => problem.message)).toEqual([]);
  });

  it('starts from a base whose whole version is written down, in every stage', () => {
    const [, base = ''] = /^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfileOf(service)) ?? [];
    expect(base).toMatch(/^docker\.io\/library\/node:\d+\.\d+\.\d+-[a-z]+-slim(@sha256:[0-9a-f]{64})?$/);
    const own = stagesOf(service).map(stage => stage.name);
    const others = stagesOf(service).filter(stage => !own.includes(stage.from));
    expect(others.map(stage => stage.from)).toEqual(others.map(() => '${NODE_IMAGE}'));
  });

  it('compiles in a stage that is the same for every service', () => {
    expect(stagesOf(service)[0]).toEqual(stagesOf('gateway')[0]);
  });

  it('runs as a user with a number and no rights, from a directory that is not that user’s', () => {
    const image = imageOf(service);
    expect(textsOf(image, 'USER')).toEqual(['10001:10001']);
    expect(image.steps.findLastIndex(step => /^(RUN|COPY|ADD)$/.test(step.instruction))).toBeLessThan(
      image.steps.findIndex(step => step.instruction === 'USER'),
    );
    expect(textsOf(image, 'COPY').join()).not.toContain('--chown');
  });

  it('starts node itself, without a shell that would keep signals', () => {
    const [command = ''] = textsOf(imageOf(service), 'CMD');
    expect(JSON.parse(command)).toEqual(['node', `apps/${service}/dist/main.js`]);
    expect(textsOf(imageOf(service), 'STOPSIGNAL')).toEqual(['SIGTERM']);
    expect(textsOf(imageOf(service), 'ENTRYPOINT')).toEqual([]);
  });

  it('has a health check for readiness', () => {
    const [check = ''] = textsOf(imageOf(service), 'HEALTHCHECK');
    const [, script = ''] = /CMD \["node", "([^"]+)"\]$/.exec(check) ?? [];
    expect(textsOf(imageOf(service), 'COPY')).toContain(`tools/images/health-check.mjs ${script}`);
  });

  it('copies only paths that exist and that .dockerignore admits', () => {
    const ignored = ignore.default().add(read('.dockerignore'));
    const copied = copiedFromContext(service).filter(path => path !== '.');
    expect(copied).not.toEqual([]);
    expect(copied.filter(path => !existsSync(join(repositoryRoot, path)))).toEqual([]);
    expect(copied.filter(path => ignored.ignores(path))).toEqual([]);
  });

  it('takes into the last stage only files of the other stages', () => {
    const copied = textsOf(imageOf(service), 'COPY').map(text => text.split(/\s+/));
    const sources = copied.map(words => (words[0]?.startsWith('--from=') ? words.slice(0, 2).join(' ') : words[0]));
    const worker = service === 'sfu' ? ['--from=worker /usr/local/bin/mediasoup-worker'] : [];
    expect(sources).toEqual([...worker, '--from=image /image', 'tools/images/health-check.mjs']);
  });

  it('names itself, its version and its licence', () => {
    const [labels = ''] = textsOf(imageOf(service), 'LABEL');
    for (const name of ['title', 'description', 'version', 'revision', 'licenses']) {
      expect(labels).toContain(`org.opencontainers.image.${name}=`);
    }
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(textsOf(imageOf(service), 'ARG')).toContain(`VERSION=${version}`);
  });
});

describe('the build context', () => {
  const ignored = ignore.default().add(read('.dockerignore'));

  it.each([
    '.rtms/secrets.json',
    '.git/config',
    '.env',
    'deploy/docker/secrets/secret_key',
    'node_modules/pg/package.json',
    'apps/gateway/node_modules/pg/package.json',
    'apps/gateway/dist/main.js',
    'apps/gateway/.env',
    'tools/images/server.key',
    'coverage/index.html',
    'screenshots/page.png',
    'test/system/main-job.system-spec.ts',
  ])('never has %s', path => {
    expect(ignored.ignores(path)).toBe(true);
  });

  it.each(['package-lock.json', '.npmrc', 'apps/gateway/src/main.ts', 'libs/bus/package.json', 'tsconfig.base.json'])(
    'has %s',
    path => {
      expect(ignored.ignores(path)).toBe(false);
    },
  );
});
