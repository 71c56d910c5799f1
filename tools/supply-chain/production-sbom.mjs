import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../setup/repository.mjs';

/** @typedef {{ 'bom-ref': string, name: string, version: string, properties?: { name: string, value: string }[] }} Component */
/** @typedef {{ ref: string, dependsOn?: string[] }} Dependency */
/** @typedef {{ metadata: { component: Component }, components: Component[], dependencies: Dependency[] }} Sbom */

/** @returns {Sbom} the production packages of the lock file, installed or not, as a CycloneDX document */
export function productionSbom() {
  const wanted = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
  const document = JSON.parse(
    execFileSync('npm', ['sbom', '--package-lock-only', ...wanted], {
      cwd: repositoryRoot,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 64 * 1024 * 1024,
    }),
  );
  // `--omit dev` omits too much: also packages that production and development share.
  /** @param {Component} component */
  const isInstalled = ({ properties = [] }) =>
    !properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');
  // npm takes the folder's name.
  document.metadata.component.name = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')).name;
  return withOnly(document, document.components.filter(isInstalled));
}

/**
 * The part of a document that some packages need. npm lists optional peers as needed; `npm install` leaves them out.
 * @param {Sbom} document
 * @param {string} name of the part
 * @param {Record<string, string>} packages name → version
 */
export function partOf(document, name, packages) {
  const { packages: paths } = JSON.parse(readFileSync(join(repositoryRoot, 'package-lock.json'), 'utf8'));
  const locked = new Map(
    Object.entries(paths).map(([path, entry]) => [`${path.split('node_modules/').at(-1)}@${entry.version}`, entry]),
  );
  const byRef = new Map(document.components.map(component => [component['bom-ref'], component]));
  const dependsOn = new Map(document.dependencies.map(each => [each.ref, each.dependsOn ?? []]));
  /** @param {string} ref */
  const neededBy = ref => {
    const component = byRef.get(ref);
    const { dependencies = {}, peerDependenciesMeta = {} } =
      (component && locked.get(`${fullName(component)}@${component.version}`)) ?? {};
    const isLeftOut = (/** @type {string} */ each) => peerDependenciesMeta[each]?.optional && !(each in dependencies);
    return (dependsOn.get(ref) ?? []).filter(each => {
      const needed = byRef.get(each);
      return needed === undefined || !isLeftOut(fullName(needed));
    });
  };
  /** @type {Set<string>} */
  const reached = new Set();
  const open = Object.entries(packages).map(([each, version]) => {
    const found = document.components.find(component => fullName(component) === each && component.version === version);
    if (!found) throw new Error(`package-lock.json has no ${each}@${version} for production`);
    return found['bom-ref'];
  });
  for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
    if (reached.has(ref)) continue;
    reached.add(ref);
    open.push(...neededBy(ref));
  }
  const own = { ...document.metadata.component, name };
  const part = { ...document, metadata: { ...document.metadata, component: own } };
  return withOnly(
    part,
    document.components.filter(component => reached.has(component['bom-ref'])),
  );
}

/** npm writes a scope into the name, or beside it. @param {Component & { group?: string }} component */
const fullName = ({ group, name }) => (group && !name.startsWith('@') ? `${group}/${name}` : name);

/** @param {Sbom} document @param {Component[]} components @returns {Sbom} */
function withOnly(document, components) {
  const refs = new Set([document.metadata.component, ...components].map(each => each['bom-ref']));
  const dependencies = document.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(each => refs.has(each)) }));
  return { ...document, components, dependencies };
}
