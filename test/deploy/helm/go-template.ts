import { createHash } from 'node:crypto';
import { stringify } from 'yaml';
import type { Loose } from '../render.js';

/**
 * The part of Go's templates and of Helm's functions that our chart uses. It throws at anything else, so that no template can
 * depend on what it does not know.
 */
export class GoTemplate {
  private readonly defined = new Map<string, Node[]>();

  constructor(private readonly files: (path: string) => string) {}

  /** Learns the `define`s of a file, and returns its text for the given root. */
  render(source: string, root: Loose): string {
    return this.run(parse(source), { dot: root, root, variables: new Map() });
  }

  private run(nodes: readonly Node[], scope: Scope): string {
    return nodes.map(node => this.text(node, scope)).join('');
  }

  private text(node: Node, scope: Scope): string {
    switch (node.kind) {
      case 'text':
        return node.text;
      case 'action':
        return show(this.evaluate(node.expression, scope));
      case 'define':
        this.defined.set(JSON.parse(node.expression) as string, node.body);
        return '';
      case 'if':
      case 'with': {
        const value = this.evaluate(node.expression, scope);
        if (!isTrue(value)) return this.run(node.otherwise, scope);
        return this.run(node.body, node.kind === 'with' ? { ...scope, dot: value } : scope);
      }
      case 'range':
        return this.repeated(node, scope);
      default:
        return node satisfies never;
    }
  }

  private repeated({ expression, body, otherwise }: Branches, scope: Scope): string {
    const [, key, value, items] = /^(?:\$(\w+), \$(\w+) := )?(.*)$/.exec(expression)!;
    const found = this.evaluate(items!, scope) as object | null | undefined;
    // Go ranges over a map in the order of its keys.
    const entries = Object.entries(found ?? {}).sort(([one], [other]) =>
      Array.isArray(found) ? 0 : one < other ? -1 : 1,
    );
    if (entries.length === 0) return this.run(otherwise, scope);
    return entries
      .map(([name, each]) => {
        const variables = new Map(scope.variables);
        if (key) variables.set(key, name).set(value!, each);
        return this.run(body, { ...scope, dot: each, variables });
      })
      .join('');
  }

  private evaluate(expression: string, scope: Scope): Loose {
    const [first, ...others] = split(expression, '|');
    return others.reduce<Loose>(
      (piped, call) => this.call(split(call, ' '), scope, [piped]),
      this.call(split(first!, ' '), scope, []),
    );
  }

  private call([name, ...words]: string[], scope: Scope, piped: Loose[]): Loose {
    if (name === '.Files.Get') return this.files(this.term(words[0]!, scope));
    const known = functions[name!];
    const values = [...words.map(word => this.term(word, scope)), ...piped];
    if (known) return known(...values);
    if (name === 'include') return this.run(this.named(values[0]), { ...scope, dot: values[1] });
    if (values.length > 0) throw new Error(`The renderer of the tests does not know ${name!}`);
    return this.term(name!, scope);
  }

  private named(name: string): Node[] {
    const body = this.defined.get(name);
    if (!body) throw new Error(`There is no template ${name}`);
    return body;
  }

  private term(word: string, scope: Scope): Loose {
    if (word.startsWith('(')) return this.evaluate(word.slice(1, -1), scope);
    if (word === '.') return scope.dot;
    if (word.startsWith('$.')) return at(scope.root, word.slice(2));
    if (word.startsWith('$')) return scope.variables.get(word.slice(1));
    if (word.startsWith('.')) return at(scope.dot, word.slice(1));
    return JSON.parse(word);
  }
}

interface Scope {
  dot: Loose;
  root: Loose;
  variables: ReadonlyMap<string, Loose>;
}

type Node = { kind: 'text'; text: string } | { kind: 'action'; expression: string } | ({ kind: Block } & Branches);

type Block = 'if' | 'with' | 'range' | 'define';

interface Branches {
  expression: string;
  body: Node[];
  otherwise: Node[];
}

const functions: Readonly<Record<string, (...values: Loose[]) => Loose>> = {
  eq: (one, other) => one === other,
  not: value => !isTrue(value),
  default: (fallback, value) => (isTrue(value) ? value : fallback),
  quote: value => (value === undefined || value === null ? '' : JSON.stringify(String(value))),
  list: (...values) => values,
  toJson: value => JSON.stringify(value),
  toYaml: value => stringify(value).trimEnd(),
  nindent: (columns, text) => `\n${text}`.replaceAll('\n', `\n${' '.repeat(columns)}`),
  sha256sum: text => createHash('sha256').update(text).digest('hex'),
};

function parse(source: string): Node[] {
  const root: Node[] = [];
  const open: Open[] = [{ body: root }];
  let trimNext = false;
  const addText = (text: string): void => void open.at(-1)!.body.push({ kind: 'text', text });
  let from = 0;
  for (const match of source.matchAll(/\{\{(-?)\s*(\/\*[\s\S]*?\*\/|(?:"(?:[^"\\]|\\.)*"|[^"])*?)\s*(-?)\}\}/g)) {
    const before = source.slice(from, match.index);
    const text = trimNext ? before.trimStart() : before;
    addText(match[1] ? text.trimEnd() : text);
    trimNext = match[3] !== '';
    from = match.index + match[0].length;
    act(match[2]!, open);
  }
  addText(trimNext ? source.slice(from).trimStart() : source.slice(from));
  if (open.length > 1) throw new Error('An action has no end');
  return root;
}

interface Open {
  body: Node[];
  node?: Branches;
  /** An `else if`, which ends with its `if`. */
  chained?: boolean;
}

function act(action: string, open: Open[]): void {
  const [, word = '', rest = ''] = /^(\w*)\s*(.*)$/s.exec(action)!;
  if (action.startsWith('/*')) return;
  if (word === 'end') return end(open);
  if (word === 'else') return turn(rest, open);
  const into = open.at(-1)!.body;
  if (isBlock(word)) begin(word, rest, open, { into, chained: false });
  else into.push({ kind: 'action', expression: action });
}

const isBlock = (word: string): word is Block => ['if', 'with', 'range', 'define'].includes(word);

function end(open: Open[]): void {
  while (open.pop()?.chained);
  if (open.length === 0) throw new Error('An end has no beginning');
}

function turn(rest: string, open: Open[]): void {
  const current = open.at(-1)!;
  if (!current.node) throw new Error('An else has no beginning');
  const into = current.node.otherwise;
  if (rest === '') open[open.length - 1] = { ...current, body: into };
  else begin('if', rest.replace(/^if /, ''), open, { into, chained: true });
}

function begin(
  kind: Block,
  expression: string,
  open: Open[],
  { into, chained }: { into: Node[]; chained: boolean },
): void {
  const node = { kind, expression, body: [], otherwise: [] };
  into.push(node);
  open.push({ body: node.body, node, chained });
}

/** Splits outside of quotes and brackets. */
function split(text: string, by: string): string[] {
  const parts: string[] = [''];
  let depth = 0;
  for (const piece of text.match(/"(?:[^"\\]|\\.)*"|[\s\S]/g) ?? []) {
    if (piece === '(') depth += 1;
    if (piece === ')') depth -= 1;
    if (piece === by && depth === 0) parts.push('');
    else parts.push(`${parts.pop() ?? ''}${piece}`);
  }
  return parts.map(part => part.trim()).filter(part => part !== '');
}

function at(value: Loose, path: string): Loose {
  return path.split('.').reduce<Loose>((found, key) => {
    if (found === undefined || found === null) throw new Error(`nil pointer: .${path}`);
    return found[key];
  }, value);
}

function isTrue(value: Loose): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

function show(value: Loose): string {
  return value === undefined || value === null ? '' : String(value);
}
