import type { Findings } from './findings.js';
import type { DefinitionPart } from './imported-agent.js';
import type { Place } from './place.js';
import { listTool, readTools, type Tool } from './tools.js';
import { destinationB, listTransfer } from './transfers.js';

/** The tools of an LLM or a conversation flow. */
export function listToolsB(holder: Place, findings: Findings): void {
  for (const name of ['general_tools', 'tools']) listAllB(holder.at(name), findings);
  for (const tool of readTools(holder.at('mcps'), findings)) listTool({ ...tool, type: 'mcp' }, findings);
}

export function listAllB(tools: Place, findings: Findings, part?: DefinitionPart): void {
  for (const tool of readTools(tools, findings, part)) listToolB(tool, findings, part);
}

/** `agent_swap` hands over to another agent, which a transfer does here. */
export function listToolB(tool: Tool, findings: Findings, part?: DefinitionPart): void {
  const destination = destinationB(tool.place);
  const isTransfer = tool.type === 'transfer_call' || (tool.type === 'agent_swap' && destination.code === 'agent');
  if (isTransfer) listTransfer(tool.name, [destination], findings, part);
  else listTool(tool, findings, part);
}
