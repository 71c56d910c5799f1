/** Member names whose values never reach a log, at any depth that pino's wildcards cover below. */
const secretNames = [
  'authorization',
  'cookie',
  'token',
  'apiKey',
  'adminToken',
  'secret',
  'secretKey',
  'secureCode',
  'password',
  'signature',
  'privateJwk',
  'privateKey',
  'playbackUrl',
];

export const redactedPaths = secretNames.flatMap(name => [name, `*.${name}`, `*.*.${name}`, `*.*.*.${name}`]);

const redacted = '[redacted]';

/** What a secret looks like inside text, where no member name gives it away. */
const secretForms: readonly [RegExp, string][] = [
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g, redacted],
  [/\b(Bearer|Basic)\s+[^\s"\\]+/gi, `$1 ${redacted}`],
  [/([?&](?:token|access_token|apiKey|signature)=)[^\s"&\\]+/gi, `$1${redacted}`],
  [/(\/hls\/[\w-]+\/)\d+\/\d+\/[\w-]+\/[\w-]+/g, `$1${redacted}`],
  [/\b(postgres(?:ql)?|nats|tls):\/\/[^\s"/@\\]+@/gi, `$1://${redacted}@`],
];

/** Takes tokens, signed paths and credentials in URLs out of a finished log line. */
export function scrubSecrets(line: string): string {
  return secretForms.reduce((text, [form, replacement]) => text.replace(form, replacement), line);
}
