import { Injectable } from '@nestjs/common';
import { sfuCommands, type NodeCommand, type NodeLease, type RtpDescription } from '@rtms/contracts';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { tryNodes } from '../nodes/try-nodes.js';
import { RoomChangesService } from '../../rooms/life/room-changes.service.js';
import { RoomHomesService } from '../nodes/room-homes.service.js';

/** Sends commands to the media node of a room. */
@Injectable()
export class NodeMediaService {
  constructor(
    private readonly homes: RoomHomesService,
    private readonly changes: RoomChangesService,
    private readonly commands: WorkerCommandsService,
  ) {}

  /** Opens media for a participant. Places the room on a node when it has none. */
  async open(meetingID: string, participantID: string): Promise<RtpDescription> {
    const choose = await this.homes.chooserFor(meetingID);
    const refusedBy = new Set<string>();
    return tryNodes(choose, async node => {
      const home = await this.settle(meetingID, node, refusedBy);
      refusedBy.add(home.nodeID);
      const address = sfuCommands.openMember.forNode(home.nodeID);
      return (await this.commands.ask(address, { meetingID, participantID })).routerRtpCapabilities;
    });
  }

  /** Fails with the errors of `Bus.request`, and with SERVICE_UNAVAILABLE when no node holds the room. */
  async ask<Request extends object, Reply>(
    meetingID: string,
    command: NodeCommand<Request, Reply>,
    request: Request,
  ): Promise<Reply> {
    const { nodeID } = await this.homes.require(meetingID);
    return this.commands.ask(command.forNode(nodeID), request);
  }

  private settle(meetingID: string, node: NodeLease, refusedBy: ReadonlySet<string>): Promise<NodeLease> {
    return this.changes.run(meetingID, ({ manager }) => this.homes.claim(manager, meetingID, node, refusedBy));
  }
}
