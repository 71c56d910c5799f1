import { actionPrefix } from './action.decorator.js';

/** What can be asked for at one public path. */
interface PathEntry {
  /** `['v1', 'rooms', ':meetingID']` */
  segments: string[];
  /** Method → its actions; an empty list is an ordinary route. */
  methods: Map<string, string[]>;
}

export interface PathMatch {
  methods: ReadonlyMap<string, readonly string[]>;
}

/** Public paths with their methods and actions, made from what the controllers registered. */
export class ActionTable {
  private readonly entries = new Map<string, PathEntry>();
  private readonly byLength = new Map<number, PathEntry[]>();

  constructor(routes: readonly { method: string; path: string }[]) {
    for (const route of routes) this.add(route);
    const entries = [...this.entries.values()].sort((one, other) => parameters(one) - parameters(other));
    for (const entry of entries) {
      const alike = this.byLength.get(entry.segments.length) ?? [];
      this.byLength.set(entry.segments.length, [...alike, entry]);
    }
  }

  /** Literal segments win over parameters. */
  match(path: string): PathMatch | undefined {
    const segments = split(path);
    return this.byLength.get(segments.length)?.find(entry => fits(entry.segments, segments));
  }

  private add({ method, path }: { method: string; path: string }): void {
    const segments = split(path);
    const action = segments.at(-1)?.startsWith(actionPrefix) ? segments.pop()?.slice(actionPrefix.length) : undefined;
    const key = segments.join('/');
    const entry = this.entries.get(key) ?? { segments, methods: new Map<string, string[]>() };
    const actions = entry.methods.get(method) ?? [];
    entry.methods.set(method, action === undefined ? actions : [...actions, action]);
    this.entries.set(key, entry);
  }
}

function split(path: string): string[] {
  return path.split('/').filter(Boolean);
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return pattern.every((each, index) => each.startsWith(':') || each === segments[index]);
}

function parameters({ segments }: PathEntry): number {
  return segments.filter(each => each.startsWith(':')).length;
}
