import { Inject, Injectable } from '@nestjs/common';
import {
  ServiceError,
  type CommandAddress,
  type MemberTransportParameters,
  type OpenMemberRequest,
  type PublishTrackRequest,
  type RtpDescription,
  sfuCommands,
  type SubscriptionParameters,
} from '@rtms/contracts';
import { codecNameOf } from '../rooms/codec-name.js';
import type { Member } from '../rooms/member.js';
import { RoomRegistry } from '../rooms/room-registry.js';
import type { Room } from '../rooms/room.js';
import { NodeState } from './node-state.js';

type RequestOf<Command extends { forNode(nodeID: string): CommandAddress<unknown, unknown> }> = NonNullable<
  ReturnType<Command['forNode']>['request']
>;

/** What the gateway has a node do for members. It has made sure that they may; the ids are held against each other here. */
@Injectable()
export class MemberCommands {
  constructor(
    @Inject(RoomRegistry) private readonly rooms: RoomRegistry,
    @Inject(NodeState) private readonly node: NodeState,
  ) {}

  async open({ meetingID, participantID }: OpenMemberRequest): Promise<{ routerRtpCapabilities: RtpDescription }> {
    const known = this.rooms.roomOfMember(participantID) ?? this.rooms.find(meetingID);
    if (this.node.isDraining && !known?.members.has(participantID))
      throw new ServiceError('controller_unavailable', 'The media node is being drained.');
    const room = known ?? (await this.rooms.open(meetingID));
    return { routerRtpCapabilities: await room.members.open(participantID) };
  }

  async close(participantID: string): Promise<void> {
    await this.rooms.roomOfMember(participantID)?.closeMember(participantID);
  }

  openTransport(request: RequestOf<typeof sfuCommands.openMemberTransport>): Promise<MemberTransportParameters> {
    const { participantID, direction } = request;
    return this.roomOf(participantID).members.openTransport(participantID, direction);
  }

  connectTransport(request: RequestOf<typeof sfuCommands.connectMemberTransport>): Promise<void> {
    return this.member(request.participantID).connectTransport(request.transportID, request.dtlsParameters);
  }

  async restartIce({ participantID, transportID }: RequestOf<typeof sfuCommands.restartMemberIce>) {
    return { iceParameters: await this.member(participantID).restartIce(transportID) };
  }

  async publish(request: PublishTrackRequest): Promise<{ trackID: string; codec: string }> {
    const { trackID, codec } = await this.member(request.participantID).publish(request);
    return { trackID, codec: codecNameOf(codec) };
  }

  async pauseTrack(trackID: string): Promise<void> {
    await this.roomOfTrack(trackID).members.pauseTrack(trackID);
  }

  async resumeTrack(trackID: string): Promise<void> {
    await this.roomOfTrack(trackID).members.resumeTrack(trackID);
  }

  async closeTrack(trackID: string): Promise<void> {
    await this.rooms.roomOfTrack(trackID)?.members.closeTrack(trackID);
  }

  async requestKeyframe(trackID: string): Promise<void> {
    await this.roomOfTrack(trackID).members.track(trackID).requestKeyframe();
  }

  /** To a track of the member's own room. */
  async subscribe(request: RequestOf<typeof sfuCommands.subscribe>): Promise<SubscriptionParameters> {
    const { members } = this.roomOf(request.participantID);
    return members.get(request.participantID).subscribe(members.track(request.trackID), request);
  }

  updateSubscription(request: RequestOf<typeof sfuCommands.updateSubscription>): Promise<void> {
    return this.member(request.participantID).updateSubscription(request.subscriptionID, request);
  }

  async unsubscribe({ participantID, subscriptionID }: RequestOf<typeof sfuCommands.unsubscribe>): Promise<void> {
    const members = this.rooms.roomOfMember(participantID)?.members;
    await members?.get(participantID).unsubscribe(subscriptionID);
  }

  private member(participantID: string): Member {
    return this.roomOf(participantID).members.get(participantID);
  }

  private roomOf(participantID: string): Room {
    const room = this.rooms.roomOfMember(participantID);
    if (!room) throw new ServiceError('not_found', 'The member has not opened its media on this node.');
    return room;
  }

  private roomOfTrack(trackID: string): Room {
    const room = this.rooms.roomOfTrack(trackID);
    if (!room) throw new ServiceError('not_found', 'This media node has no such track.');
    return room;
  }
}
