import { readFileSync } from 'node:fs';
import {
  broadcastTransitions,
  externalSessionTransitions,
  playbackTransitions,
  recordingTransitions,
  restreamTransitions,
  roomTransitions,
  type TransitionTable,
} from '@rtms/contracts';

const tables: Record<string, TransitionTable<string>> = {
  room: roomTransitions,
  'external session': externalSessionTransitions,
  playback: playbackTransitions,
  broadcast: broadcastTransitions,
  restream: restreamTransitions,
  recording: recordingTransitions,
};

it('the page about concepts has each state of each resource', () => {
  const page = readFileSync('docs/concepts.md', 'utf8');
  const [, section = ''] = /^## States\n([^]*?)^## /m.exec(page) ?? [];
  const rows = [...section.matchAll(/^\| ([a-z ]+?) +\| (.+?) *\| (.+?) *\|$/gm)];
  const statesOf = (cell: string): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, state = '']) => state);
  const documented = rows.map(([, name, states = '', final = '']) => [name, statesOf(states), statesOf(final)]);
  expect(documented).toEqual(
    Object.entries(tables).map(([name, table]) => {
      const isFinal = (state: string): boolean => table[state]?.length === 0;
      const states = Object.keys(table);
      return [name, states.filter(state => !isFinal(state)), states.filter(isFinal)];
    }),
  );
});
