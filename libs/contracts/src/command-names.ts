import { ingestCommands, ingestQuestions } from './ingest-commands.js';
import { placeRepair } from './repairs.js';
import { broadcastOrigin, transcoderCommands } from './transcoder-commands.js';
import { relayCommands } from './relay-commands.js';
import { endpointState, roomSignalling, sfuCommands } from './sfu-commands.js';

/** Removes the third token, which is the node or resource ID. */
function withoutName(subject: string): string {
  const [, owner = '', , ...command] = subject.split('.');
  return [owner, ...command].join('.');
}

const subjects = [
  ...[
    ...[...Object.values(sfuCommands), ...Object.values(relayCommands)],
    ...[...Object.values(transcoderCommands), ...Object.values(ingestCommands)],
  ].map(each => each.forNode('n').subject),
  ...[broadcastOrigin, roomSignalling].map(each => each.forResource('n').subject),
  ...[endpointState, placeRepair].map(each => each.subject),
  ...Object.values(ingestQuestions).map(each => each.subject),
];

/** All commands, e.g. `sfu.session.open`. */
export const commandNames: readonly string[] = subjects.map(withoutName);
const known = new Set(commandNames);

/** Returns the command of a subject without the node or resource ID; `other` for an unknown subject. */
export function commandNameOf(subject: string): string {
  const name = withoutName(subject);
  return known.has(name) ? name : 'other';
}
