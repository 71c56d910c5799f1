import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Bus, Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { roomMediaEventSubject, type RoomMediaEvent } from '@rtms/contracts';
import { messageOf } from '@rtms/logging';
import { DataSource } from 'typeorm';
import { openWhenPossible } from '../background/open-when-possible.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { Participant } from '../participants/participant.entity.js';
import { RoomChanges } from '../room-life/room-changes.service.js';
import { RoomNewsBoard } from '../room-life/room-news.js';
import { BUS, CLOCK } from '../runtime.module.js';
import { RoomHomes } from './room-homes.service.js';
import { changeTracks } from './roster-tracks.service.js';

/**
 * What media nodes tell of members' media. Every replica hears it: each tells its own sockets, and whichever is first
 * changes the roster.
 */
@Injectable()
export class RoomMediaNews implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(RoomMediaNews.name);
  private readonly opened: Closeable[] = [];
  private last: Promise<void> = Promise.resolve();

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    private readonly dataSource: DataSource,
    private readonly nodes: NodeRegistry,
    private readonly homes: RoomHomes,
    private readonly changes: RoomChanges,
    private readonly board: RoomNewsBoard,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.opened.push(openWhenPossible(this.clock, RoomMediaNews.name, () => this.listen()));
    this.opened.push(
      this.nodes.onChange(change => {
        if (change.kind === 'lost') this.enqueue(() => this.loseNode(change.node.nodeID, change.node.epoch + 1));
        if (change.kind === 'restarted') this.enqueue(() => this.loseNode(change.node.nodeID, change.node.epoch));
      }),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.opened.splice(0).map(each => each.close()));
    await this.last;
  }

  private listen(): Promise<Closeable> {
    return this.bus.listen<RoomMediaEvent>(`${roomMediaEventSubject}.*`, ({ payload }) =>
      this.enqueue(() => this.hear(payload)),
    );
  }

  private async hear(event: RoomMediaEvent): Promise<void> {
    const { meetingID } = event;
    switch (event.type) {
      case 'speaker.changed': {
        const participantID = event.participantID === undefined ? null : await this.rosterID(event.participantID);
        return this.board.signal({ meetingID }, { type: 'speaker.changed', participantID });
      }
      case 'subscription.ended':
        return this.board.signal(event, { type: 'subscription.ended', subscriptionID: event.subscriptionID });
      case 'subscription.layers': {
        const { subscriptionID, layers = null } = event;
        return this.board.signal(event, { type: 'subscription.layers', subscriptionID, layers });
      }
      case 'track.ended':
        return this.dropTracks(meetingID, event.participantID, event.trackID);
      case 'media.lost':
        this.board.signal(event, { type: 'media.lost' });
        return this.dropTracks(meetingID, event.participantID);
      default:
        return event satisfies never;
    }
  }

  /** Without `trackID` all that the member sends. */
  private dropTracks(meetingID: string, participantID: string, trackID?: string): Promise<void> {
    return this.changes.runUnlessEnded(meetingID, async change => {
      const row = await change.find(participantID);
      if (row) await changeTracks(change, row, tracks => tracks.filter(each => trackID && each.trackID !== trackID));
    });
  }

  /** A media node knows the publisher of an external session by the session. */
  private async rosterID(mediaID: string): Promise<string> {
    if (!mediaID.startsWith('ext_')) return mediaID;
    const row = await this.dataSource.manager.findOneBy(Participant, { sessionID: mediaID });
    return row?.id ?? mediaID;
  }

  /** Whatever starts of the node before this one had is gone. */
  private async loseNode(nodeID: string, beforeEpoch: number): Promise<void> {
    for (const meetingID of await this.homes.listOn(nodeID, beforeEpoch)) {
      this.board.signal({ meetingID }, { type: 'media.lost' });
      await this.changes.runUnlessEnded(meetingID, async change => {
        const where = { meetingID, state: 'joined' as const, kind: 'member' as const };
        for (const row of await change.manager.findBy(Participant, where)) await changeTracks(change, row, () => []);
      });
    }
  }

  /** One after the other, as they came. */
  private enqueue(work: () => Promise<void>): void {
    this.last = this.last
      .then(work)
      .catch((error: unknown) => this.logger.warn(`news of media was not noted: ${messageOf(error)}`));
  }
}
