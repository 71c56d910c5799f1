/** Members whose values are secrets, as the API names them; masked ones are no secrets. */
const secretNames = /^(?:token|apiKey|subUserKey|key|secret|password|csrfToken|playbackUrl)$/;
const shortest = 12;

/** Remembers every secret that services send or receive, to search other places for it. */
export class SecretKeeper {
  private readonly secrets = new Map<string, string>();

  /** `what` names the secret when the test finds it in a wrong place. */
  keep(what: string, secret: string | undefined): string {
    if (secret === undefined || secret.length < shortest) throw new Error(`no secret came as ${what}`);
    this.secrets.set(secret, what);
    return secret;
  }

  /** Remembers each secret of an answer. Returns their number. */
  keepAllOf(what: string, body: unknown): number {
    const before = this.secrets.size;
    this.walk(what, body);
    return this.secrets.size - before;
  }

  get size(): number {
    return this.secrets.size;
  }

  /** Names of the secrets that a text contains: plain, in base64 or URL-encoded. */
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
