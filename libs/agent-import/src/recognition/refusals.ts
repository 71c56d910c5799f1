import { cutText } from '../findings/characters.js';
import type { FailureValues, ImportFailure, ImportFailureCode } from '../findings/imported-agent.js';
import type { Place } from '../definition/place.js';

export type Refusal = ImportFailure & { platform?: undefined };

const maxNames = 20;

export function refusal<Code extends ImportFailureCode>(code: Code, values: FailureValues[Code]): Refusal {
  return { code, values } as Refusal;
}

export function squadRefusal(members: readonly Place[]): Refusal {
  return refusal('squad', namesOf(members.map(memberName)));
}

export function severalDefinitions(definitions: readonly Place[]): Refusal {
  const names = namesOf(definitions.map(definitionName));
  return refusal('several_definitions', { count: definitions.length, ...names });
}

function memberName(member: Place): string {
  return member.at('assistant').at('name').label() || member.at('assistantId').label();
}

function definitionName(definition: Place): string {
  const places = [definition, definition.at('assistant'), definition.at('agent')];
  const names = places.flatMap(place => [place.at('name').label(), place.at('agent_name').label()]);
  return names.find(name => name !== '') ?? '';
}

function namesOf(names: readonly string[]): { names: string[]; more: number } {
  const known = names.filter(name => name !== '');
  const shown = known.slice(0, maxNames).map(name => cutText(name.replace(/\s+/g, ' '), 64));
  return { names: shown, more: known.length - shown.length };
}
