import { agentBounds } from '@rtms/contracts';
import type { BoundedText, Counterpart, DefinitionPart, Finding, FinishItem } from './imported-agent.js';
import { cutText } from './characters.js';

const integer = new Intl.NumberFormat('en');
const decimal = new Intl.NumberFormat('en', { maximumFractionDigits: 3 });

const counterparts: Readonly<Record<Counterpart, string>> = {
  calendar: 'a calendar tool',
  automation: 'an automation tool',
  webhook: 'a webhook tool',
  integration: 'an integration tool',
  agent: 'an agent tool',
};

const setTransfer = (tool: string, where: string) =>
  `Turn on human handoff and set the transfer “${tool}” to ${where}.`;

interface Transfer {
  tool: string;
}

/** The sentence of each item to finish, by its code. The parameter is the type of the item's values. */
const finishTexts = {
  transfer_number: ({ tool, number }: Transfer & { number: string }) => setTransfer(tool, number),
  transfer_placeholder: ({ tool, number }: Transfer & { number: string }) =>
    setTransfer(tool, `a real number: ${number} is a placeholder`),
  transfer_variable: ({ tool, variable }: Transfer & { variable: string }) =>
    setTransfer(tool, `the number that the variable ${variable} holds`),
  transfer_agent: ({ tool, agent }: Transfer & { agent: string }) =>
    setTransfer(tool, `the assistant “${agent}”, an agent of its own here`),
  transfer_asked: ({ tool, question }: Transfer & { question: string }) =>
    setTransfer(tool, `whom the conversation asks for: “${question}”`),
  transfer_dynamic: ({ tool }: Transfer) => setTransfer(tool, 'a number that a server chose during the call'),
  transfer_unknown: ({ tool }: Transfer) => setTransfer(tool, 'a number that the definition does not name'),
  tool: ({ name, type, counterpart }: { name: string; type: string; counterpart: Counterpart }) =>
    `Recreate the tool “${name}”${type === '' ? '' : ` (${type})`} as ${counterparts[counterpart]}.`,
  tool_id: ({ id }: { id: string }) => `Recreate the tool with the id “${id}” as an agent tool.`,
  tools_elsewhere: ({ text }: { text: string }) =>
    `Recreate the tools that the definition keeps elsewhere: it only says “${text}”.`,
  hook_say: ({ text }: { text: string }) => `Write into the instructions when the agent says: “${text}”.`,
  hook_action: ({ action }: { action: string }) => `Rebuild the action “${action}”: agents have no hooks.`,
  knowledge_file: ({ id }: { id: string }) => `Upload the file of “${id}” to the agent’s knowledge.`,
  knowledge_server: () => 'Upload the content of the definition’s knowledge server to the agent’s knowledge.',
  knowledge_base: () => 'Upload the files of the definition’s knowledge base to the agent’s knowledge.',
  webhook_not_https: () => 'Enter an https address for the webhook: the definition has none.',
  webhook_with_credential: ({ host }: { host: string }) =>
    `Enter the webhook’s address again: the definition’s address, at ${host}, contains a key.`,
  first_message_sound: () => 'Write the first message: the definition plays a sound file.',
  instructions_missing: () => 'Write the instructions: the definition has no prompt.',
  variable_expression: ({ expression }: { expression: string }) =>
    `Rewrite “${expression}”: the importer does not evaluate expressions and kept the text.`,
  /** `to` and `when` are empty if the definition does not contain them. */
  transition: ({ to, when }: { to: string; when: string }) =>
    `Check that the instructions say when to go on to ${to === '' ? 'another part' : `“${to}”`}` +
    (when === '' ? '.' : `: ${when}`),
  /** Items beyond the limit of the list. */
  more_items: ({ count }: { count: number }) =>
    `Compare with the definition: ${integer.format(count)} more items are not listed.`,
};

const boundedTexts: Readonly<Record<BoundedText, string>> = {
  name: 'The name',
  instructions: 'The instructions',
  firstMessage: 'The first message',
  responseGuidelines: 'The closing instruction',
};

/** The sentence of each note, by its code. */
const noteTexts = {
  name_missing: ({ name }: { name: string }) => `The definition has no name: the agent is called “${name}”.`,
  text_cut: ({ field, characters, kept }: { field: BoundedText; characters: number; kept: number }) =>
    `${boundedTexts[field]} had ${integer.format(characters)} characters: the first ${integer.format(kept)} are kept.`,
  variable_filled: ({ name }: { name: string }) => `The variable “${name}” was filled in with its default.`,
  temperature_default: ({ temperature }: { temperature: number }) =>
    `The definition sets no temperature: it is ${temperature}.`,
  temperature_bounded: ({ given, temperature }: { given: number; temperature: number }) =>
    `The temperature ${given} became ${temperature}.`,
  session_default: ({ minutes }: { minutes: number }) =>
    `The definition sets no end to a session: it is ${minutes} min.`,
  session_platform_default: ({ minutes }: { minutes: number }) =>
    `The definition sets no end to a session: it is the other platform’s ${minutes} min.`,
  session_bounded: ({ seconds, minutes, min, max }: { seconds: number; minutes: number; min: number; max: number }) =>
    `The definition ends a session after ${decimal.format(seconds)} s; here it is ${minutes} min, of ${min} to ${max}.`,
  number_expected: () => 'This value is not a number, so it was not read. Set the agent’s field by hand.',
  prompt_missing: () => 'The definition has no prompt.',
  prompt_ignored: () => 'The definition has several prompts, and this one was left out.',
  messages_left_out: ({ count }: { count: number }) =>
    `${integer.format(count)} of the model’s messages were left out: only those of the system are instructions.`,
  first_message_missing: () => 'The definition has no first message: the agent chooses its own words.',
  first_message_generated: () => 'The model writes the first message.',
  first_message_written: () =>
    'On the other platform the model writes the first message. Here the agent says this text; empty it to leave it to the model.',
  first_message_empty: () => 'The agent was to speak first, with an empty message: here it waits for the user.',
  webhook_ignored: () => 'The definition has several webhooks, and this one was left out.',
  voicemail_unused: () => 'The voicemail settings are not used: agents leave no voicemail.',
  only_llm: () => 'Only the LLM was pasted: name, session length, webhook, voice and language have their defaults.',
  only_flow: () =>
    'Only the conversation flow was pasted: name, session length, webhook, voice and language have their defaults.',
  flow_flattened: ({ nodes }: { nodes: number }) =>
    `The conversation flow became one text with a block for each of its ${integer.format(nodes)} nodes. Check the order of the steps.`,
  /** `more`: further fields beyond the limit of the list. */
  not_taken_over: ({ fields, more }: { fields: string[]; more: number }) => `Not taken over: ${listed(fields, more)}.`,
  credentials_ignored: ({ paths, more }: { paths: string[]; more: number }) =>
    `Credentials were ignored: ${listed(paths, more)}. Connect providers with AI credentials.`,
  /** The line counts from 1; the excerpt is the beginning of the credential. */
  credential_removed: ({ line, excerpt }: { line: number; excerpt: string }) =>
    `A credential was removed from line ${integer.format(line)}: “${excerpt}”. Write it again if it is not a credential.`,
  credential_repeated: () => 'This text repeats the value of a credential. Remove it if it is secret.',
  /** Notes beyond the limit of the list. */
  more_notes: ({ count }: { count: number }) => `${integer.format(count)} more notes are not listed.`,
};

/** Reasons of `not_json`, by the JSON reader's names for them. */
const jsonErrors: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is not a JSON value; texts and names need double quotes',
  InvalidNumberFormat: 'this is not a number in JSON',
  UnexpectedEndOfNumber: 'this number is not complete',
  PropertyNameExpected: 'a name in double quotes is missing; JSON has no comma after the last field',
  ValueExpected: 'a value is missing; JSON has no comma after the last value',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  EndOfFileExpected: 'there is more after the end of the definition',
  InvalidCommentToken: 'JSON has no comments',
  UnexpectedEndOfComment: 'JSON has no comments',
  UnexpectedEndOfString: 'this text is not closed on its line; write a line break in a text as \\n',
  InvalidUnicode: 'a \\u in this text is not followed by four digits',
  InvalidEscapeCharacter: 'JSON does not allow a backslash before this character',
  InvalidCharacter: 'this text contains a control character, such as a tab; write a tab as \\t',
};

const pasteOne =
  'Paste one assistant object of platform A, or the agent and the LLM of platform B as { "agent": …, "llm": … }.';

/** The sentence of each reason why a text can't be imported, by its code. */
const failureTexts = {
  empty: () => 'There is nothing to import: paste an agent’s definition as JSON.',
  too_large: ({ limit }: { limit: number }) =>
    `The text is too long: a definition has at most ${integer.format(limit)} characters. Paste one agent alone.`,
  too_deep: ({ limit }: { limit: number }) =>
    `The definition is nested too deep: at most ${limit} levels. Remove the innermost objects and lists.`,
  too_many_credentials: ({ limit }: { limit: number }) =>
    `The definition has too many credentials: at most ${limit}. Remove them before you paste it.`,
  /** `reason` is a key of `jsonErrors`. */
  not_json: ({ reason }: { reason: string }) => jsonErrors[reason] ?? 'this is not expected here',
  several_definitions: ({ count, names, more }: { count: number; names: string[]; more: number }) =>
    `This is a list of ${integer.format(count)} definitions${named(names, more)}. Paste one at a time.`,
  squad: ({ names, more }: { names: string[]; more: number }) =>
    `This is a squad of platform A, of several assistants${named(names, more)}. Paste one member’s assistant object at a time.`,
  workflow: () =>
    'This is a workflow of platform A, made of nodes: it has no single prompt. Paste one assistant object instead.',
  conversation_flow: () =>
    'This is an agent of platform B without its conversation flow, which has the prompts. ' +
    'Paste both, as { "agent": …, "conversation_flow": … }.',
  llm_missing: () =>
    'This is an agent of platform B without its LLM, which has the prompt. Paste both, as { "agent": …, "llm": … }.',
  llm_elsewhere: () =>
    'This is an agent of platform B whose LLM runs on a server of your own, so that its prompt is not part of the definition. ' +
    'Paste an agent with its LLM, as { "agent": …, "llm": … }.',
  saved_error: () =>
    'This is an error answer that was saved in place of a definition. Export the definition again and paste that.',
  unknown_format: () => `This is JSON, but not a known agent definition. ${pasteOne}`,
};

export type FinishTexts = typeof finishTexts;
export type NoteTexts = typeof noteTexts;
export type FailureTexts = typeof failureTexts;

const texts = { ...finishTexts, ...noteTexts, ...failureTexts };

/** The sentence of a finding: what was found, and the fix. */
export function describeFinding(finding: Finding & { path?: string; line?: number; column?: number }): string {
  const write = texts[finding.code] as (values: unknown) => string;
  const text = write(finding.values);
  if (finding.code === 'not_json') return notJSON(text, finding.line, finding.column);
  return pathIsPart.has(finding.code) && finding.path ? `${finding.path}: ${text}` : text;
}

/** Codes whose sentence means nothing without the path. */
const pathIsPart: ReadonlySet<string> = new Set([
  'number_expected',
  'prompt_ignored',
  'webhook_ignored',
  'not_taken_over',
  'credential_removed',
  'credential_repeated',
]);

function notJSON(meaning: string, line?: number, column?: number): string {
  if (line === undefined || column === undefined) return 'The text is not JSON.';
  return `The text is not JSON: line ${line}, column ${column}: ${meaning}.`;
}

const partNames = { state: 'State', node: 'Node', hook: 'Hook' } as const;

export function describePart({ type, name }: DefinitionPart): string {
  return `${partNames[type]} “${name}”`;
}

function named(names: readonly string[], more: number): string {
  const quoted = names.map(name => `“${name}”`);
  return names.length === 0 ? '' : `: ${listed(quoted, more)}`;
}

function listed(names: readonly string[], more: number): string {
  return names.join(', ') + (more > 0 ? ` and ${integer.format(more)} more` : '');
}

const { items: maxItems, characters: maxCharacters } = agentBounds.todo;

/** Converts the findings to finish into an agent's `todo` list, within its bounds. */
export function todoOf(toFinish: readonly FinishItem[]): string[] {
  if (toFinish.length <= maxItems) return toFinish.map(textOf);
  const rest = toFinish.slice(maxItems - 1).map(item => (item.code === 'more_items' ? item.values.count : 1));
  const count = rest.reduce((sum, one) => sum + one, 0);
  return [...toFinish.slice(0, maxItems - 1).map(textOf), describeFinding({ code: 'more_items', values: { count } })];
}

function textOf(item: FinishItem): string {
  const text = describeFinding(item);
  return cutText(item.part ? `${describePart(item.part)}: ${text}` : text, maxCharacters);
}
