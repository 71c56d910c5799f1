import { cutText } from '../findings/characters.js';
import type { Findings } from '../findings/findings.js';
import type { Counterpart } from '../findings/imported-agent.js';
import { isGiven, type Place } from './place.js';

export interface Tool {
  type: string;
  name: string;
  place: Place;
}

/** Reads a list of tools. A text instead of the list becomes a finding. */
export function readTools(list: Place, findings: Findings): Tool[] {
  const text = list.label();
  if (text !== '') findings.finish('tools_elsewhere', list.path, { text: cutText(text, 200) });
  return list
    .items()
    .map(readTool)
    .filter(tool => tool !== undefined);
}

export function readTool(place: Place): Tool | undefined {
  const { type, function: details, parameters } = place.fields;
  const isFunction = isGiven(details) || isGiven(parameters);
  const kind = place.at('type').label() || (type === undefined && isFunction ? 'function' : '');
  const name = place.label() || place.at('name').label() || place.at('function').at('name').label() || kind;
  return name === '' ? undefined : { type: kind, name, place };
}

/** Our counterparts of the platforms' tools. A person must choose one for any other type. */
const counterparts: readonly [RegExp, Counterpart][] = [
  [/calendar|_cal$/i, 'calendar'],
  [/^(?:make|ghl|n8n|zapier|code|bash|computer|textEditor)$/i, 'automation'],
  [/^(?:function|custom|apiRequest)$/i, 'webhook'],
  [/^(?:mcp|slack|sms|send_sms|query|gohighlevel|google\.sheets)(?:\.|$)/i, 'integration'],
];

const voicemailTool = /^(?:leave_)?voicemail$/i;

export function listTool({ type, name, place }: Tool, findings: Findings): void {
  if (voicemailTool.test(type)) return findings.note('voicemail_unused', place.path, {});
  const counterpart = counterparts.find(([pattern]) => pattern.test(type))?.[1] ?? 'agent';
  findings.finish('tool', place.path, { name: cutText(name, 128), type: cutText(type, 64), counterpart });
}

export function listToolID(id: string, path: string, findings: Findings): void {
  findings.finish('tool_id', path, { id: cutText(id, 128) });
}

/** Adds a finding per file ID. `ids` is a list or one ID. */
export function listKnowledgeFiles(ids: Place, findings: Findings): void {
  for (const { text, path } of ids.labels()) findings.finish('knowledge_file', path, { id: cutText(text, 128) });
}

/** Platform A: files, a server, or a knowledge base ID. */
export function listKnowledgeA(holder: Place, findings: Findings): void {
  const base = holder.at('knowledgeBase');
  listKnowledgeFiles(holder.at('knowledgeBaseId'), findings);
  if (typeof base.value === 'string') listKnowledgeFiles(base, findings);
  listKnowledgeBase(base, findings);
}

/** Files of platform A's `query` tools, the current way to attach knowledge. */
export function listQueryKnowledge(tool: Place, findings: Findings): void {
  listKnowledgeFiles(tool.at('fileIds'), findings);
  for (const base of tool.at('knowledgeBases').items()) listKnowledgeBase(base, findings);
}

function listKnowledgeBase(base: Place, findings: Findings): void {
  const files = base.at('fileIds');
  listKnowledgeFiles(files, findings);
  if (base.at('server').exists) findings.finish('knowledge_server', base.path, {});
  else if (files.labels().length === 0 && Object.keys(base.fields).length > 0)
    findings.finish('knowledge_base', base.path, {});
}
