/** Field names whose values are redacted, down to the depth of the wildcards below. */
const secretNames = [
  'authorization',
  'cookie',
  'token',
  'apiKey',
  'adminToken',
  'secret',
  'secretKey',
  'secureCode',
  'credential',
  'password',
  'signature',
  'privateJwk',
  'privateKey',
  'playbackUrl',
];

export const redactedPaths = secretNames.flatMap(name => [name, `*.${name}`, `*.*.${name}`, `*.*.*.${name}`]);

const redacted = '[redacted]';

/** Patterns of secrets inside text. */
const secretForms: readonly [RegExp, string][] = [
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g, redacted],
  [/\b(Bearer|Basic)\s+[^\s"\\]+/gi, `$1 ${redacted}`],
  [/([?&](?:token|access_token|apiKey|signature)=)[^\s"&\\]+/gi, `$1${redacted}`],
  [/(\/hls\/[\w-]+\/)\d+\/\d+\/[\w-]+\/[\w-]+/g, `$1${redacted}`],
  [/\b(postgres(?:ql)?|nats|tls):\/\/[^\s"/@\\]+@/gi, `$1://${redacted}@`],
];

/** Redacts tokens, signed paths and credentials in URLs of a finished log line. */
export function scrubSecrets(line: string): string {
  return secretForms.reduce((text, [form, replacement]) => text.replace(form, replacement), line);
}
