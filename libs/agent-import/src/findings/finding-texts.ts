import { agentBounds } from '@rtms/contracts';
import type {
  BoundedText,
  Counterpart,
  DefinitionPart,
  FailureValues,
  Finding,
  FinishValues,
  NoteValues,
  FinishItem,
} from './imported-agent.js';
import { cutText } from './characters.js';

type Texts<Values> = { readonly [Code in keyof Values]: (values: Values[Code]) => string };

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

const finishTexts: Texts<FinishValues> = {
  transfer_number: ({ tool, number }) => setTransfer(tool, number),
  transfer_placeholder: ({ tool, number }) => setTransfer(tool, `a real number: ${number} is a placeholder`),
  transfer_variable: ({ tool, variable }) => setTransfer(tool, `the number that the variable ${variable} holds`),
  transfer_agent: ({ tool, agent }) => setTransfer(tool, `the assistant “${agent}”, an agent of its own here`),
  transfer_asked: ({ tool, question }) => setTransfer(tool, `whom the conversation asks for: “${question}”`),
  transfer_dynamic: ({ tool }) => setTransfer(tool, 'a number that a server chose during the call'),
  transfer_unknown: ({ tool }) => setTransfer(tool, 'a number that the definition does not name'),
  tool: ({ name, type, counterpart }) =>
    `Recreate the tool “${name}”${type === '' ? '' : ` (${type})`} as ${counterparts[counterpart]}.`,
  tool_id: ({ id }) => `Recreate the tool with the id “${id}” as an agent tool.`,
  tools_elsewhere: ({ text }) => `Recreate the tools that the definition keeps elsewhere: it only says “${text}”.`,
  hook_say: ({ text }) => `Write into the instructions when the agent says: “${text}”.`,
  hook_action: ({ action }) => `Rebuild the action “${action}”: agents have no hooks.`,
  knowledge_file: ({ id }) => `Upload the file of “${id}” to the agent’s knowledge.`,
  knowledge_server: () => 'Upload what the definition’s knowledge server answers with to the agent’s knowledge.',
  knowledge_base: () => 'Upload the files of the definition’s knowledge base to the agent’s knowledge.',
  webhook_not_https: () => 'Give the webhook an https address: the definition’s is none.',
  webhook_with_credential: ({ host }) =>
    `Give the webhook its address again: the definition’s, at ${host}, carries a key.`,
  first_message_sound: () => 'Write the first message: the definition plays a sound file.',
  instructions_missing: () => 'Write the instructions: the definition has no prompt.',
  variable_expression: ({ expression }) =>
    `Write “${expression}” anew: expressions are not worked out here, and it stands as it was.`,
  transition: ({ to, when }) =>
    `Check that the instructions say when to go on to ${to === '' ? 'another part' : `“${to}”`}` +
    (when === '' ? '.' : `: ${when}`),
  more_items: ({ count }) => `Compare with the definition: ${integer.format(count)} more items are not listed.`,
};

const boundedTexts: Readonly<Record<BoundedText, string>> = {
  name: 'The name',
  instructions: 'The instructions',
  firstMessage: 'The first message',
  responseGuidelines: 'The closing instruction',
};

const noteTexts: Texts<NoteValues> = {
  name_missing: ({ name }) => `The definition has no name: the agent is called “${name}”.`,
  text_cut: ({ field, characters, kept }) =>
    `${boundedTexts[field]} had ${integer.format(characters)} characters: the first ${integer.format(kept)} are kept.`,
  variable_filled: ({ name }) => `The variable “${name}” was filled in with its default.`,
  temperature_default: ({ temperature }) => `The definition sets no temperature: it is ${temperature}.`,
  temperature_bounded: ({ given, temperature }) => `The temperature ${given} became ${temperature}.`,
  session_default: ({ minutes }) => `The definition sets no end to a session: it is ${minutes} min.`,
  session_platform_default: ({ minutes }) =>
    `The definition sets no end to a session: it is the other platform’s ${minutes} min.`,
  session_bounded: ({ seconds, minutes, min, max }) =>
    `The definition ends a session after ${decimal.format(seconds)} s; here it is ${minutes} min, of ${min} to ${max}.`,
  number_expected: () => 'This value is no number, so it was not read. Set the agent’s field by hand.',
  prompt_missing: () => 'The definition has no prompt.',
  prompt_ignored: () => 'The definition has several prompts, and this one was left out.',
  messages_left_out: ({ count }) =>
    `${integer.format(count)} of the model’s messages were left out: only those of the system are instructions.`,
  first_message_missing: () => 'The definition has no first message: the agent makes it up.',
  first_message_generated: () => 'The model makes the first message up.',
  first_message_written: () =>
    'The model makes the first message up; here the written one is said. Empty it to leave it to the model.',
  first_message_empty: () => 'The agent was to speak first, with an empty message: here it waits for the user.',
  webhook_ignored: () => 'The definition has several webhooks, and this one was left out.',
  voicemail_unused: () => 'The voicemail settings are not used: agents leave no voicemail.',
  only_llm: () =>
    'Only the LLM was pasted: name, session length, webhook, voice and language are left as they are by default.',
  only_flow: () =>
    'Only the conversation flow was pasted: name, session length, webhook, voice and language are left as they are by default.',
  flow_flattened: ({ nodes }) =>
    `The conversation flow became one text with a block for each of its ${integer.format(nodes)} nodes. Check the order of the steps.`,
  not_taken_over: ({ fields, more }) => `Not taken over: ${listed(fields, more)}.`,
  credentials_ignored: ({ paths, more }) =>
    `Credentials were ignored: ${listed(paths, more)}. Connect providers with AI credentials.`,
  credential_removed: ({ line, excerpt }) =>
    `A credential was taken out of line ${integer.format(line)}: “${excerpt}”. Write it again if it is none.`,
  credential_repeated: () => 'This text repeats the value of a credential. Take it out if it is meant to be secret.',
  more_notes: ({ count }) => `${integer.format(count)} more notes are not listed.`,
};

/** Reasons of `not_json`, by the JSON reader's names for them. */
const jsonErrors: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is no value that JSON knows; texts and names stand in double quotes',
  InvalidNumberFormat: 'this number is not written as JSON writes numbers',
  UnexpectedEndOfNumber: 'this number is not complete',
  PropertyNameExpected: 'a name in double quotes is missing; no comma stands after the last field',
  ValueExpected: 'a value is missing; no comma stands after the last one',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  EndOfFileExpected: 'there is more after the end of the definition',
  InvalidCommentToken: 'JSON has no comments',
  UnexpectedEndOfComment: 'JSON has no comments',
  UnexpectedEndOfString: 'this text is not closed on its line; a line break in a text is written \\n',
  InvalidUnicode: 'a \\u in this text is not followed by four digits',
  InvalidEscapeCharacter: 'a backslash in this text is followed by a character that it can’t stand before',
  InvalidCharacter: 'this text has a control character in it, such as a tab; it is written \\t',
};

const pasteOne =
  'Paste one assistant object of platform A, or the agent and the LLM of platform B as { "agent": …, "llm": … }.';

const failureTexts: Texts<FailureValues> = {
  empty: () => 'There is nothing to import: paste an agent’s definition as JSON.',
  too_large: ({ limit }) =>
    `The text is too long: a definition has at most ${integer.format(limit)} characters. Paste one agent alone.`,
  too_deep: ({ limit }) =>
    `The definition is nested too deep: at most ${limit} levels. Take out the innermost objects and lists.`,
  too_many_credentials: ({ limit }) =>
    `The definition has too many credentials: at most ${limit}. Take them out before you paste it.`,
  not_json: ({ reason }) => jsonErrors[reason] ?? 'this is not expected here',
  several_definitions: ({ count, names, more }) =>
    `This is a list of ${integer.format(count)} definitions${named(names, more)}. Paste one at a time.`,
  squad: ({ names, more }) =>
    `This is a squad of platform A, of several assistants${named(names, more)}. Paste one member’s assistant object at a time.`,
  workflow: () =>
    'This is a workflow of platform A, made of nodes: it has no single prompt. Paste one assistant object instead.',
  conversation_flow: () =>
    'This is an agent of platform B without its conversation flow, where the prompts live. ' +
    'Paste both, as { "agent": …, "conversation_flow": … }.',
  llm_missing: () =>
    'This is an agent of platform B without its LLM, where the prompt lives. Paste both, as { "agent": …, "llm": … }.',
  llm_elsewhere: () =>
    'This is an agent of platform B whose LLM runs on a server of your own, so that its prompt is not part of the definition. ' +
    'Paste an agent with its LLM, as { "agent": …, "llm": … }.',
  saved_error: () =>
    'This is an error answer that was saved in place of a definition. Export the definition again and paste that.',
  unknown_format: () => `This is JSON, but no agent definition that is known here. ${pasteOne}`,
};

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
  return names.length === 0
    ? ''
    : `: ${listed(
        names.map(name => `“${name}”`),
        more,
      )}`;
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
