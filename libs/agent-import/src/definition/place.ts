import { storableText } from '../findings/characters.js';
import { holdsCredential, isCredentialName, pathTo, type Credentials } from '../secrets/credentials.js';
import { withoutIssued, withoutSecrets, type CleanText } from '../secrets/secret-text.js';

/** One object of a definition. Nothing is known of it: each field is read as the type that it should have, or as nothing. */
export type Fields = Readonly<Record<string, unknown>>;

const none: Fields = {};

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Told of texts with credentials. */
export interface CredentialWatch {
  onRemoved(path: string, clean: CleanText): void;
  /** The text repeats a value that may be a credential or a word, and keeps it. */
  onRepeated(path: string): void;
}

/**
 * A value of a definition with the path to it. All else reads the definition through places: they go into no field that holds
 * a credential, and no text leaves them with a credential in it.
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

  /** Prose for people or models, without blanks around it; '' when it is no text. */
  prose(): string {
    const text = this.read(written => withoutSecrets(written, this.credentials.values));
    if ([...this.credentials.doubtful].some(doubtful => text.includes(doubtful))) this.watch.onRepeated(this.path);
    return text;
  }

  /** A name, id or address: only credentials that their form gives away are taken out. */
  label(): string {
    return this.read(withoutIssued);
  }

  /** The names of a list, or the one name in its place. */
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
