import { cutText } from '../findings/characters.js';
import { noteUntaken } from '../definition/coverage.js';
import type { Findings } from '../findings/findings.js';
import { listKnowledgeFiles, listToolID } from '../definition/tools.js';
import type { Place } from '../definition/place.js';
import { listAllB, listToolB, listToolsB, listTransition } from './platform-b-tools.js';
import { noPrompt, readNumber, type PromptReading } from '../definition/reading.js';

interface FlowNode {
  title: string;
  place: Place;
}

/** Types of nodes that speak or run one of the flow's tools. Nodes of other types are listed as tools. */
const speakingNodes: ReadonlySet<string> = new Set([
  '',
  'conversation',
  'subagent',
  'end',
  'function',
  'branch',
  'component',
]);

/**
 * A conversation flow as one prompt: `global_prompt`, then each node as a block under its title. Edges, tools and acting nodes
 * are listed to finish, as they are for states.
 */
export function readFlow(flow: Place, findings: Findings): PromptReading {
  const nodes = nodesOf(flow);
  const holders = holdersOf(flow);
  for (const holder of holders) listToolsB(holder, findings);
  listNodes(nodes, toolIDsOf(holders), findings);
  listKnowledgeFiles(flow.at('knowledge_base_ids'), findings);
  noteUntaken(`${flow.at('components').path}[]`, holders.slice(1), ['flow'], findings);
  noteUntaken(flow.at('model_choice').path, [flow.at('model_choice')], ['modelChoice'], findings);
  findings.note('flow_flattened', flow.at('nodes').path, { nodes: nodes.length });
  const blocks = [flow.at('global_prompt').prose(), ...nodes.map(blockOf)].filter(block => block !== '');
  const { path } = flow.at('global_prompt');
  const first = startsWithAgent(flow, nodes[0]);
  if (first) findings.note('first_message_generated', flow.at('start_speaker').path, {});
  return {
    instructions: blocks.length === 0 ? noPrompt(path, findings) : { text: blocks.join('\n\n'), path },
    firstMessage: { text: '', path: '' },
    speaksFirst: first,
    temperature: readNumber(flow.at('model_temperature'), findings),
    model: flow.at('model_choice').at('model').label(),
    known: flow.at('default_dynamic_variables'),
  };
}

/** The flow and its components, which have nodes and tools of their own. */
function holdersOf(flow: Place): Place[] {
  return [flow, ...flow.at('components').items().flatMap(holdersOf)];
}

/** The starting node, then the others in their order, then those of the flow's components. */
function nodesOf(flow: Place): FlowNode[] {
  const all = flow.at('nodes').items();
  const first = flow.at('start_node_id').label();
  const isFirst = (node: Place) => first !== '' && node.at('id').label() === first;
  const own = [...all.filter(isFirst), ...all.filter(node => !isFirst(node))];
  const components = flow.at('components').items();
  const inside = components.flatMap(component =>
    nodesOf(component).map(({ title, place }) => ({ title: titleIn(component, title), place })),
  );
  return [...own.map((place, index) => ({ title: titleOf(place, index), place })), ...inside];
}

function titleOf(node: Place, index: number): string {
  return node.at('name').label() || node.at('id').label() || `Node ${index + 1}`;
}

function titleIn(component: Place, title: string): string {
  const name = component.at('name').label();
  return name === '' ? title : `${name}: ${title}`;
}

function blockOf({ title, place }: FlowNode): string {
  return `## ${title}\n${instructionOf(place)}`.trim();
}

/** `prompt` instructs the model, `static_text` is said word for word; older exports have a plain text. */
function instructionOf(node: Place): string {
  const instruction = node.at('instruction');
  const text = instruction.prose() || instruction.at('text').prose();
  return instruction.at('type').value === 'static_text' && text !== '' ? `Say: “${text}”` : text;
}

function startsWithAgent(flow: Place, start: FlowNode | undefined): boolean {
  const speaker = flow.has(['start_speaker']) ? flow : start?.place;
  return speaker?.at('start_speaker').value !== 'user';
}

function toolIDsOf(holders: readonly Place[]): ReadonlySet<string> {
  const tools = holders.flatMap(holder => holder.at('tools').items());
  return new Set(tools.map(tool => tool.at('tool_id').label()));
}

function listNodes(nodes: readonly FlowNode[], written: ReadonlySet<string>, findings: Findings): void {
  const titles = new Map(nodes.map(({ title, place }) => [place.at('id').label(), title]));
  for (const node of nodes) listNode(node, titles, written, findings);
  const places = nodes.map(({ place }) => place);
  const path = places[0]?.path.replace(/\[\d+\]$/, '[]') ?? '';
  const speaking = places.filter(place => speakingNodes.has(place.at('type').label()));
  noteUntaken(path, speaking, ['node'], findings);
  noteUntaken(`${path}.edges[]`, places.flatMap(edgesOf), ['nodeEdge'], findings);
  const global = places.map(place => place.at('global_node_setting'));
  noteUntaken(`${path}.global_node_setting`, global, ['globalNode'], findings);
}

function listNode(
  { title, place }: FlowNode,
  titles: ReadonlyMap<string, string>,
  written: ReadonlySet<string>,
  findings: Findings,
): void {
  const name = cutText(title, 128);
  const type = place.at('type').label();
  const ids = [place.at('tool_id'), place.at('tool_ids')].flatMap(list => list.labels());
  const fromAnywhere = place.at('global_node_setting');
  findings.within({ type: 'node', name }, () => {
    if (!speakingNodes.has(type)) listToolB({ type, name: title, place }, findings);
    listAllB(place.at('tools'), findings);
    for (const { text, path } of ids) if (!written.has(text)) listToolID(text, path, findings);
    listKnowledgeFiles(place.at('knowledge_base_ids'), findings);
    for (const edge of edgesOf(place)) {
      const id = edge.at('destination_node_id').label();
      listTransition(edge, titles.get(id) ?? id, conditionOf(edge), findings);
    }
    if (fromAnywhere.has(['condition'])) listTransition(fromAnywhere, name, conditionOf(fromAnywhere), findings);
  });
}

/** Nodes of some types have these fields instead of `edges`, or in addition. */
const edgeNames = ['edge', 'else_edge', 'always_edge', 'skip_response_edge', 'success_edge', 'failed_edge'];

function edgesOf(node: Place): Place[] {
  const single = edgeNames.map(name => node.at(name));
  const back = node.at('global_node_setting').at('go_back_conditions').items();
  return [...node.at('edges').items(), ...single, ...back].filter(({ fields }) => Object.keys(fields).length > 0);
}

/** A condition in words, or equations such as `age > 18`. */
function conditionOf(edge: Place): string {
  const condition = edge.at('transition_condition');
  const words = condition.prose() || condition.at('prompt').prose() || edge.at('condition').prose();
  const equations = condition.at('equations').items().map(equationText);
  const joint = condition.at('operator').value === '&&' ? ' and ' : ' or ';
  return words || equations.join(joint);
}

function equationText(equation: Place): string {
  const parts = ['left', 'operator', 'right'].map(name => {
    const part = equation.at(name);
    return part.prose() || (part.number() === undefined ? '' : String(part.number()));
  });
  return parts.filter(part => part !== '').join(' ');
}
