import { agentBounds } from '@rtms/contracts';
import { cutText } from './characters.js';
import type { FinishItem } from './imported-agent.js';

const { items: maxItems, characters: maxCharacters } = agentBounds.todo;

/** What is left to finish, as an agent's `todo` keeps it. */
export function todoOf(toFinish: readonly FinishItem[]): string[] {
  const texts = toFinish.map(({ state, text }) =>
    cutText(state === undefined ? text : `State “${state}”: ${text}`, maxCharacters),
  );
  if (texts.length <= maxItems) return texts;
  const kept = texts.slice(0, maxItems - 1);
  return [...kept, `And ${texts.length - kept.length} more: compare with the definition.`];
}
