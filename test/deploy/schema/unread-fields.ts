/**
 * Fields of a value that a function never reads. The published validators ignore unknown fields, so they would miss a
 * misspelt one. A field that nobody reads is not in the schema. An object without any read field has a free form.
 */
export function unreadFields(value: object, read: (watched: object) => void): string[] {
  const watch = new FieldWatch();
  read(watch.of(value, ''));
  return watch.unread();
}

class FieldWatch {
  private readonly proxies = new Map<object, object>();
  private readonly watched: { path: string; value: object; reads: Set<string> }[] = [];

  of(value: object, path: string): object {
    const known = this.proxies.get(value);
    if (known) return known;
    const reads = new Set<string>();
    const proxy = new Proxy(value, {
      get: (target, field, receiver) => {
        const found: unknown = Reflect.get(target, field, receiver);
        if (typeof field !== 'string') return found;
        reads.add(field);
        return typeof found === 'object' && found !== null ? this.of(found, `${path}/${field}`) : found;
      },
    });
    this.proxies.set(value, proxy);
    if (!Array.isArray(value)) this.watched.push({ path, value, reads });
    return proxy;
  }

  unread(): string[] {
    return this.watched
      .filter(({ reads }) => reads.size > 0)
      .flatMap(({ path, value, reads }) =>
        Object.keys(value)
          .filter(field => !reads.has(field))
          .map(field => `${path}/${field}`),
      );
  }
}
