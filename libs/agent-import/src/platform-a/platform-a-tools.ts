import { cutText } from '../findings/characters.js';
import type { Findings } from '../findings/findings.js';
import { listQueryKnowledge, listTool, listToolID, readTool, readTools, type Tool } from '../definition/tools.js';
import type { Place } from '../definition/place.js';
import { destinationsA, forwardingNumbers, listTransfer } from '../definition/transfers.js';

/** Tools are in the model or, in older definitions, beside it. IDs and references name tools outside the definition. */
export function listToolsA(assistant: Place, findings: Findings): void {
  const model = assistant.at('model');
  const lists = [model.at('tools'), model.at('functions'), assistant.at('tools'), assistant.at('functions')];
  const tools = lists.flatMap(list => readTools(list, findings));
  for (const tool of tools) listToolA(tool, findings);
  const written = new Set(tools.map(({ place }) => place.at('id').label()));
  for (const { text, path } of [model, assistant].flatMap(toolIDs))
    if (!written.has(text)) listToolID(text, path, findings);
  listTransfer('forwarding', forwardingNumbers(assistant), findings);
  listSwitches(assistant, findings);
  for (const hook of assistant.at('hooks').items()) listHook(hook, findings);
}

/** `toolIds`, and `toolRefs`, which pin a version of each. */
function toolIDs(holder: Place): { text: string; path: string }[] {
  const references = holder.at('toolRefs').items();
  const pinned = references.map(place => ({
    text: place.label() || place.at('toolId').label() || place.at('id').label(),
    path: place.path,
  }));
  return [...holder.at('toolIds').labels(), ...pinned.filter(({ text }) => text !== '')];
}

function listToolA(tool: Tool, findings: Findings): void {
  const { type, name, place } = tool;
  const isTransfer = type === 'transferCall' || (!place.at('type').exists && name === 'transferCall');
  if (isTransfer || type === 'handoff') return listTransfer(name, destinationsA(place), findings);
  if (type === 'query') listQueryKnowledge(place, findings);
  listTool(tool, findings);
}

/** Switches of the assistant that give the model a tool. */
const switches = { endCallFunctionEnabled: 'endCall', dialKeypadFunctionEnabled: 'dtmf' } as const;

function listSwitches(assistant: Place, findings: Findings): void {
  for (const [name, type] of Object.entries(switches)) {
    const place = assistant.at(name);
    if (place.value === true) listTool({ type, name: type, place }, findings);
  }
}

/** Lists the actions of a hook on an event of the call: a tool, a transfer, a text to say, and others. */
function listHook(hook: Place, findings: Findings): void {
  const name = cutText(hook.at('on').label() || 'unnamed', 128);
  const actions = hook.at('do').items();
  findings.within({ type: 'hook', name }, () => {
    for (const action of actions) listAction(action, findings);
    if (actions.length === 0) findings.finish('hook_action', hook.path, { action: name });
  });
}

function listAction(action: Place, findings: Findings): void {
  const type = action.at('type').label();
  const tool = readTool(action.at('tool'));
  const id = action.at('toolId').label();
  const said = saidBy(action);
  if (tool) listToolA(tool, findings);
  else if (id !== '') listToolID(id, action.path, findings);
  else if (action.has(['destination', 'destinations']))
    listTransfer(type || 'transfer', destinationsA(action), findings);
  else if (said !== '') findings.finish('hook_say', action.path, { text: cutText(said, 256) });
  else findings.finish('hook_action', action.path, { action: cutText(type, 64) || 'unnamed' });
}

/** The exact text, the first of several exact texts, or the prompt for a generated text. */
function saidBy(action: Place): string {
  const exact = action.at('exact');
  return [exact, ...exact.items(), action.at('prompt')].map(place => place.prose()).find(text => text !== '') ?? '';
}
