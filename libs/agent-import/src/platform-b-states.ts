import { cutText } from './characters.js';
import { fieldsOf, listOf, textOf, type Fields } from './fields.js';
import type { Findings } from './findings.js';
import { listStateTools } from './platform-b-tools.js';

interface State {
  title: string;
  fields: Fields;
}

/** Each state as a block under its title. */
export function statePrompts(llm: Fields): string[] {
  return statesOf(llm).map(({ title, fields }) => `## ${title}\n${textOf(fields.state_prompt)}`.trim());
}

/** Where a state leads and what it can use is for people to put into words. */
export function listStates(llm: Fields, findings: Findings): void {
  for (const { title, fields } of statesOf(llm)) {
    const state = cutText(title, 128);
    for (const edge of listOf(fields.edges).map(fieldsOf)) listEdge(edge, findings, state);
    listStateTools(fields, findings, state);
  }
}

/** The starting state, where one is named, then the others as they stand. */
function statesOf({ states, starting_state: starting }: Fields): State[] {
  const all = listOf(states).map((state, index) => {
    const fields = fieldsOf(state);
    return { title: textOf(fields.name) || `State ${index + 1}`, fields };
  });
  const first = textOf(starting);
  return [...all.filter(({ title }) => title === first), ...all.filter(({ title }) => title !== first)];
}

function listEdge(edge: Fields, findings: Findings, state: string): void {
  const to = textOf(edge.destination_state_name);
  const when = textOf(edge.description);
  if (to === '' && when === '') return;
  const where = to === '' ? 'another state' : `“${cutText(to, 96)}”`;
  const condition = when === '' ? '' : ` when: ${cutText(when, 200)}`;
  findings.finish('transition', `Check that the instructions say when to go on to ${where}${condition}`, state);
}
