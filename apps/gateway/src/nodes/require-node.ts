import { ServiceError, type NodeLease } from '@rtms/contracts';
import { chooseNode } from './choose-node.js';

/** As `chooseNode`; throws when there is none to choose. */
export function requireNode(nodes: readonly NodeLease[], excluded?: ReadonlySet<string>): NodeLease {
  const choice = chooseNode(nodes, excluded);
  switch (choice.kind) {
    case 'chosen':
      return choice.node;
    case 'full':
      throw new ServiceError('capacity_reached', 'All media workers are full. Try again later.');
    case 'none':
      throw noController();
    default:
      return choice satisfies never;
  }
}

export function noController(): ServiceError {
  return new ServiceError('controller_unavailable', 'No media worker can take this right now. Try again in a moment.');
}
