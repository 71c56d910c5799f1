import { isDeepStrictEqual } from 'node:util';
import { additions, conditions, fixedVariables, folderOf, texts, values } from './rules.js';

/** Any content of an object. */
export type Content = string | number | boolean | null | Content[] | Mapping;
export interface Mapping {
  [key: string]: Content;
}

/** Content in production and on a single node; undefined: not there. */
export interface Sides<Type = Content> {
  production: Type | undefined;
  single: Type | undefined;
}

/** A value of the chart, with its defaults. */
export interface FoundValue extends Sides {
  value: string;
}

/** Turns one object of both overlays into lines of a template. */
export class TemplateLines {
  readonly found: FoundValue[] = [];
  private readonly unmatched: string[] = [];

  /** `title`: such as `Deployment/sfu:`. */
  constructor(private readonly title: string) {}

  of(sides: Sides<Mapping>): string[] {
    const lines = this.mapping(sides, '', 0);
    if (this.unmatched.length > 0) {
      throw new Error(
        `The overlays differ, and tools/deploy/chart/rules.ts has no condition for it:\n${this.unmatched.join('\n')}`,
      );
    }
    return lines;
  }

  private mapping({ production = {}, single = {} }: Sides<Mapping>, path: string, indent: number): string[] {
    const keys = [...new Set([...Object.keys(production), ...Object.keys(single)])];
    const [, service] =
      path === 'data' ? (/^ConfigMap\/(gateway|sfu|transcoder|ingest)-config:$/.exec(this.title) ?? []) : [];
    const own = service === undefined ? keys : keys.filter(key => fixedVariables.test(key));
    return [
      ...own.flatMap(key => {
        const at = path === '' ? key : `${path}.${key}`;
        return this.entry(key, { production: production[key], single: single[key] }, at, indent);
      }),
      ...(service === undefined ? [] : this.variables(`${service}.config`, { production, single }, indent)),
      ...this.added(path, indent),
    ];
  }

  /** The variables of a service that are values. */
  private variables(value: string, { production = {}, single = {} }: Sides<Mapping>, indent: number): string[] {
    for (const key of Object.keys({ ...production, ...single }).filter(each => !fixedVariables.test(each))) {
      this.found.push({ value: `${value}.${key}`, production: production[key], single: single[key] });
    }
    const line = `${' '.repeat(indent)}{{ $name }}: {{ $value | quote }}`;
    return [`{{- range $name, $value := .Values.${value} }}`, line, '{{- end }}'];
  }

  private entry(key: string, sides: Sides, path: string, indent: number): string[] {
    const { production, single } = sides;
    const before = `${' '.repeat(indent)}${key}:`;
    const value = this.valueAt(path, sides);
    if (production === undefined || single === undefined) {
      return this.choice(sides, path, side => this.entry(key, { production: side, single: side }, path, indent));
    }
    if (value) return [`${before} ${expression(value, production, indent)}`];
    if (this.isOther(production, single, path)) {
      return this.choice(sides, path, side => this.entry(key, { production: side, single: side }, path, indent));
    }
    const lines = this.inner({ production, single }, path, indent);
    return typeof lines === 'string' ? [`${before} ${lines}`] : [before, ...lines];
  }

  /** The lines below a key, or the text beside it. */
  private inner({ production, single }: Required<Sides>, path: string, indent: number): string[] | string {
    if (Array.isArray(production) && Array.isArray(single)) {
      if (production.length + single.length === 0) return '[]';
      return this.list({ production, single }, path, indent);
    }
    if (isMapping(production) && isMapping(single)) {
      if (Object.keys({ ...production, ...single }).length === 0) return '{}';
      return this.mapping({ production, single }, path, indent + 2);
    }
    return this.scalar(production ?? null, path);
  }

  private list({ production = [], single = [] }: Sides<Content[]>, path: string, indent: number): string[] {
    const [one, other] = [keysOf(production), keysOf(single)];
    const find = (items: Content[], keys: readonly string[], key: string): Content | undefined =>
      keys.includes(key) ? items[keys.indexOf(key)] : undefined;
    return [...new Set([...one, ...other])].flatMap(key => {
      const sides = { production: find(production, one, key), single: find(single, other, key) };
      return this.item(sides, `${path}[${key}]`, indent);
    });
  }

  private item(sides: Sides, path: string, indent: number): string[] {
    const { production, single } = sides;
    if (production === undefined || single === undefined) {
      return this.choice(sides, path, side => this.item({ production: side, single: side }, path, indent));
    }
    const before = `${' '.repeat(indent)}- `;
    if (!isMapping(production) || !isMapping(single)) {
      const value = this.valueAt(path, sides);
      return [`${before}${value ? expression(value, production, indent) : this.scalar(production, path)}`];
    }
    const [first = '', ...others] = this.mapping({ production, single }, path, indent + 2);
    return [`${before}${first.trimStart()}`, ...others];
  }

  private choice({ production, single }: Sides, path: string, lines: (side: Content) => string[]): string[] {
    const condition = conditionAt(`${this.title}${path}`);
    if (!condition) {
      this.unmatched.push(`${this.title}${path}`);
      return [];
    }
    const { when, otherwise } = condition;
    const linesOf = (side: Content | undefined): string[] => (side === undefined ? [] : lines(side));
    const [one, other] = [linesOf(production), linesOf(single)];
    if (single === undefined) return [`{{- if ${when} }}`, ...one, '{{- end }}'];
    if (production === undefined) return [`{{- if ${otherwise ?? opposite(when)} }}`, ...other, '{{- end }}'];
    const middle = otherwise === undefined ? '{{- else }}' : `{{- else if ${otherwise} }}`;
    return [`{{- if ${when} }}`, ...one, middle, ...other, '{{- end }}'];
  }

  private added(path: string, indent: number): string[] {
    const lines = additions.filter(({ at }) => at.test(`${this.title}${path}`)).flatMap(each => each.lines);
    const pad = ' '.repeat(indent);
    return lines.map(line => `${line.startsWith('{{') ? '' : pad}${line}`.replace('INDENT', String(indent + 2)));
  }

  private valueAt(path: string, { production, single }: Sides): string | undefined {
    const content = production ?? single;
    const rule = values.find(({ at, is }) => at.test(`${this.title}${path}`) && (is === undefined || is === content));
    if (rule) this.found.push({ value: rule.value, production, single });
    return rule?.value;
  }

  /** Whether the sides cannot be merged, but one of them must be chosen. */
  private isOther(production: Content, single: Content, path: string): boolean {
    if (isDeepStrictEqual(production, single)) return false;
    if (isMapping(production) && isMapping(single)) return false;
    if (Array.isArray(production) && Array.isArray(single)) {
      return [production, single].some(items => items.length > 0 && keysOf(items)[0] === '0');
    }
    return this.scalar(production, path) !== this.scalar(single, path);
  }

  private scalar(content: Content, path: string): string {
    const own = this.ownName(content, path);
    if (own !== undefined) return own;
    if (typeof content !== 'string') return JSON.stringify(content);
    if (this.title.startsWith('ConfigMap/') && content.includes('\n')) {
      const folder = folderOf(this.title.slice('ConfigMap/'.length, -1));
      if (folder !== undefined) return `{{ .Files.Get "files/${folder}/${path.replace(/^data\./, '')}" | toJson }}`;
    }
    const escaped = content.replaceAll(/\{\{|\}\}/g, braces => `{{ "${braces}" }}`);
    const filled = texts.reduce((text, [pattern, by]) => text.replace(new RegExp(pattern, 'g'), by), escaped);
    return filled === content ? quoted(content) : quotedTemplate(filled);
  }

  /** Names that depend on the release. */
  private ownName(content: Content, path: string): string | undefined {
    if (this.title === 'Job/migrate:' && path === 'metadata.name') return 'migrate-{{ .Release.Revision }}';
    if (!/(?:namespace|kubernetes\.io\/metadata\.name)$/.test(path)) return undefined;
    if (content === 'rtms') return '{{ .Release.Namespace }}';
    return content === 'rtms-sfu' ? '{{ .Values.sfu.namespace }}' : undefined;
  }
}

/** Items are recognized by their names, or by their places. */
function keysOf(items: readonly Content[]): string[] {
  const names = items.map(item => (isMapping(item) ? item['name'] : undefined));
  const isNamed = names.every(name => typeof name === 'string') && new Set(names).size === names.length;
  return isNamed ? names : items.map((_item, place) => String(place));
}

function isMapping(content: Content | undefined): content is Mapping {
  return typeof content === 'object' && content !== null && !Array.isArray(content);
}

export function conditionAt(place: string): (typeof conditions)[number] | undefined {
  return conditions.find(({ at }) => at.test(place));
}

export function opposite(when: string): string {
  return when.startsWith('not ') ? when.slice('not '.length) : `not ${when.includes(' ') ? `(${when})` : when}`;
}

function expression(value: string, content: Content, indent: number): string {
  if (typeof content === 'object') return `{{- toYaml .Values.${value} | nindent ${indent + 2} }}`;
  return typeof content === 'string' ? `{{ .Values.${value} | quote }}` : `{{ .Values.${value} }}`;
}

/** A string of YAML, without quotes if these change nothing. */
function quoted(text: string): string {
  const isPlain = /^[A-Za-z/][\w./-]*$/.test(text) && !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}

/** Quotes outside of actions are escaped, those inside are the template's. */
function quotedTemplate(text: string): string {
  const parts = text.split(/(\{\{ "(?:\{\{|\}\})" \}\}|\{\{.*?\}\})/);
  return `"${parts.map(part => (part.startsWith('{{') ? part : JSON.stringify(part).slice(1, -1))).join('')}"`;
}
