/** CMCD: data that players send with their requests (CTA-5004 section 3). */
import type { IncomingHttpHeaders } from 'node:http';

/** The keys that tell the quality of a viewer's playback. */
export interface ClientData {
  /** `sid`, a random identifier of the player's session. */
  sessionID: string;
  /** `ot` is an audio object. A player that runs out of media may say so with its audio, too. */
  isAudio: boolean;
  /** `su`: the player fills its buffer after its start, a seek or a stall. */
  isFilling: boolean;
  /** `bs`: the player ran out of media since its last request. */
  hasStalled: boolean;
  /** `bl`: media in the buffer. */
  bufferMs?: number;
  /** `br` in bits per second. */
  bitrate?: number;
  /** `mtp` in bits per second. */
  throughput?: number;
}

/** Names under which the data may come as headers. */
export const clientDataHeaders = ['cmcd-object', 'cmcd-request', 'cmcd-session', 'cmcd-status'];
const longest = 2_000;
/** Of a `sid`, as CTA-5004 says. */
const longestSession = 64;

/** A list of `key`, `key=token` and `key="text"`. Each character is read at most three times. */
const entry = /([A-Za-z0-9.*_-]{1,64})(?:=(?:"((?:[^"\\]|\\.)*)"|([^",]*)))?(?:,\s*|$)/gy;
/** Version 2 has lists, e.g. `(3000;v 128;a)`. The first number counts. */
const leadingNumber = /^\(?(\d{1,9})(?!\d)/;

/** Returns undefined without data, or if it is malformed, longer than 2,000 characters or without session. Never throws. */
export function readClientData(query: string, headers: IncomingHttpHeaders): ClientData | undefined {
  const text = inQuery(query) ?? inHeaders(headers);
  const values = text === undefined ? undefined : parse(text);
  const sessionID = values?.get('sid');
  if (!values || !sessionID || sessionID.length > longestSession) return undefined;
  const [bufferMs, kilobits, throughput] = ['bl', 'br', 'mtp'].map(
    key => leadingNumber.exec(values.get(key) ?? '')?.[1],
  );
  return {
    ...{ sessionID, isAudio: values.get('ot') === 'a' },
    ...{ isFilling: isSet(values.get('su')), hasStalled: isSet(values.get('bs')) },
    ...(bufferMs !== undefined && { bufferMs: Number(bufferMs) }),
    ...(kilobits !== undefined && { bitrate: Number(kilobits) * 1_000 }),
    ...(throughput !== undefined && { throughput: Number(throughput) * 1_000 }),
  };
}

/** The value of the first `CMCD` parameter. */
function inQuery(query: string): string | undefined {
  const start = query.startsWith('CMCD=') ? 0 : query.indexOf('&CMCD=') + 1;
  if (start === 0 && !query.startsWith('CMCD=')) return undefined;
  const end = query.indexOf('&', start);
  const value = query.slice(start + 'CMCD='.length, end < 0 ? undefined : end);
  if (value.length > longest) return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

function inHeaders(headers: IncomingHttpHeaders): string | undefined {
  if (headers['cmcd-session'] === undefined) return undefined;
  const text = clientDataHeaders.flatMap(name => headers[name] ?? []).join(',');
  return text.length > longest ? undefined : text;
}

function parse(text: string): Map<string, string> | undefined {
  const values = new Map<string, string>();
  entry.lastIndex = 0;
  while (entry.lastIndex < text.length) {
    const found = entry.exec(text);
    if (!found) return undefined;
    const [, key = '', quoted, bare] = found;
    values.set(key, quoted ?? bare ?? '');
  }
  return values;
}

/** A key without value is true. */
function isSet(value: string | undefined): boolean {
  return value === '' || value === 'true' || value === '?1';
}
