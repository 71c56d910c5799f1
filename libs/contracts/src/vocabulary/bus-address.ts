/**
 * A NATS subject with the types of its request and reply. The types exist only for the compiler, which checks both sides.
 */
export interface CommandAddress<Request, Reply> {
  /** The bus subject, e.g. `rtms.sfu.sfu-1.session.open`. */
  readonly subject: string;
  readonly request?: Request;
  readonly reply?: Reply;
}

/** A command for one node: `forNode('sfu-1').subject` is `rtms.sfu.sfu-1.session.open`. */
export interface NodeCommand<Request, Reply> {
  readonly role: NodeRole;
  readonly name: string;
  forNode(nodeID: string): CommandAddress<Request, Reply>;
}

export const nodeRoles = ['sfu', 'transcoder', 'ingest'] as const;
export type NodeRole = (typeof nodeRoles)[number];

/** A request or a reply without fields. */
export type Nothing = Record<string, never>;

export function sfuCommand<Request, Reply = Nothing>(name: string): NodeCommand<Request, Reply> {
  return nodeCommand('sfu', name);
}

export function transcoderCommand<Request, Reply = Nothing>(name: string): NodeCommand<Request, Reply> {
  return nodeCommand('transcoder', name);
}

export function ingestCommand<Request, Reply = Nothing>(name: string): NodeCommand<Request, Reply> {
  return nodeCommand('ingest', name);
}

function nodeCommand<Request, Reply>(role: NodeRole, name: string): NodeCommand<Request, Reply> {
  return { role, name, forNode: nodeID => ({ subject: `rtms.${role}.${nodeID}.${name}` }) };
}

/** A command for the node that owns a resource. There is no responder without an owner. */
export interface ResourceCommand<Request, Reply> {
  forResource(resourceID: string): CommandAddress<Request, Reply>;
}

export function resourceCommand<Request, Reply>(prefix: string, name: string): ResourceCommand<Request, Reply> {
  return { forResource: resourceID => ({ subject: `${prefix}.${resourceID}.${name}` }) };
}
