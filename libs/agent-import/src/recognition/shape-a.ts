import { isFields, type Place } from '../definition/place.js';

const modelFields = [
  ...['provider', 'model', 'messages', 'systemPrompt', 'systemMessage', 'tools', 'toolIds', 'toolRefs', 'functions'],
];
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

export function isAssistant(place: Place): boolean {
  return (
    place.at('model').has(modelFields) ||
    place.has(assistantFields) ||
    place.at('voice').has(['voiceId']) ||
    isFields(place.at('transcriber').value)
  );
}

/** Several assistants that hand over to each other. */
export function isSquad(place: Place): boolean {
  return place
    .at('members')
    .items()
    .some(member => member.has(['assistant', 'assistantId']));
}

const workflowNodes =
  /^(?:start|say|gather|conversation|tool|apiRequest|transfer|transferCall|hangup|endCall|handoff)$/;

/** Other programs have nodes and edges as well, so the types of the nodes decide. */
export function isWorkflow(place: Place): boolean {
  const nodes = place.at('nodes');
  if (!Array.isArray(nodes.value)) return false;
  return (
    place.at('type').value === 'workflow' || nodes.items().some(node => workflowNodes.test(node.at('type').label()))
  );
}
