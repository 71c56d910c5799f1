import { broadcastOrigin, transcoderCommands } from './broadcast-commands.js';
import { relayCommands } from './relay-commands.js';
import { endpointState, roomSignalling, sfuCommands } from './sfu-commands.js';

/** The third token is a node's or a resource's name; without it what stays is the command. */
function withoutName(subject: string): string {
  const [, owner = '', , ...command] = subject.split('.');
  return [owner, ...command].join('.');
}

const subjects = [
  ...[...Object.values(sfuCommands), ...Object.values(relayCommands), ...Object.values(transcoderCommands)].map(
    each => each.forNode('n').subject,
  ),
  ...[broadcastOrigin, roomSignalling].map(each => each.forResource('n').subject),
  endpointState.subject,
];

/** Every command there is, e.g. `sfu.session.open`. */
export const commandNames: readonly string[] = subjects.map(withoutName);
const known = new Set(commandNames);

/** Which command goes to a subject, whatever node or resource it is for; `other` for none of ours. */
export function commandNameOf(subject: string): string {
  const name = withoutName(subject);
  return known.has(name) ? name : 'other';
}
