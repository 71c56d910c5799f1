import type { Findings } from '../findings/findings.js';
import type { Place } from '../definition/place.js';
import { listTool, readTools, type Tool } from '../definition/tools.js';
import { destinationB, listTransfer } from '../definition/transfers.js';
import { cutText } from '../findings/characters.js';
import { noteUntaken } from '../definition/coverage.js';

/** Lists the tools of an LLM or a conversation flow. */
export function listToolsB(holder: Place, findings: Findings): void {
  for (const name of ['general_tools', 'tools']) listAllB(holder.at(name), findings);
  for (const tool of readTools(holder.at('mcps'), findings)) listTool({ ...tool, type: 'mcp' }, findings);
}

export function listAllB(tools: Place, findings: Findings): void {
  for (const tool of readTools(tools, findings)) listToolB(tool, findings);
}

/** `agent_swap` corresponds to a transfer in this service. */
export function listToolB(tool: Tool, findings: Findings): void {
  const destination = destinationB(tool.place);
  const isTransfer = tool.type === 'transfer_call' || (tool.type === 'agent_swap' && destination.code === 'agent');
  if (isTransfer) listTransfer(tool.name, [destination], findings);
  else listTool(tool, findings);
}

export function listTransition(edge: Place, to: string, when: string, findings: Findings): void {
  if (to === '' && when === '') return;
  findings.finish('transition', edge.path, { to: cutText(to, 96), when: cutText(when, 200) });
}

interface State {
  title: string;
  place: Place;
}

/** Returns each state as a text block under its title. */
export function statePrompts(llm: Place): string[] {
  return statesOf(llm).map(({ title, place }) => `## ${title}\n${place.at('state_prompt').prose()}`.trim());
}

/** Lists transitions and tools of states as findings, because a person must describe them. */
export function listStates(llm: Place, findings: Findings): void {
  const states = statesOf(llm);
  for (const { title, place } of states) {
    findings.within({ type: 'state', name: cutText(title, 128) }, () => {
      for (const edge of place.at('edges').items()) {
        const [to, when] = [edge.at('destination_state_name').label(), edge.at('description').prose()];
        listTransition(edge, to, when, findings);
      }
      listAllB(place.at('tools'), findings);
    });
  }
  const places = states.map(({ place }) => place);
  const edges = places.flatMap(place => place.at('edges').items());
  noteUntaken(`${llm.at('states').path}[]`, places, ['state'], findings);
  noteUntaken(`${llm.at('states').path}[].edges[]`, edges, ['edge'], findings);
}

/** Returns the starting state first, then the others in order. */
function statesOf(llm: Place): State[] {
  const all = llm
    .at('states')
    .items()
    .map((place, index) => ({ title: place.at('name').label() || `State ${index + 1}`, place }));
  const first = llm.at('starting_state').label();
  return [...all.filter(({ title }) => title === first), ...all.filter(({ title }) => title !== first)];
}
