import { agentBounds } from '@rtms/contracts';
import { cutText } from './characters.js';
import { describeFinding, describePart } from './finding-texts.js';
import type { FinishItem } from './imported-agent.js';

const { items: maxItems, characters: maxCharacters } = agentBounds.todo;

/** The items that are left to finish, as an agent's `todo` keeps them. */
export function todoOf(toFinish: readonly FinishItem[]): string[] {
  if (toFinish.length <= maxItems) return toFinish.map(textOf);
  const rest = toFinish.slice(maxItems - 1).map(item => (item.code === 'more_items' ? item.values.count : 1));
  const count = rest.reduce((sum, one) => sum + one, 0);
  return [...toFinish.slice(0, maxItems - 1).map(textOf), describeFinding({ code: 'more_items', values: { count } })];
}

function textOf(item: FinishItem): string {
  const text = describeFinding(item);
  return cutText(item.part ? `${describePart(item.part)}: ${text}` : text, maxCharacters);
}
