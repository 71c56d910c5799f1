/** The environment is not what the service needs; the message lists every mistake, never a value. */
export class ConfigurationError extends Error {
  constructor(readonly mistakes: readonly string[]) {
    super(['The configuration has mistakes:', ...mistakes.map(mistake => `  - ${mistake}`)].join('\n'));
    this.name = 'ConfigurationError';
  }
}
