import type { NodeLease } from '@rtms/contracts';
import type { MediaResource } from './media-resource.entity.js';

/** The columns that a new row of any media resource begins with. */
export function makeMediaRow(
  id: string,
  { accountID, meetingID }: Pick<MediaResource, 'accountID' | 'meetingID'>,
  now: Date,
): MediaResource {
  return {
    id,
    accountID,
    meetingID,
    ...unplaced(now),
    graceUntil: null,
    createdAt: now,
    activatedAt: null,
    endedAt: null,
    endReason: null,
  };
}

type PlacementColumns = Pick<MediaResource, 'nodeID' | 'nodeEpoch' | 'placedAt' | 'factSequence'>;

function unplaced(now: Date): PlacementColumns {
  return { nodeID: null, nodeEpoch: null, placedAt: now, factSequence: 0 };
}

/** A node takes the row over: its facts count from the first one on. */
export function placedOn({ nodeID, epoch }: Pick<NodeLease, 'nodeID' | 'epoch'>, now: Date): PlacementColumns {
  return { nodeID, nodeEpoch: epoch, placedAt: now, factSequence: 0 };
}
