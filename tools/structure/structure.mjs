import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

/** @typedef {{ path: string, text: string }} SourceFile `path` is relative to the repository, with slashes. */

/**
 * Describes one file.
 *
 * @param {SourceFile} file
 * @returns {{ lines: number, functions: number[], isOneFunction: boolean, hasModule: boolean, imports: string[] }} `functions` has the
 *   lines of each function with a body; `isOneFunction`: the file declares one function and no class; `imports` has the paths of the
 *   project that the file imports, types included, without their ending.
 */
export function describeFile({ path, text }) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  /** @type {number[]} */
  const functions = [];
  let hasModule = false;
  /** @param {ts.Node} node */
  const visit = node => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) functions.push(linesOf(source, node));
    if (ts.isDecorator(node) && /^@Module\(/.test(node.getText(source))) hasModule = true;
    ts.forEachChild(node, visit);
  };
  visit(source);
  const declared = source.statements.filter(each => ts.isFunctionDeclaration(each)).length;
  const isOneFunction = declared === 1 && !source.statements.some(each => ts.isClassDeclaration(each));
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return { lines, functions, isOneFunction, hasModule, imports: importsOf(path, source) };
}

/** @param {ts.SourceFile} source @param {ts.Node} node */
function linesOf(source, node) {
  const line = (/** @type {number} */ position) => source.getLineAndCharacterOfPosition(position).line;
  return line(node.getEnd()) - line(node.getStart(source)) + 1;
}

/** @param {string} path @param {ts.SourceFile} source */
function importsOf(path, source) {
  return source.statements.flatMap(statement => {
    const from =
      ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement) ? statement.moduleSpecifier : undefined;
    if (!from || !ts.isStringLiteral(from)) return [];
    if (from.text.startsWith('.')) return [normalize(join(dirname(path), from.text)).replace(/\.jsx?$/, '')];
    const lib = /^@rtms\/([a-z-]+)$/.exec(from.text)?.[1];
    return lib ? [`libs/${lib}/src/index`] : [];
  });
}

/**
 * Finds the groups of folders that import each other, directly or through others.
 *
 * @param {Iterable<readonly [from: string, to: string]>} edges between folders
 * @returns {string[][]} the largest group first
 */
export function folderCycles(edges) {
  /** @type {Map<string, Set<string>>} */
  const targets = new Map();
  for (const [from, to] of edges) {
    if (from === to) continue;
    targets.set(from, (targets.get(from) ?? new Set()).add(to));
  }
  /** @param {string} start */
  const reachable = start => {
    const found = new Set([start]);
    for (const folder of found) for (const next of targets.get(folder) ?? []) found.add(next);
    return found;
  };
  const reach = new Map([...targets.keys()].map(folder => [folder, reachable(folder)]));
  /** @type {string[][]} */
  const groups = [];
  const grouped = new Set();
  for (const [folder, others] of reach) {
    if (grouped.has(folder)) continue;
    const group = [...others].filter(other => reach.get(other)?.has(folder));
    for (const each of group) grouped.add(each);
    if (group.length > 1) groups.push(group.toSorted());
  }
  return groups.toSorted((one, other) => other.length - one.length);
}

/** @param {readonly number[]} values @returns {string} `median/90 %/largest` */
export function spread(values) {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (/** @type {number} */ share) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return `${at(0.5)}/${at(0.9)}/${at(1)}`;
}
