import { Inject, Injectable } from '@nestjs/common';
import type { Bus, Closeable } from '@rtms/bus';
import { pageOfInventory, sfuCommands, type NodeCommand } from '@rtms/contracts';
import { loggedCommand, type Logger } from '@rtms/logging';
import type { SfuConfig } from '../sfu.config.js';
import { BUS, LOGGER, SFU_CONFIG } from '../sfu.tokens.js';
import { Diagnosis } from '../diagnosis/diagnosis.service.js';
import { Drain } from './drain.js';
import { MemberCommands } from './member-commands.js';
import { NodeState } from './node-state.js';
import { RoomCommands } from './room-commands.js';

/** Answers this node's commands on the bus. */
@Injectable()
export class CommandResponder implements Closeable {
  private readonly responders: Closeable[] = [];

  constructor(
    @Inject(SFU_CONFIG) private readonly config: SfuConfig,
    @Inject(BUS) private readonly bus: Bus,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly rooms: RoomCommands,
    private readonly members: MemberCommands,
    private readonly node: NodeState,
    private readonly drain: Drain,
    private readonly diagnosis: Diagnosis,
  ) {}

  async start(): Promise<void> {
    const { rooms, node } = this;
    await this.on(sfuCommands.openSession, request => done(rooms.openSession(request)));
    await this.on(sfuCommands.closeSession, ({ sessionID }) => done(rooms.closeSession(sessionID)));
    await this.on(sfuCommands.openPlayback, async request => ({ payloadProfile: rooms.openPlayback(request) }));
    await this.on(sfuCommands.setViewerLimits, account => done(rooms.setViewerLimits(account)));
    await this.on(sfuCommands.closePlayback, ({ playbackID }) => done(rooms.closePlayback(playbackID)));
    await this.on(sfuCommands.closeRoom, ({ meetingID }) => done(rooms.closeRoom(meetingID)));
    await this.on(sfuCommands.openFeed, async ({ feedID, sourceID, destinations }) => ({
      tracks: await rooms.openFeed(feedID, sourceID, destinations),
    }));
    await this.on(sfuCommands.closeFeed, ({ feedID, destinations }) => done(rooms.closeFeed(feedID, destinations)));
    await this.on(sfuCommands.sessionStatistics, ({ sessionID }) => rooms.statistics(sessionID));
    await this.on(sfuCommands.requestKeyframe, ({ sourceID }) => done(rooms.requestKeyframe(sourceID)));
    await this.answerMembers();
    await this.on(sfuCommands.drain, ({ draining }) => done(draining ? this.drain.begin() : this.drain.callOff()));
    await this.on(sfuCommands.inventory, async query => pageOfInventory(node.inventory(), query));
    await this.on(sfuCommands.diagnose, () => this.diagnosis.diagnose());
    await this.on(sfuCommands.tryEndpoints, async ({ endpoints }) => ({
      trials: await this.diagnosis.tryAll(endpoints),
    }));
  }

  async close(): Promise<void> {
    for (const responder of this.responders.splice(0)) await responder.close();
    await this.diagnosis.close();
  }

  private async answerMembers(): Promise<void> {
    const { members } = this;
    await this.on(sfuCommands.openMember, request => members.open(request));
    await this.on(sfuCommands.closeMember, ({ participantID }) => done(members.close(participantID)));
    await this.on(sfuCommands.openMemberTransport, request => members.openTransport(request));
    await this.on(sfuCommands.connectMemberTransport, request => done(members.connectTransport(request)));
    await this.on(sfuCommands.restartMemberIce, request => members.restartIce(request));
    await this.on(sfuCommands.publishTrack, request => members.publish(request));
    await this.on(sfuCommands.pauseTrack, ({ trackID }) => done(members.pauseTrack(trackID)));
    await this.on(sfuCommands.resumeTrack, ({ trackID }) => done(members.resumeTrack(trackID)));
    await this.on(sfuCommands.closeTrack, ({ trackID }) => done(members.closeTrack(trackID)));
    await this.on(sfuCommands.requestTrackKeyframe, ({ trackID }) => done(members.requestKeyframe(trackID)));
    await this.on(sfuCommands.subscribe, request => members.subscribe(request));
    await this.on(sfuCommands.updateSubscription, request => done(members.updateSubscription(request)));
    await this.on(sfuCommands.unsubscribe, request => done(members.unsubscribe(request)));
  }

  private async on<Request, Reply>(
    command: NodeCommand<Request, Reply>,
    handler: (request: Request) => Promise<Reply>,
  ): Promise<void> {
    const logged = loggedCommand(this.logger, command.name, handler);
    this.responders.push(await this.bus.respond(command.forNode(this.config.nodeID), logged));
  }
}

async function done(work: Promise<void>): Promise<Record<string, never>> {
  await work;
  return {};
}
