import type { RtpCodec } from '../media/rtp-parameters.js';

type Parameters = RtpCodec['parameters'];

/** Six hexadecimal digits that may look like a number. */
const textual = new Set(['profile-level-id']);

/** Reads the parameters of an `a=fmtp` line; those without a value are left out. */
export function parseFmtp(config: string): Parameters {
  const parameters: Parameters = {};
  for (const item of config.split(';')) {
    const [name, value] = splitOnce(item.trim());
    if (!name || value === undefined) continue;
    parameters[name] = /^(?:0|[1-9]\d{0,8})$/.test(value) && !textual.has(name) ? Number(value) : value;
  }
  return parameters;
}

/** The text after the payload type of an `a=fmtp` line; empty without parameters. */
export function formatFmtp(parameters: Parameters): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join(';');
}

/** Values may hold `=` themselves (base64). */
function splitOnce(item: string): [string, string | undefined] {
  const at = item.indexOf('=');
  return at < 0 ? [item, undefined] : [item.slice(0, at).trim().toLowerCase(), item.slice(at + 1).trim()];
}
