import { noteUntaken } from '../definition/coverage.js';
import type { Findings } from '../findings/findings.js';
import { listKnowledgeA } from '../definition/tools.js';
import type { Place } from '../definition/place.js';
import { listToolsA } from './platform-a-tools.js';
import { type Reading, type Sourced, type SourcedNumber, noPrompt, readNumber } from '../definition/reading.js';

/** Platform A's default for the duration of a call. */
const defaultSeconds = 600;

/** Platform A: one assistant object, with the prompt among its model's messages. */
export function readPlatformA(assistant: Place, findings: Findings): Reading {
  const model = assistant.at('model');
  listToolsA(assistant, findings);
  listKnowledgeA(model, findings);
  listKnowledgeA(assistant, findings);
  noteAllUntaken(assistant, findings);
  if (assistant.at('voicemailMessage').exists)
    findings.note('voicemail_unused', assistant.at('voicemailMessage').path, {});
  return {
    name: { text: assistant.at('name').label(), path: assistant.at('name').path },
    instructions: systemPrompt(assistant, findings),
    firstMessage: firstMessage(assistant, findings),
    speaksFirst: assistant.at('firstMessageMode').value !== 'assistant-waits-for-user',
    temperature: readNumber(model.at('temperature'), findings),
    closing: closing(assistant),
    sessionSeconds: sessionSeconds(assistant, findings),
    webhook: webhook(assistant, findings),
    reference: reference(assistant),
  };
}

function noteAllUntaken(assistant: Place, findings: Findings): void {
  noteUntaken(assistant.path, [assistant], ['assistant'], findings);
  for (const kind of ['model', 'voice', 'transcriber', 'server'] as const)
    noteUntaken(assistant.at(kind).path, [assistant.at(kind)], [kind], findings);
}

/** The system messages in their order. Older definitions have the prompt in a separate field. */
function systemPrompt(assistant: Place, findings: Findings): Sourced {
  const model = assistant.at('model');
  const fields = [model.at('systemPrompt'), model.at('systemMessage'), assistant.at('systemPrompt')];
  const prompts = [systemMessages(model.at('messages'), findings), ...fields.map(sourcedProse)];
  const [prompt, ...others] = prompts.filter(({ text }) => text !== '');
  for (const { text, path } of others) if (text !== prompt?.text) findings.note('prompt_ignored', path, {});
  return prompt ?? noPrompt(model.at('messages').path, findings);
}

function systemMessages(messages: Place, findings: Findings): Sourced {
  const all = messages.items();
  const system = all.filter(message => message.at('role').value === 'system');
  if (all.length > system.length)
    findings.note('messages_left_out', messages.path, { count: all.length - system.length });
  const texts = system.map(message => contentOf(message.at('content'))).filter(text => text !== '');
  return { text: texts.join('\n\n'), path: messages.path };
}

function sourcedProse(place: Place): Sourced {
  return { text: place.prose(), path: place.path };
}

/** Text, or a list of parts with text in them. */
function contentOf(content: Place): string {
  const parts = content.items().map(part => part.prose() || part.at('text').prose());
  return content.prose() || parts.filter(part => part !== '').join('\n');
}

function firstMessage(assistant: Place, findings: Findings): Sourced {
  const place = assistant.at('firstMessage');
  const { path } = place;
  const text = place.prose();
  const mode = assistant.at('firstMessageMode').value;
  if (/^https?:\/\/\S+$/i.test(text)) {
    findings.finish('first_message_sound', path, {});
    return { text: '', path };
  }
  if (mode === 'assistant-speaks-first-with-model-generated-message')
    findings.note(text === '' ? 'first_message_generated' : 'first_message_written', path, {});
  else if (text === '' && mode !== 'assistant-waits-for-user') findings.note('first_message_missing', path, {});
  return { text, path };
}

/** The end of a conversation on the other platform, as an instruction. */
function closing(assistant: Place): Sourced {
  const message = assistant.at('endCallMessage');
  const phrases = assistant.at('endCallPhrases');
  const said = (typeof phrases.value === 'string' ? [phrases] : phrases.items()).map(phrase => phrase.prose());
  const quoted = said.filter(phrase => phrase !== '').map(phrase => `“${phrase}”`);
  const farewell = message.prose();
  const lines = [
    farewell === '' ? '' : `When the conversation is over, close with: “${farewell}”`,
    quoted.length === 0
      ? ''
      : `Saying one of these ends the conversation, so say them only then: ${quoted.join(', ')}.`,
  ];
  return { text: lines.filter(line => line !== '').join('\n'), path: message.path };
}

function sessionSeconds(assistant: Place, findings: Findings): SourcedNumber {
  const seconds = readNumber(assistant.at('maxDurationSeconds'), findings);
  if (seconds.value !== undefined) return seconds;
  findings.note('session_platform_default', seconds.path, { minutes: defaultSeconds / 60 });
  return { ...seconds, value: defaultSeconds };
}

/** The newer field wins over the older one. */
function webhook(assistant: Place, findings: Findings): Sourced {
  const places = [assistant.at('server').at('url'), assistant.at('serverUrl')];
  const [address, older] = places.map(place => ({ text: place.label(), path: place.path })) as [Sourced, Sourced];
  if (address.text === '') return older;
  if (older.text !== '' && older.text !== address.text) findings.note('webhook_ignored', older.path, {});
  return address;
}

function reference(assistant: Place): Reading['reference'] {
  const [model, voice, transcriber] = [assistant.at('model'), assistant.at('voice'), assistant.at('transcriber')];
  const first = (...places: Place[]) => places.map(place => place.label()).find(text => text !== '') ?? '';
  const joined = (...texts: string[]) => texts.filter(text => text !== '').join(' / ');
  const languages = transcriber.at(transcriber.has(['language']) ? 'language' : 'languages').labels();
  return {
    provider: model.at('provider').label(),
    model: first(model.at('model'), model),
    voice: voice.label() || joined(voice.at('provider').label(), first(voice.at('voiceId'), voice.at('voice'))),
    transcriber:
      transcriber.label() ||
      joined(transcriber.at('provider').label(), first(transcriber.at('model'), transcriber.at('speechModel'))),
    language: languages.map(({ text }) => text).join(', ') || voice.at('language').label(),
  };
}
