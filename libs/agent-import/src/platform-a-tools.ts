import { fieldsOf, textOf, type Fields } from './fields.js';
import type { Findings } from './findings.js';
import { textsOf } from './knowledge.js';
import { listTool, listToolID, readTools, type Tool } from './tools.js';
import { destinationsA, forwardingNumber, listTransfer } from './transfers.js';

/** Tools stand with the model or, in older definitions, beside it; `toolIds` name some that are kept elsewhere. */
export function listToolsA(assistant: Fields, findings: Findings): void {
  const model = fieldsOf(assistant.model);
  const lists = [model.tools, model.functions, assistant.tools, assistant.functions];
  const tools = lists.flatMap(list => readTools(list, findings));
  for (const tool of tools) list(tool, findings);
  const written = new Set(tools.map(({ fields }) => textOf(fields.id)));
  const ids = [...textsOf(model.toolIds), ...textsOf(assistant.toolIds)];
  for (const id of ids.filter(one => !written.has(one))) listToolID(id, findings);
  const forwarded = forwardingNumber(assistant);
  if (forwarded !== '') listTransfer('forwarding', [{ number: forwarded }], findings);
}

function list(tool: Tool, findings: Findings): void {
  if (isTransfer(tool)) listTransfer(tool.name, destinationsA(tool.fields), findings);
  else listTool(tool, findings);
}

function isTransfer({ kind, name, fields }: Tool): boolean {
  return kind === 'transferCall' || (fields.type === undefined && name === 'transferCall');
}
