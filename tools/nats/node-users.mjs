// Prints deploy/nats/authorization.conf with a user of its own for each named node: node tools/nats/node-users.mjs sfu-1 …
import { readFileSync } from 'node:fs';

/** Of `RTMS_NODE_ID`, beginning with the role. */
const namePattern = /^(sfu|transcoder|ingest)-[A-Za-z0-9_-]{1,53}$/;

/**
 * @param {string} configuration that of the roles
 * @param {string[]} nodes
 * @returns {string}
 */
export function withNodeUsers(configuration, nodes) {
  const blocks = nodes.map(node => nodeBlock(configuration, node));
  const end = configuration.lastIndexOf('\n  ]\n}');
  return `${configuration.slice(0, end)}\n${blocks.join('\n')}${configuration.slice(end)}`;
}

/** The block of the role, with the node's name where the role has a wildcard for itself. @param {string} configuration @param {string} node */
function nodeBlock(configuration, node) {
  const role = namePattern.exec(node)?.[1];
  if (role === undefined)
    throw new Error(`${node} must begin with sfu-, transcoder- or ingest- and have letters, digits, _ and -.`);
  const start = configuration.indexOf(`    {\n      user: ${role}\n`);
  const block = configuration.slice(start, configuration.indexOf('\n    }', start) + '\n    }'.length);
  return block
    .replace(`user: ${role}\n`, `user: ${node}\n`)
    .replace(/password: \$\w+/, `password: $${passwordVariable(node)}`)
    .replace(`"$KV.rtms_leases.${role}.*"`, `"$KV.rtms_leases.${role}.${node}"`)
    .replace('"rtms.relay.*.load"', `"rtms.relay.${node}.load"`)
    .replace(`"rtms.${role}.>"`, `"rtms.${role}.${node}.>"`);
}

/** `sfu-1` → `NATS_SFU_1_PASSWORD`. @param {string} node */
export function passwordVariable(node) {
  return `NATS_${node.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_PASSWORD`;
}

if (import.meta.filename === process.argv[1]) {
  const roles = readFileSync(new URL('../../deploy/nats/authorization.conf', import.meta.url), 'utf8');
  process.stdout.write(withNodeUsers(roles, process.argv.slice(2)));
}
