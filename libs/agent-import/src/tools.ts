import { cutText } from './characters.js';
import { fieldsOf, textOf, type Fields } from './fields.js';
import type { Findings } from './findings.js';

export interface Tool {
  kind: string;
  name: string;
  fields: Fields;
}

/** The entries of a list of tools; what stands in the list's place is listed as it is. */
export function readTools(list: unknown, findings: Findings, state?: string): Tool[] {
  if (Array.isArray(list)) return list.map(readTool).filter(tool => tool !== undefined);
  const text = textOf(list);
  if (text !== '') {
    findings.finish(
      'tool',
      `Recreate the tools that the definition keeps elsewhere: it only says “${cutText(text, 200)}”.`,
      state,
    );
  }
  return [];
}

function readTool(entry: unknown): Tool | undefined {
  if (typeof entry === 'string') return entry.trim() === '' ? undefined : { kind: '', name: entry.trim(), fields: {} };
  const fields = fieldsOf(entry);
  const details = fieldsOf(fields.function);
  const kind =
    textOf(fields.type) || (fields.function === undefined && fields.parameters === undefined ? '' : 'function');
  const name = textOf(fields.name) || textOf(details.name) || kind;
  return name === '' ? undefined : { kind, name, fields };
}

/** What the kinds of both platforms are made anew as; a kind of any other sort is for whoever does it to choose. */
const counterparts: readonly [RegExp, string][] = [
  [/calendar|_cal$/i, 'a calendar tool'],
  [/^(?:make|ghl|n8n|zapier|code|bash|computer|textEditor)$/i, 'an automation tool'],
  [/^(?:function|custom|apiRequest)$/i, 'a webhook tool'],
  [/^(?:mcp|slack|sms|send_sms|query|gohighlevel|google\.sheets)(?:\.|$)/i, 'an integration tool'],
];

export function listTool({ kind, name }: Tool, findings: Findings, state?: string): void {
  const counterpart = counterparts.find(([pattern]) => pattern.test(kind))?.[1] ?? 'an agent tool';
  const what = kind === '' ? '' : ` (${cutText(kind, 64)})`;
  findings.finish('tool', `Recreate the tool “${cutText(name, 128)}”${what} as ${counterpart}.`, state);
}

export function listToolID(id: string, findings: Findings): void {
  findings.finish('tool', `Recreate the tool with the id “${cutText(id, 128)}” as an agent tool.`);
}
