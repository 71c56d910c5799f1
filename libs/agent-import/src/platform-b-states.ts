import { cutText } from './characters.js';
import { noteUntaken } from './coverage.js';
import type { Findings } from './findings.js';
import type { Place } from './place.js';
import { listAllB } from './platform-b-tools.js';

interface State {
  title: string;
  place: Place;
}

/** Each state as a block under its title. */
export function statePrompts(llm: Place): string[] {
  return statesOf(llm).map(({ title, place }) => `## ${title}\n${place.at('state_prompt').prose()}`.trim());
}

/** The ways out of a state and its tools are for people to put into words. */
export function listStates(llm: Place, findings: Findings): void {
  const states = statesOf(llm);
  for (const { title, place } of states) {
    const part = { type: 'state', name: cutText(title, 128) } as const;
    for (const edge of place.at('edges').items()) {
      const [to, when] = [edge.at('destination_state_name').label(), edge.at('description').prose()];
      if (to !== '' || when !== '')
        findings.finish('transition', edge.path, { to: cutText(to, 96), when: cutText(when, 200) }, part);
    }
    listAllB(place.at('tools'), findings, part);
  }
  const places = states.map(({ place }) => place);
  const edges = places.flatMap(place => place.at('edges').items());
  noteUntaken(`${llm.at('states').path}[]`, places, ['state'], findings);
  noteUntaken(`${llm.at('states').path}[].edges[]`, edges, ['edge'], findings);
}

/** The starting state, where one is named, then the others as they stand. */
function statesOf(llm: Place): State[] {
  const all = llm
    .at('states')
    .items()
    .map((place, index) => ({ title: place.at('name').label() || `State ${index + 1}`, place }));
  const first = llm.at('starting_state').label();
  return [...all.filter(({ title }) => title === first), ...all.filter(({ title }) => title !== first)];
}
