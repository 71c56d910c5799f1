// Writes down at which address this node is reached from outside of the cluster.
import { readFileSync, writeFileSync } from 'node:fs';

const { NODE_NAME = '', KUBERNETES_API = '', CREDENTIALS = '', ADDRESS_FILE = '' } = process.env;
const authorization = `Bearer ${readFileSync(`${CREDENTIALS}/token`, 'utf8').trim()}`;
const answer = await fetch(`${KUBERNETES_API}/api/v1/nodes/${NODE_NAME}`, { headers: { authorization } });
if (!answer.ok) throw new Error(`The node ${NODE_NAME} cannot be read: ${answer.status}`);
const { metadata, status } = await answer.json();
const external = status.addresses.find(({ type }) => type === 'ExternalIP')?.address;
const address = metadata.annotations?.['rtms/announced-address'] ?? external;
if (!address) {
  throw new Error(
    `The node ${NODE_NAME} has no ExternalIP: kubectl annotate node ${NODE_NAME} rtms/announced-address=…`,
  );
}
writeFileSync(ADDRESS_FILE, address);
