import { fieldsOf, hasAny, isFields, listOf, type Fields } from './fields.js';

const modelFields = ['provider', 'model', 'messages', 'systemPrompt', 'systemMessage', 'tools', 'toolIds', 'functions'];
const assistantFields = [
  'firstMessage',
  'firstMessageMode',
  'endCallMessage',
  'endCallPhrases',
  'voicemailMessage',
  'maxDurationSeconds',
  'systemPrompt',
  'serverUrl',
  'forwardingPhoneNumber',
];

export function isAssistant(fields: Fields): boolean {
  const { model, voice, transcriber } = fields;
  const hasModel = hasAny(fieldsOf(model), modelFields);
  return hasModel || hasAny(fields, assistantFields) || hasAny(fieldsOf(voice), ['voiceId']) || isFields(transcriber);
}

/** Several assistants that hand over to each other. */
export function isSquad({ members }: Fields): boolean {
  return listOf(members).some(member => hasAny(fieldsOf(member), ['assistant', 'assistantId']));
}

export function isWorkflow({ nodes, edges, type }: Fields): boolean {
  return Array.isArray(nodes) && (Array.isArray(edges) || type === 'workflow' || nodes.length > 0);
}
