import { makeRtpCapabilities, makeRtpParameters, makeSimulcastParameters } from '../../testing/member-parameters.js';
import type { MemberMedia } from '../media-engine.js';
import { MemoryMembers, type MemorySubscription } from '../memory/memory-members.js';
import type { MemoryTrack } from '../memory/memory-publisher.js';
import type { MemberDriver, MemberPeer, ReceivedTrack } from './member-peer.js';

const remote = { role: 'client' as const, fingerprints: [{ algorithm: 'sha-256', value: 'AB' }] };

/** Plays members through the controls of the memory engine. */
export class MemoryMemberDriver implements MemberDriver {
  private readonly timers = new Set<NodeJS.Timeout>();

  async join(media: MemberMedia): Promise<MemberPeer> {
    if (!(media instanceof MemoryMembers)) throw new TypeError('The room is of another engine.');
    const [sender, receiver] = [await media.openSender(), await media.openReceiver()];
    for (const transport of [sender, receiver]) {
      await transport.connect(remote);
      transport.peerConnects();
    }
    return {
      sender,
      receiver,
      publish: async what => {
        const kind = what === 'audio' ? 'audio' : 'video';
        const parameters = what === 'simulcast' ? makeSimulcastParameters() : makeRtpParameters(kind);
        const track = await sender.publish(kind, parameters);
        this.timers.add(setInterval(() => track.receiveRtp(), 20));
        return track;
      },
      subscribe: async track => receive(await receiver.subscribe(track as MemoryTrack, makeRtpCapabilities())),
      vanish: async () => {
        sender.peerVanishes();
        receiver.peerVanishes();
      },
    };
  }

  async speak(media: MemberMedia, { trackID }: { trackID: string }): Promise<void> {
    if (media instanceof MemoryMembers) media.speak(trackID);
  }

  async close(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
  }
}

/** A packet arrives with each of the publisher's while the subscription runs. */
function receive(subscription: MemorySubscription): ReceivedTrack {
  let [packets, before] = [0, subscription.source.packets];
  return {
    subscription,
    packets: async () => {
      if (subscription.isFlowing) packets += subscription.source.packets - before;
      before = subscription.source.packets;
      return packets;
    },
    layer: async () => {
      const highest = subscription.parameters.layers.spatial - 1;
      return Math.min(highest, subscription.preferred?.spatialLayer ?? highest);
    },
  };
}
