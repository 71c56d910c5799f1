import type { Fields } from './fields.js';
import type { Findings } from './findings.js';
import { listTool, readTools, type Tool } from './tools.js';
import { destinationsB, listTransfer } from './transfers.js';

export function listToolsB(llm: Fields, findings: Findings): void {
  for (const tools of [llm.general_tools, llm.tools]) listAll(readTools(tools, findings), findings);
  listAll(
    readTools(llm.mcps, findings).map(tool => ({ ...tool, kind: 'mcp' })),
    findings,
  );
}

export function listStateTools(state: Fields, findings: Findings, title: string): void {
  listAll(readTools(state.tools, findings, title), findings, title);
}

function listAll(tools: readonly Tool[], findings: Findings, state?: string): void {
  for (const tool of tools) {
    if (tool.kind === 'transfer_call') listTransfer(tool.name, destinationsB(tool.fields), findings, state);
    else listTool(tool, findings, state);
  }
}
