import type { Address } from '@rtms/bus';
import {
  kindOfSource,
  roomMediaEventSubject,
  sfuCommands,
  type RoomMediaEvent,
  type RtpDescription,
  type TrackSource,
} from '@rtms/contracts';
import type { MemberTransport } from '../media/media-engine.js';
import { makeDtlsParameters, makeRtpCapabilities, makeRtpParameters } from './member-parameters.js';
import { TestNode, TestPlane } from './sfu-harness.js';

/** A node, and the gateway's commands for members. */
export class MemberBench {
  /** The node's announcements of its rooms. */
  readonly events: RoomMediaEvent[] = [];

  private constructor(
    readonly plane: TestPlane,
    readonly node: TestNode,
  ) {}

  static async open(env: Record<string, string> = {}): Promise<MemberBench> {
    const plane = await TestPlane.open();
    const bench = new MemberBench(plane, await TestNode.open(plane, { env }));
    await plane.bus.listen<RoomMediaEvent>(`${roomMediaEventSubject}.*`, ({ payload }) => bench.events.push(payload));
    return bench;
  }

  close(): Promise<void> {
    return this.node.close();
  }

  command<Request, Reply>(address: { forNode(nodeID: string): Address<Request, Reply> }, body: Request) {
    return this.plane.bus.request(address.forNode('sfu-1'), body);
  }

  /** A member with both transports, connected. */
  async join(participantID: string, meetingID = 'room_1') {
    await this.command(sfuCommands.openMember, { meetingID, participantID });
    const send = await this.openTransport(participantID, 'send');
    const receive = await this.openTransport(participantID, 'receive');
    const { members } = await this.node.engine.openRoom(meetingID);
    const [sender, receiver] = [transportOf(members.senders, send), transportOf(members.receivers, receive)];
    for (const peer of [sender, receiver]) peer.peerConnects();
    return { participantID, send, receive, members, sender, receiver };
  }

  async openTransport(participantID: string, direction: 'send' | 'receive'): Promise<string> {
    const { transportID } = await this.command(sfuCommands.openMemberTransport, { participantID, direction });
    const dtlsParameters = makeDtlsParameters();
    for (const _time of [1, 2])
      await this.command(sfuCommands.connectMemberTransport, { participantID, transportID, dtlsParameters });
    return transportID;
  }

  async publish(
    { participantID, send }: { participantID: string; send: string },
    source: TrackSource = 'camera',
    rtpParameters: RtpDescription = makeRtpParameters(kindOfSource(source), source),
  ) {
    return this.command(sfuCommands.publishTrack, { participantID, transportID: send, source, rtpParameters });
  }

  subscribe({ participantID, receive }: { participantID: string; receive: string }, trackID: string) {
    const rtpCapabilities = makeRtpCapabilities();
    return this.command(sfuCommands.subscribe, { participantID, transportID: receive, trackID, rtpCapabilities });
  }
}

function transportOf<Transport extends MemberTransport>(all: Iterable<Transport>, transportID: string): Transport {
  const found = [...all].find(({ parameters }) => parameters.transportID === transportID);
  if (!found) throw new Error('the member has no such transport');
  return found;
}
