/** Members whose values are secrets, as the API names them; masked ones are no secrets. */
const secretNames = /^(?:token|apiKey|subUserKey|key|secret|password|csrfToken|playbackUrl)$/;
const shortest = 12;

/** Remembers every secret that goes to the services or comes from them, to look for them elsewhere. */
export class SecretKeeper {
  private readonly secrets = new Map<string, string>();

  /** `what` is told when it is found where it does not belong. */
  keep(what: string, secret: string | undefined): string {
    if (secret === undefined || secret.length < shortest) throw new Error(`no secret came as ${what}`);
    this.secrets.set(secret, what);
    return secret;
  }

  /** Each secret within an answer. Answers how many there were. */
  keepAllOf(what: string, body: unknown): number {
    const before = this.secrets.size;
    this.walk(what, body);
    return this.secrets.size - before;
  }

  get size(): number {
    return this.secrets.size;
  }

  /** Names of the secrets that stand in a text, as they are, in base64 or encoded for an address. */
  foundIn(text: string): string[] {
    return [...this.secrets].flatMap(([secret, what]) => {
      const forms = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')];
      return forms.some(form => text.includes(form)) ? [what] : [];
    });
  }

  private walk(path: string, value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      if (typeof member !== 'string') this.walk(`${path}.${name}`, member);
      else if (secretNames.test(name) && member.length >= shortest && !/[*•…]/.test(member))
        this.secrets.set(member, `${path}.${name}`);
    }
  }
}
