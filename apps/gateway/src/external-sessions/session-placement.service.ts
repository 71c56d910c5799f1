import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { NodeLease } from '@rtms/contracts';
import { IsNull, Not, Repository } from 'typeorm';
import { NodeRegistry } from '../nodes/node-registry.js';
import { noController, requireNode } from '../nodes/require-node.js';
import { ExternalSession } from './external-session.entity.js';

/** Which media node a session goes to: all sessions of a room to the one that has the room. */
@Injectable()
export class SessionPlacement {
  constructor(
    @InjectRepository(ExternalSession) private readonly sessions: Repository<ExternalSession>,
    private readonly nodes: NodeRegistry,
  ) {}

  /** A function that chooses among the nodes not excluded; it throws when none can be chosen. */
  async chooserFor(meetingID: string): Promise<(excluded: ReadonlySet<string>) => NodeLease> {
    const home = await this.homeOf(meetingID);
    return excluded => {
      if (home === undefined) return requireNode(this.nodes.list('sfu'), excluded);
      if (home.draining || excluded.has(home.nodeID)) throw noController();
      return home;
    };
  }

  /** A node keeps a room until the room ends, also when no session is left in it. */
  private async homeOf(meetingID: string): Promise<NodeLease | undefined> {
    const last = await this.sessions.findOne({
      where: { meetingID, nodeID: Not(IsNull()) },
      order: { placedAt: 'DESC', id: 'DESC' },
    });
    if (!last?.nodeID) return undefined;
    const node = this.nodes.find('sfu', last.nodeID);
    return node?.epoch === last.nodeEpoch ? node : undefined;
  }
}
