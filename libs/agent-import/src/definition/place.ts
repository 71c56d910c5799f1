import { storableText } from '../findings/characters.js';
import { holdsCredential, isCredentialName, pathTo, type Credentials } from '../secrets/credentials.js';
import { withoutIssued, withoutSecrets, type CleanText } from '../secrets/secret-text.js';

/** An object of a definition. Its fields may have any type. */
export type Fields = Readonly<Record<string, unknown>>;

const none: Fields = {};

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Receives reports of texts with credentials. */
export interface CredentialWatch {
  onRemoved(path: string, clean: CleanText): void;
  /** The text repeats a value that may be a credential or a word, and keeps it. */
  onRepeated(path: string): void;
}

/**
 * A value of a definition with its path. All code reads the definition through places. A place never enters a field that holds
 * a credential, and removes credentials from every text.
 */
export class Place {
  private constructor(
    readonly value: unknown,
    readonly path: string,
    private readonly credentials: Credentials,
    private readonly watch: CredentialWatch,
  ) {}

  static root(value: unknown, credentials: Credentials, watch: CredentialWatch): Place {
    return new Place(value, '', credentials, watch);
  }

  get exists(): boolean {
    return isGiven(this.value);
  }

  get fields(): Fields {
    return isFields(this.value) ? this.value : none;
  }

  at(name: string): Place {
    const value = Object.hasOwn(this.fields, name) && !isCredentialName(name) ? this.fields[name] : undefined;
    return this.to(value, pathTo(this.path, name, false));
  }

  /** Items of a list. */
  items(): Place[] {
    const items: unknown[] = Array.isArray(this.value) ? this.value : [];
    return items.map((item, index) => this.to(item, pathTo(this.path, String(index), true)));
  }

  /** The fields that hold no credential. */
  entries(): [string, Place][] {
    return Object.entries(this.fields)
      .filter(([name, value]) => !holdsCredential(name, value))
      .map(([name, value]) => [name, this.to(value, pathTo(this.path, name, false))]);
  }

  has(names: readonly string[]): boolean {
    return names.some(name => this.at(name).exists);
  }

  /** Returns trimmed prose for people or models; '' if the value is not a text. */
  prose(): string {
    const text = this.read(written => withoutSecrets(written, this.credentials.values));
    if ([...this.credentials.doubtful].some(doubtful => text.includes(doubtful))) this.watch.onRepeated(this.path);
    return text;
  }

  /** Returns a name, id or address. Removes only credentials of a known form. */
  label(): string {
    return this.read(withoutIssued);
  }

  /** Returns the names of a list. A single name counts as a list of one. */
  labels(): { text: string; path: string }[] {
    const all = typeof this.value === 'string' ? [this] : this.items();
    return all.map(place => ({ text: place.label(), path: place.path })).filter(({ text }) => text !== '');
  }

  number(): number | undefined {
    return typeof this.value === 'number' && Number.isFinite(this.value) ? this.value : undefined;
  }

  private to(value: unknown, path: string): Place {
    return new Place(value, path, this.credentials, this.watch);
  }

  private read(clean: (text: string) => CleanText): string {
    if (typeof this.value !== 'string') return '';
    const cleaned = clean(storableText(this.value).trim());
    if (cleaned.removals.length > 0) this.watch.onRemoved(this.path, cleaned);
    return cleaned.text;
  }
}
