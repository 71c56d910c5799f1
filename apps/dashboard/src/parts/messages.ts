import { ApiError } from '../api/request.js';
import { waitText } from './formats.js';

/** The gateway ends some messages so. The page writes the time itself, from `Retry-After`. */
const waitOfTheGateway = /\s*(?:Try again in \d+ s|Retry later|Retry in a second)\.$/;

/** The text that the page shows for an error. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Something failed.';
  const wait = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  if (wait === undefined) return error.message;
  return `${error.message.replace(waitOfTheGateway, '')} Try again in ${waitText(wait)}.`;
}

/** A refusal, divided among the fields of a form. */
interface FieldRefusals {
  /** Messages without the name that the API gives the field. */
  fields: Record<string, string>;
  /** For the whole form. */
  rest: string | undefined;
}

/** The gateway writes `secureCode must be …`, one sentence a field. Form fields with these names show the rule themselves. */
export function refusalsOf(error: unknown, names: readonly string[]): FieldRefusals {
  if (!(error instanceof ApiError) || error.reason !== 'invalid_request')
    return { fields: {}, rest: error ? messageOf(error) : undefined };
  const sentences = error.message.split(/(?<=\.) (?=\S+ must )/).map(sentence => ruleIn(sentence, names));
  const rest = sentences.flatMap(({ field, text }) => (field === undefined ? [text] : []));
  return {
    fields: Object.fromEntries(sentences.flatMap(({ field, text }) => (field === undefined ? [] : [[field, text]]))),
    rest: rest.length === 0 ? undefined : rest.join(' '),
  };
}

/** The rule of a field of the form, or the whole sentence. A list has one field, whose name has no index. */
function ruleIn(sentence: string, names: readonly string[]): { field?: string; text: string } {
  const [, name = '', rule = ''] = /^(\S+) must (.+)$/s.exec(sentence) ?? [];
  const field = name.replace(/(?:\[\d+\]|\.\d+).*$/, '');
  return names.includes(field.split('.')[0] ?? '') ? { field, text: `Must ${rule}` } : { text: sentence };
}

/** For `import()`: the message of the browser names a file of the build. */
export async function loadPart<Part>(part: Promise<Part>): Promise<Part> {
  return part.catch((error: unknown) => {
    const message = 'A part of the dashboard could not be loaded. Check your connection, then reload the page.';
    throw new Error(message, { cause: error });
  });
}
