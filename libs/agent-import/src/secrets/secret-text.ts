/** Replaces a credential. */
export const removed = '[removed]';

/** A credential in a text, by its first and last offset. */
interface Span {
  start: number;
  end: number;
  replacement: string;
}

interface Removal {
  /** From 1. */
  line: number;
  /** The first characters of the credential: enough to recognise it, too few to use it. */
  excerpt: string;
}

export interface CleanText {
  text: string;
  removals: Removal[];
}

interface Shape {
  /** The credential is the group, or the whole match. Each pattern needs linear time. */
  pattern: RegExp;
  /** A further check, if the pattern also matches names that users choose. */
  isCredential?: (secret: string) => boolean;
  replacement?: string;
}

/**
 * Credentials in the formats of their issuers. A format that also matches names, such as `sk-SK-…Neural` of a
 * voice, counts only if the rest is random.
 */
const issuedShapes: readonly Shape[] = [
  { pattern: /-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,32}PRIVATE KEY-----)?/g },
  { pattern: /(?<![A-Za-z0-9])(?:sk|pk|rk)[-_][\w-]{16,}/g, isCredential: isRandomAfterPrefix },
  {
    // Git hosts, webhook signing, model providers, calendars, platform B, databases, notes, telephony.
    pattern:
      /(?<![A-Za-z0-9])(?:gh[opsur]|github_pat|glpat|whsec|gsk|cal|cal_live|cal_test|key|hf|xai|npm|ntn|sbp|secret|dop_v1)[-_][A-Za-z0-9_-]{16,}/g,
    isCredential: isRandomAfterPrefix,
  },
  { pattern: /(?<![A-Za-z0-9])xox[a-z]-[\w-]{10,}/g, isCredential: isRandomAfterPrefix },
  { pattern: /(?<![A-Za-z0-9])A(?:KIA|SIA)[0-9A-Z]{16}(?![0-9A-Za-z])/g },
  { pattern: /(?<![\w-])AIza[\w-]{30,}/g },
  { pattern: /(?<![\w-])GOCSPX-[\w-]{20,}/g },
  { pattern: /(?<![\w.-])eyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g },
  { pattern: /(?<![\w.-])SG\.[\w-]{16,}\.[\w-]{16,}/g },
  { pattern: /(?<![\w.-])pat[A-Za-z0-9]{14}\.[0-9a-f]{64}(?![0-9a-f])/g },
  { pattern: /(?<![\w-])pat-(?:na|eu)\d-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![\w-])/g },
  { pattern: /(?<![\w:])\d{8,10}:AA[\w-]{33}(?![\w-])/g },
  { pattern: /https:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/([\w/-]{16,})/g },
  { pattern: /\b[a-z][a-z0-9+.-]{1,15}:\/\/([^\s/:@]{1,128}:[^\s/@]{1,128}@)/gi, replacement: '' },
];

/** Values after a word such as `Bearer` or `password`. */
const namedShapes: readonly Shape[] = [
  { pattern: /\bBearer\s{1,8}([\w.~+/-]{15,}[\w~+/-]={0,2})/gi, isCredential: isHighEntropy },
  { pattern: /\bBasic\s{1,8}([A-Za-z0-9+/]{8,}={0,2})/g, isCredential: isBasicCredentials },
  {
    pattern:
      /(?<![A-Za-z0-9])(?:(?:api|access|private)[-_ ]?key|(?:access|auth|api)[-_ ]?token|secret|password|token)["'”]?\s{0,3}(?:[:=]|\bis\b)\s{0,3}["'“]?([\w.~+/-]{15,}[\w~+/-]={0,2})/gi,
    isCredential: isHighEntropy,
  },
];

/** For names and IDs: removes credentials of a known form. */
export function withoutIssued(text: string): CleanText {
  return replaceSpans(text, spansOf(text, issuedShapes));
}

/** For prose: also removes values that the text names as credentials, and the values in `known`. */
export function withoutSecrets(text: string, known: ReadonlySet<string>): CleanText {
  return replaceSpans(text, [
    ...spansOf(text, issuedShapes),
    ...spansOf(text, namedShapes),
    ...knownSpans(text, known),
  ]);
}

/** No credential of a known form is shorter. */
const shortest = 8;

function spansOf(text: string, shapes: readonly Shape[]): Span[] {
  return text.length < shortest ? [] : shapes.flatMap(shape => spansOfShape(text, shape));
}

function spansOfShape(text: string, { pattern, isCredential = () => true, replacement = removed }: Shape): Span[] {
  const spans: Span[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const secret = match[1] ?? match[0];
    const end = match.index + match[0].length;
    if (isCredential(secret)) spans.push({ start: end - secret.length, end, replacement });
  }
  return spans;
}

function knownSpans(text: string, known: ReadonlySet<string>): Span[] {
  return [...known].flatMap(secret => {
    const spans: Span[] = [];
    for (let start = text.indexOf(secret); start >= 0; start = text.indexOf(secret, start + secret.length))
      spans.push({ start, end: start + secret.length, replacement: removed });
    return spans;
  });
}

function replaceSpans(text: string, spans: Span[]): CleanText {
  if (spans.length === 0) return { text, removals: [] };
  const pieces: string[] = [];
  const removals: Removal[] = [];
  let [line, end] = [1, 0];
  for (const span of merged(spans)) {
    const before = text.slice(end, span.start);
    line += before.split('\n').length - 1;
    removals.push({ line, excerpt: `${text.slice(span.start, span.start + 4)}…` });
    pieces.push(before, span.replacement);
    line += text.slice(span.start, span.end).split('\n').length - 1;
    end = span.end;
  }
  return { text: pieces.join('') + text.slice(end), removals };
}

/** In order, and joined where they overlap. */
function merged(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of [...spans].sort((one, other) => one.start - other.start)) {
    const last = joined.at(-1);
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end);
    else joined.push({ ...span });
  }
  return joined;
}

function isRandomAfterPrefix(secret: string): boolean {
  return secret.split(/[-_]/).some(part => part.length >= 16 && isHighEntropy(part));
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * Whether a text looks generated: letters and digits in one piece of at least 16, which change between small letters, capitals
 * and digits at least each eighth character. Random text of base 16, 36 or 62 changes two to five times as often; names such as
 * `check_availability_v17`, `appointmentConfirmationNumber` and `sk-SK-ViktoriaNeural` change less, or have no digit.
 */
export function isHighEntropy(text: string): boolean {
  if (uuid.test(text)) return true;
  if (!/^[\w.~+/=-]{16,}$/.test(text) || !/[A-Za-z]/.test(text)) return false;
  const changes = classChanges(text) / (text.length - 1);
  return /\d/.test(text) ? changes >= 1 / 8 : changes >= 1 / 3;
}

/** Counts the neighbours of different classes. A character that is neither letter nor digit separates words and adds no change. */
function classChanges(text: string): number {
  const classes = [...text].map(classOf);
  return classes.filter((one, index) => {
    const next = classes[index + 1];
    return one !== undefined && next !== undefined && one !== next;
  }).length;
}

function classOf(character: string): 'digit' | 'capital' | 'small' | undefined {
  if (/\d/.test(character)) return 'digit';
  if (/[A-Z]/.test(character)) return 'capital';
  return /[a-z]/.test(character) ? 'small' : undefined;
}

/** RFC 7617: base64 of a user name, a colon and a password. */
function isBasicCredentials(text: string): boolean {
  try {
    return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(atob(text));
  } catch {
    return false;
  }
}
