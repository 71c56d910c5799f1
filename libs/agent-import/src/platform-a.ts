import { closingInstruction } from './closing-instruction.js';
import { fieldsOf, listOf, numberOf, textOf, type Fields } from './fields.js';
import type { Findings } from './findings.js';
import { listKnowledgeA, textsOf } from './knowledge.js';
import { listToolsA } from './platform-a-tools.js';
import type { Reading } from './reading.js';

/** How long platform A lets a call last when nothing is said. */
const defaultSeconds = 600;

/** Platform A: one assistant object, with the prompt among its model's messages. */
export function readPlatformA(assistant: Fields, findings: Findings): Reading {
  const model = fieldsOf(assistant.model);
  listToolsA(assistant, findings);
  listKnowledgeA(model, findings);
  listKnowledgeA(assistant, findings);
  if (textOf(assistant.voicemailMessage) !== '')
    findings.tell('The voicemail text is not used: agents leave no voicemail.');
  return {
    name: textOf(assistant.name),
    instructions: systemPrompt(assistant, findings),
    firstMessage: firstMessage(assistant, findings),
    speaksFirst: assistant.firstMessageMode !== 'assistant-waits-for-user',
    temperature: numberOf(model.temperature),
    closing: closingInstruction(textOf(assistant.endCallMessage), textsOf(assistant.endCallPhrases)),
    sessionSeconds: sessionSeconds(assistant, findings),
    webhook: textOf(fieldsOf(assistant.server).url) || textOf(assistant.serverUrl),
    reference: reference(assistant),
    known: {},
  };
}

/** The messages of the system in their order; older definitions have the prompt in a field of its own. */
function systemPrompt(assistant: Fields, findings: Findings): string {
  const model = fieldsOf(assistant.model);
  const messages = listOf(model.messages).map(fieldsOf);
  const system = messages.filter(({ role }) => role === 'system').map(contentOf);
  const joined = system.filter(content => content !== '').join('\n\n');
  const prompt = [joined, model.systemPrompt, model.systemMessage, assistant.systemPrompt]
    .map(textOf)
    .find(text => text !== '');
  if (messages.length > system.length) findings.warn('Messages of the model that are not the system’s were left out.');
  if (prompt === undefined) noPrompt(findings);
  return prompt ?? '';
}

function noPrompt(findings: Findings): void {
  findings.warn('The definition has no prompt.');
  findings.finish('instructions', 'Write the instructions: the definition has no prompt.');
}

/** Text, or a list of parts with text in them. */
function contentOf({ content }: Fields): string {
  const parts = listOf(content).map(part => textOf(part) || textOf(fieldsOf(part).text));
  return textOf(content) || parts.filter(part => part !== '').join('\n');
}

function firstMessage({ firstMessage: message, firstMessageMode: mode }: Fields, findings: Findings): string {
  const text = textOf(message);
  if (/^https?:\/\/\S+$/i.test(text)) {
    findings.finish('firstMessage', 'Write the first message: the definition plays a sound file.');
    return '';
  }
  if (mode === 'assistant-speaks-first-with-model-generated-message') {
    findings.tell(
      'The model makes the first message up' +
        (text === '' ? '.' : '; here the written one is said. Empty it to leave it to the model.'),
    );
  }
  return text;
}

function sessionSeconds({ maxDurationSeconds }: Fields, findings: Findings): number {
  const seconds = numberOf(maxDurationSeconds);
  if (seconds === undefined)
    findings.tell(`The definition sets no end to a session: it is the other platform’s ${defaultSeconds / 60} min.`);
  return seconds ?? defaultSeconds;
}

function reference(assistant: Fields): Reading['reference'] {
  const [model, voice, transcriber] = [assistant.model, assistant.voice, assistant.transcriber].map(fieldsOf) as [
    Fields,
    Fields,
    Fields,
  ];
  return {
    provider: textOf(model.provider),
    model: textOf(model.model) || textOf(assistant.model),
    voice: textOf(assistant.voice) || joined(voice.provider, voice.voiceId ?? voice.voice),
    transcriber:
      textOf(assistant.transcriber) || joined(transcriber.provider, transcriber.model ?? transcriber.speechModel),
    language: textsOf(transcriber.language ?? transcriber.languages).join(', ') || textOf(voice.language),
  };
}

function joined(...parts: unknown[]): string {
  return parts
    .map(textOf)
    .filter(part => part !== '')
    .join(' / ');
}
