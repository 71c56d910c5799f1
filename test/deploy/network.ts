import { BlockList, isIPv4 } from 'node:net';
import { selects } from './pods.js';
import { ofKind, type Manifest, type Loose } from './render.js';

/** An end of a connection: a pod by its labels, or an address (a node, a pod on its network, or a machine outside). */
export interface Peer {
  namespace?: string;
  labels?: Record<string, string>;
  address?: string;
}

export interface Port {
  protocol: 'TCP' | 'UDP';
  port: number;
}

/** Whether the network policies let one open a connection to the other. */
export function mayReach(manifests: readonly Manifest[], from: Peer, to: Peer, port: Port): boolean {
  const policies = ofKind(manifests, 'NetworkPolicy');
  return allows(policies, 'Egress', from, to, port) && allows(policies, 'Ingress', to, from, port);
}

type Direction = 'Ingress' | 'Egress';

function allows(policies: readonly Manifest[], direction: Direction, self: Peer, other: Peer, port: Port): boolean {
  const concerned = policies.filter(
    ({ metadata, spec }) =>
      self.labels !== undefined &&
      metadata.namespace === self.namespace &&
      spec.policyTypes.includes(direction) &&
      selects(spec.podSelector, self.labels),
  );
  if (concerned.length === 0) return true;
  const [rules, peers] = direction === 'Ingress' ? ['ingress', 'from'] : ['egress', 'to'];
  return concerned.some(({ metadata, spec }) =>
    (spec[rules] ?? []).some(
      (rule: Loose) =>
        (rule[peers] ?? []).some((peer: Loose) => isPeer(peer, metadata.namespace, other)) &&
        rule.ports.some((each: Loose) => isPort(each, port)),
    ),
  );
}

function isPeer(
  { ipBlock, namespaceSelector, podSelector }: Loose,
  ownNamespace: string | undefined,
  other: Peer,
): boolean {
  if (ipBlock) return other.address !== undefined && isInside(ipBlock, other.address);
  if (other.labels === undefined) return false;
  const namespace = namespaceSelector
    ? selects(namespaceSelector, { 'kubernetes.io/metadata.name': other.namespace ?? '' })
    : other.namespace === ownNamespace;
  return namespace && selects(podSelector, other.labels);
}

function isInside({ cidr, except = [] }: { cidr: string; except?: string[] }, address: string): boolean {
  return covers(cidr, address) && !except.some(each => covers(each, address));
}

function covers(network: string, address: string): boolean {
  const [base = '', prefix] = network.split('/');
  const list = new BlockList();
  list.addSubnet(base, Number(prefix), isIPv4(base) ? 'ipv4' : 'ipv6');
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

function isPort({ protocol, port, endPort = port }: Loose, wanted: Port): boolean {
  return protocol === wanted.protocol && port <= wanted.port && wanted.port <= endPort;
}
