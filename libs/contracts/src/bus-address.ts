/**
 * Where a message goes on the bus. `Request` and `Reply` exist for the compiler alone: they tie a
 * subject to what travels on it, so that neither side can send or expect anything else.
 */
export interface CommandAddress<Request, Reply> {
  /** The bus subject, e.g. `rtms.sfu.sfu-1.session.open`. */
  readonly subject: string;
  readonly request?: Request;
  readonly reply?: Reply;
}

/** A command that one node of a role answers: `forNode('sfu-1').subject` is `rtms.sfu.sfu-1.session.open`. */
export interface NodeCommand<Request, Reply> {
  readonly name: string;
  forNode(nodeID: string): CommandAddress<Request, Reply>;
}

export type NodeRole = 'sfu' | 'transcoder';

export function nodeCommand<Request, Reply>(role: NodeRole, name: string): NodeCommand<Request, Reply> {
  return { name, forNode: nodeID => ({ subject: `rtms.${role}.${nodeID}.${name}` }) };
}

/** A command that whoever owns one resource answers; nobody listens while nobody owns it. */
export interface ResourceCommand<Request, Reply> {
  forResource(resourceID: string): CommandAddress<Request, Reply>;
}

export function resourceCommand<Request, Reply>(prefix: string, name: string): ResourceCommand<Request, Reply> {
  return { forResource: resourceID => ({ subject: `${prefix}.${resourceID}.${name}` }) };
}
