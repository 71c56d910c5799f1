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

/** A shorter secret may be a part of a usual word. */
const longSecret = 8;

/** Redacts known secrets in text of another program. A secret of fewer than 8 characters is redacted only as a whole word. */
export function withoutSecrets(text: string, secrets: readonly (string | undefined)[]): string {
  return secrets.reduce<string>((shown, secret) => {
    if (secret === undefined || secret === '') return shown;
    if (secret.length >= longSecret) return shown.replaceAll(secret, redacted);
    const literal = secret.replaceAll(/[\^$\\.*+?()[\]{}|/]/g, String.raw`\$&`);
    return shown.replaceAll(new RegExp(String.raw`(?<![\p{L}\p{N}])${literal}(?![\p{L}\p{N}])`, 'gu'), redacted);
  }, text);
}
