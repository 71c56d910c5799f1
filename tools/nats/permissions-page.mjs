// Writes the tables of docs/bus-permissions.md from deploy/nats/authorization.conf.
import { readFileSync, writeFileSync } from 'node:fs';

/** @typedef {{ user: string, direction: string, reason: string, subject: string }} Permission */

const [begin, end] = ['<!-- tables -->', '<!-- end of the tables -->'];

/**
 * @param {string} configuration
 * @returns {Permission[]} in the order of the file
 */
export function readPermissions(configuration) {
  const found = [];
  let [user, direction, reason] = ['', '', ''];
  for (const line of configuration.split('\n').map(each => each.trim())) {
    user = /^user: (\w+)$/.exec(line)?.[1] ?? user;
    direction = /^(publish|subscribe): \{$/.exec(line)?.[1] ?? direction;
    reason = /^# (.+)$/.exec(line)?.[1] ?? reason;
    const subject = /^"([^"]+)"$/.exec(line)?.[1];
    if (subject !== undefined) found.push({ user, direction, reason, subject });
  }
  return found;
}

/** @param {Permission[]} permissions */
export function permissionTables(permissions) {
  const users = [...new Set(permissions.map(({ user }) => user))];
  return users.map(user => tableOf(user, permissions)).join('\n\n');
}

/** @param {string} user @param {Permission[]} all */
function tableOf(user, all) {
  const own = all.filter(each => each.user === user);
  const reasons = [...new Set(own.map(({ direction, reason }) => `${direction} ${reason}`))];
  const rows = reasons.map(each => {
    const group = own.filter(({ direction, reason }) => `${direction} ${reason}` === each);
    const subjects = group.map(({ subject }) => `\`${subject}\``).join(' ');
    return `| ${group[0]?.direction} | ${group[0]?.reason} | ${subjects} |`;
  });
  return [`### ${user}`, '', '| may | what for | subjects |', '| --- | --- | --- |', ...rows].join('\n');
}

/** @param {string} page @param {string} tables */
export function withTables(page, tables) {
  const [before] = page.split(begin);
  const [, after] = page.split(end);
  return `${before}${begin}\n\n${tables}\n\n${end}${after}`;
}

if (import.meta.filename === process.argv[1]) {
  const page = new URL('../../docs/bus-permissions.md', import.meta.url);
  const configuration = readFileSync(new URL('../../deploy/nats/authorization.conf', import.meta.url), 'utf8');
  writeFileSync(page, withTables(readFileSync(page, 'utf8'), permissionTables(readPermissions(configuration))));
}
