import type { FactBody, RoomMediaEvent } from '@rtms/contracts';
import { createLogger } from '@rtms/logging';
import { ManualClock } from '@rtms/testing';
import fc from 'fast-check';
import { MemoryEngine } from '../media/memory/memory-engine.js';
import { chromiumPublishes, chromiumWatches, ffmpegPublishes } from '../signalling/sdp/testing/client-offers.js';
import { makeDtlsParameters, makeRtpCapabilities, makeRtpParameters } from '../testing/member-parameters.js';
import { Audiences } from './audiences.js';
import { Room } from './room.js';

/** A room whose clock moves only with `advance`. */
class Stage {
  readonly clock = new ManualClock();
  readonly engine = new MemoryEngine({ clock: this.clock });
  readonly facts: { resourceID: string; body: FactBody }[] = [];
  readonly events: RoomMediaEvent[] = [];
  readonly room = new Room('room_1', {
    engine: this.engine,
    viewersOf: room => room,
    audiences: new Audiences(this.clock, () => this.engine.load().capacity),
    announce: event => void this.events.push(event),
    askForRepair: () => Promise.resolve(),
    facts: { report: (resourceID, body) => void this.facts.push({ resourceID, body }), forget: () => undefined },
    logger: createLogger({ service: 'spec', level: 'silent' }),
    clock: this.clock,
    noteEnd: () => undefined,
  });
  private transports = { send: '', receive: '' };
  private readonly trackIDs: string[] = [];
  private key = '';
  private viewerKey = '';

  readonly moves = {
    openSession: async () => this.room.openSession({ sessionID: 'ext_1', tracks: ['audio', 'video'] }),
    openPlayback: async () =>
      this.room.openPlayback({
        playbackID: 'play_1',
        sessionID: 'ext_1',
        tracks: ['audio', 'video'],
        payloadMatching: 'fixed',
      }),
    publish: () => this.publish(chromiumPublishes()),
    publishAnotherCodec: () => this.publish(ffmpegPublishes()),
    publishNonsense: () => this.publish('nonsense'),
    connect: async () => this.engine.publishers.at(-1)?.peerConnects(),
    receive: async () => {
      for (const track of this.engine.publishers.at(-1)?.tracks ?? []) track.receiveRtp();
    },
    loseIce: async () => this.engine.publishers.at(-1)?.peerVanishes(),
    watch: async () => {
      const request = { offer: chromiumWatches(), openedBy: 'v', requestID: 'r' };
      this.viewerKey = (await this.room.playback('play_1').watch(this.room.media, request)).peer.key;
    },
    viewerConnects: async () => this.engine.viewers.at(-1)?.peerConnects(),
    viewerVanishes: async () => this.engine.viewers.at(-1)?.peerVanishes(),
    viewerLeaves: async () => this.room.viewerLeaves('play_1', this.viewerKey, 'r'),
    publisherLeaves: async () => this.room.publisherLeaves('ext_1', this.key, 'r'),
    openFeed: async () => {
      await this.room.openFeed({
        ...{ feedID: 'bcast_1', sourceID: 'ext_1' },
        destinations: [{ kind: 'video', ip: '::1', rtpPort: 1, rtcpPort: 2 }],
      });
    },
    closeFeed: async () => this.room.closeFeed('bcast_1'),
    closePlayback: async () => this.room.closePlayback('play_1'),
    closeSession: async () => this.room.closeSession('ext_1'),
    timePasses: async () => {
      await this.clock.advance(2_500);
      await this.room.sweep();
    },
    muchTimePasses: async () => {
      await this.clock.advance(40_000);
      await this.room.sweep();
    },
    workerDies: async () => this.engine.killWorker(),
    memberJoins: async () => {
      await this.room.members.open('part_1');
      this.transports = {
        send: (await this.room.members.openTransport('part_1', 'send')).transportID,
        receive: (await this.room.members.openTransport('part_1', 'receive')).transportID,
      };
    },
    memberPublishes: () => this.publishAs('part_1', this.transports.send),
    memberSubscribes: async () => {
      const trackID = this.trackIDs.at(-1) ?? '';
      const request = { transportID: this.transports.receive, rtpCapabilities: makeRtpCapabilities() };
      await this.room.members.subscribe({ participantID: 'part_1', trackID, ...request });
    },
    memberFeed: async () => {
      await this.room.openFeed({
        ...{ feedID: 'bcast_2', sourceID: 'part_1' },
        destinations: [{ kind: 'video', ip: '::1', rtpPort: 1, rtcpPort: 2 }],
      });
    },
    memberVanishes: async () => this.engine.rooms[0]?.members.senders.forEach(sender => sender.peerVanishes()),
    memberLeaves: () => this.room.closeMember('part_1'),
    closeTrack: async () => this.room.members.closeTrack(this.trackIDs.at(-1) ?? ''),
    pauseTrack: async () => this.room.members.pauseTrack(this.trackIDs.at(-1) ?? ''),
    publisherJoins: async () => {
      await this.room.members.open('ext_1');
      this.transports.send = (await this.room.members.openTransport('ext_1', 'send')).transportID;
    },
    publishAsMember: () => this.publishAs('ext_1', this.transports.send),
    receiveOfMember: async () => {
      for (const sender of this.engine.rooms[0]?.members.senders ?? [])
        for (const track of sender.tracks) track.receiveRtp();
    },
  };

  async play(names: readonly (keyof Stage['moves'])[]): Promise<void> {
    for (const name of names) await this.moves[name]();
  }

  typesOf(resourceID: string): string[] {
    return this.facts.filter(fact => fact.resourceID === resourceID).map(({ body }) => body.type);
  }

  private async publishAs(participantID: string, transportID: string): Promise<void> {
    const member = this.room.members.get(participantID);
    await member.connectTransport(transportID, makeDtlsParameters());
    for (const sender of this.engine.rooms[0]?.members.senders ?? []) if (sender.remote) sender.peerConnects();
    for (const [source, kind] of [
      ['microphone', 'audio'],
      ['camera', 'video'],
    ] as const) {
      const request = { transportID, source, rtpParameters: makeRtpParameters(kind) };
      this.trackIDs.push((await member.publish(request)).trackID);
    }
  }

  private async publish(offer: string): Promise<void> {
    const publication = await this.room
      .session('ext_1')
      .publish(this.room.media, { offer, openedBy: 'p', requestID: 'r' });
    this.key = publication.peer.key;
  }
}

const follow: Record<string, (string | undefined)[]> = {
  // When it is opened again, an active session is reported again.
  'external_session.active': ['external_session.active', 'external_session.interrupted', 'external_session.ended'],
  'external_session.interrupted': ['external_session.active', 'external_session.ended'],
  // A session that ended and was opened again may end before it is active.
  'external_session.ended': ['external_session.active', 'external_session.ended'],
  'playback.active': ['playback.active', 'playback.idle', 'playback.ended'],
  'playback.idle': ['playback.active', 'playback.ended'],
  'playback.ended': ['playback.active', 'playback.ended'],
};

function expectOrder(types: string[]): void {
  types.slice(1).forEach((type, index) => {
    expect(follow[types[index] ?? '']).toContain(type);
  });
}

describe('a session', () => {
  it('is active only when connected and receiving, in any order', async () => {
    for (const order of [['connect', 'receive'] as const, ['receive', 'connect'] as const]) {
      const stage = new Stage();
      await stage.play(['openSession', 'publish', order[0]]);
      expect(stage.typesOf('ext_1')).toEqual([]);
      await stage.play([order[1]]);
      expect(stage.typesOf('ext_1')).toEqual(['external_session.active']);
    }
  });

  it('is interrupted by silence, and active again by the next packet', async () => {
    const stage = new Stage();
    await stage.play(['openSession', 'publish', 'connect', 'receive', 'timePasses']);
    expect(stage.typesOf('ext_1')).toEqual(['external_session.active']);
    await stage.play(['timePasses', 'timePasses']);
    expect(stage.typesOf('ext_1')).toEqual(['external_session.active', 'external_session.interrupted']);
    await stage.play(['receive', 'timePasses']);
    expect(stage.typesOf('ext_1').at(-1)).toBe('external_session.active');
  });

  it('keeps a publisher that connects late, unless another one comes', async () => {
    const stage = new Stage();
    await stage.play(['openSession', 'publish', 'muchTimePasses', 'connect', 'receive']);
    expect(stage.typesOf('ext_1')).toEqual(['external_session.active']);
    await expect(stage.play(['publish'])).rejects.toMatchObject({ reason: 'already_publishing' });
  });

  it('ignores a publisher that was replaced', async () => {
    const stage = new Stage();
    await stage.play(['openSession', 'publish', 'connect', 'receive']);
    const former = stage.engine.publishers[0];
    await stage.play(['timePasses', 'publish', 'connect', 'receive']);
    const before = stage.facts.length;
    former?.peerVanishes();
    former?.tracks[0]?.receiveRtp();
    expect(stage.facts).toHaveLength(before);
    expect(stage.engine.publishers).toHaveLength(1);
  });

  it('refuses a publisher whose request is pending when it closes', async () => {
    const stage = new Stage();
    await stage.play(['openSession']);
    const publishing = stage.play(['publish']);
    await stage.play(['closeSession']);
    await expect(publishing).rejects.toMatchObject({ reason: 'session_ended' });
    expect(stage.engine.publishers).toEqual([]);
  });
});

describe('a room', () => {
  it('moves to another worker when its own dies, and keeps its sessions', async () => {
    const stage = new Stage();
    await stage.play(['openSession', 'openPlayback', 'publish', 'connect', 'receive', 'watch', 'viewerConnects']);
    await stage.play(['workerDies', 'publish', 'connect', 'receive', 'watch', 'viewerConnects']);
    expect(stage.typesOf('ext_1')).toEqual([
      'external_session.active',
      'external_session.interrupted',
      'external_session.active',
    ]);
    expect(stage.typesOf('play_1')).toEqual(['playback.active', 'playback.idle', 'playback.active']);
    expect(stage.engine.rooms).toHaveLength(1);
  });

  it('keeps facts in order and releases everything, in any order of events', async () => {
    const names = Object.keys(new Stage().moves) as (keyof Stage['moves'])[];
    const starts: (keyof Stage['moves'])[][] = [
      [],
      ['openSession', 'openPlayback', 'publish', 'connect', 'receive'],
      ['memberJoins', 'memberPublishes'],
    ];
    const moves = fc.array(fc.constantFrom(...names), { maxLength: 60 });
    const done = new Set<keyof Stage['moves']>();
    let longest = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...starts), moves, async (start, wanted) => {
        const stage = new Stage();
        const played = [...start, ...wanted];
        longest = Math.max(longest, wanted.length);
        for (const name of played) if (await isDone(stage, name)) done.add(name);
        await stage.room.close();
        await stage.clock.advance(0);
        expect(stage.engine.rooms).toEqual([]);
        expect(stage.engine.load()).toMatchObject({ consumers: 0, publishers: 0 });
        expectOrder(stage.typesOf('ext_1'));
        expectOrder(stage.typesOf('play_1'));
        const endings = stage.typesOf('ext_1').filter(type => type === 'external_session.ended').length;
        expect(endings).toBeLessThanOrEqual(played.filter(name => name === 'openSession').length);
      }),
      { numRuns: 120 },
    );
    expect(longest).toBeGreaterThan(40);
    // An offer that is nonsense is refused always.
    expect([...done].sort()).toEqual(names.filter(name => name !== 'publishNonsense').sort());
  });
});

/** Returns whether the move succeeded. A move that is impossible now fails with a documented reason. */
async function isDone(stage: Stage, name: keyof Stage['moves']): Promise<boolean> {
  try {
    await stage.moves[name]();
    return true;
  } catch (error) {
    expect(error).toMatchObject({ reason: expect.not.stringMatching('internal_error') as string });
    return false;
  }
}
