import { Injectable } from '@nestjs/common';
import {
  ServiceError,
  type OpenedMemberTransport,
  type OpenMemberRequest,
  type PublishTrackRequest,
  type RestartedIce,
  type RtpDescription,
  sfuCommands,
  type SubscriptionParameters,
} from '@rtms/contracts';
import { DrainState, OnCommand, type RequestOf } from '@rtms/node';
import { codecNameOf } from '../media/codecs.js';
import { drainingError } from '../media/media-engine.js';
import type { Member } from '../rooms/member.js';
import { RoomRegistry } from '../rooms/room-registry.js';
import type { Room } from '../rooms/room.js';
import { IceServers } from '../turn/ice-servers.js';

/** Commands of the gateway for members. The gateway has checked the permission; this class checks that the ids belong together. */
@Injectable()
export class MemberCommands {
  constructor(
    private readonly rooms: RoomRegistry,
    private readonly drain: DrainState,
    private readonly iceServers: IceServers,
  ) {}

  @OnCommand(sfuCommands.openMember)
  async open({ meetingID, participantID }: OpenMemberRequest): Promise<{ routerRtpCapabilities: RtpDescription }> {
    const known = this.rooms.roomOfMember(participantID) ?? this.rooms.find(meetingID);
    if (this.drain.isDraining && !known?.members.has(participantID)) throw drainingError();
    const room = known ?? (await this.rooms.open(meetingID));
    return { routerRtpCapabilities: await room.members.open(participantID) };
  }

  @OnCommand(sfuCommands.closeMember)
  async close({ participantID }: { participantID: string }): Promise<void> {
    await this.rooms.roomOfMember(participantID)?.closeMember(participantID);
  }

  @OnCommand(sfuCommands.openMemberTransport)
  async openTransport(request: RequestOf<typeof sfuCommands.openMemberTransport>): Promise<OpenedMemberTransport> {
    const { participantID, direction } = request;
    const opened = await this.roomOf(participantID).members.openTransport(participantID, direction);
    return { ...opened, iceServers: this.iceServers.mint(participantID) };
  }

  @OnCommand(sfuCommands.connectMemberTransport)
  connectTransport(request: RequestOf<typeof sfuCommands.connectMemberTransport>): Promise<void> {
    return this.member(request.participantID).connectTransport(request.transportID, request.dtlsParameters);
  }

  @OnCommand(sfuCommands.restartMemberIce)
  async restartIce(request: RequestOf<typeof sfuCommands.restartMemberIce>): Promise<RestartedIce> {
    const { participantID, transportID } = request;
    const iceParameters = await this.member(participantID).restartIce(transportID);
    return { iceParameters, iceServers: this.iceServers.mint(participantID) };
  }

  @OnCommand(sfuCommands.publishTrack)
  async publish(request: PublishTrackRequest): Promise<{ trackID: string; codec: string }> {
    const { trackID, codec } = await this.member(request.participantID).publish(request);
    return { trackID, codec: codecNameOf(codec) };
  }

  @OnCommand(sfuCommands.pauseTrack)
  async pauseTrack({ trackID }: { trackID: string }): Promise<void> {
    await this.roomOfTrack(trackID).members.pauseTrack(trackID);
  }

  @OnCommand(sfuCommands.resumeTrack)
  async resumeTrack({ trackID }: { trackID: string }): Promise<void> {
    await this.roomOfTrack(trackID).members.resumeTrack(trackID);
  }

  @OnCommand(sfuCommands.closeTrack)
  async closeTrack({ trackID }: { trackID: string }): Promise<void> {
    await this.rooms.roomOfTrack(trackID)?.members.closeTrack(trackID);
  }

  @OnCommand(sfuCommands.requestTrackKeyframe)
  async requestKeyframe({ trackID }: { trackID: string }): Promise<void> {
    await this.roomOfTrack(trackID).members.track(trackID).requestKeyframe();
  }

  /** The track must belong to the member's own room. */
  @OnCommand(sfuCommands.subscribe)
  async subscribe(request: RequestOf<typeof sfuCommands.subscribe>): Promise<SubscriptionParameters> {
    const { members } = this.roomOf(request.participantID);
    return members.subscribe(request);
  }

  @OnCommand(sfuCommands.updateSubscription)
  updateSubscription(request: RequestOf<typeof sfuCommands.updateSubscription>): Promise<void> {
    return this.member(request.participantID).updateSubscription(request.subscriptionID, request);
  }

  @OnCommand(sfuCommands.unsubscribe)
  async unsubscribe({ participantID, subscriptionID }: RequestOf<typeof sfuCommands.unsubscribe>): Promise<void> {
    const members = this.rooms.roomOfMember(participantID)?.members;
    await members?.get(participantID).unsubscribe(subscriptionID);
  }

  private member(participantID: string): Member {
    return this.roomOf(participantID).members.get(participantID);
  }

  private roomOf(participantID: string): Room {
    const room = this.rooms.roomOfMember(participantID);
    if (!room) throw new ServiceError('not_found', 'This media node has no such member. Send `openMember` first.');
    return room;
  }

  private roomOfTrack(trackID: string): Room {
    const room = this.rooms.roomOfTrack(trackID);
    if (!room) throw new ServiceError('not_found', 'This media node has no such track.');
    return room;
  }
}
