import { cutText } from './characters.js';
import type { Findings } from './findings.js';
import type { Counterpart, DefinitionPart } from './imported-agent.js';
import { isGiven, type Place } from './place.js';

export interface Tool {
  type: string;
  name: string;
  place: Place;
}

/** The entries of a list of tools; a text in the list's place is listed as it is. */
export function readTools(list: Place, findings: Findings, part?: DefinitionPart): Tool[] {
  const text = list.label();
  if (text !== '') findings.finish('tools_elsewhere', list.path, { text: cutText(text, 200) }, part);
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

/** The kinds of tool that replace those of both platforms. A person chooses one for any other type. */
const counterparts: readonly [RegExp, Counterpart][] = [
  [/calendar|_cal$/i, 'calendar'],
  [/^(?:make|ghl|n8n|zapier|code|bash|computer|textEditor)$/i, 'automation'],
  [/^(?:function|custom|apiRequest)$/i, 'webhook'],
  [/^(?:mcp|slack|sms|send_sms|query|gohighlevel|google\.sheets)(?:\.|$)/i, 'integration'],
];

const voicemailTool = /^(?:leave_)?voicemail$/i;

export function listTool({ type, name, place }: Tool, findings: Findings, part?: DefinitionPart): void {
  if (voicemailTool.test(type)) return findings.note('voicemail_unused', place.path, {});
  const counterpart = counterparts.find(([pattern]) => pattern.test(type))?.[1] ?? 'agent';
  findings.finish('tool', place.path, { name: cutText(name, 128), type: cutText(type, 64), counterpart }, part);
}

export function listToolID(id: string, path: string, findings: Findings, part?: DefinitionPart): void {
  findings.finish('tool_id', path, { id: cutText(id, 128) }, part);
}
