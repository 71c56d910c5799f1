import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Bus, Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { roomMediaEventSubject, type RoomMediaEvent } from '@rtms/contracts';
import { messageOf } from '@rtms/logging';
import { SerialQueue } from '@rtms/node';
import { openWhenPossible } from '../../platform/jobs/open-when-possible.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { ParticipantsService } from '../../rooms/records/participants.service.js';
import { RoomChangesService } from '../../rooms/life/room-changes.service.js';
import { DomainEvents } from '../../platform/runtime/domain-events.js';
import { BUS, CLOCK } from '../../platform/runtime/runtime.module.js';
import { RoomSourcesService } from '../sources/room-sources.service.js';
import { RoomHomesRepository } from '../nodes/room-homes.repository.js';
import { changeTracks } from './publishers.service.js';

/**
 * Handles the events of media nodes about members' media. Every replica receives each event and signals it to its own
 * sockets. The first replica changes the roster.
 */
@Injectable()
export class RoomMediaEventsService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(RoomMediaEventsService.name);
  private readonly opened: Closeable[] = [];
  private readonly events = new SerialQueue();

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    private readonly participants: ParticipantsService,
    private readonly nodes: NodeRegistry,
    private readonly places: RoomHomesRepository,
    private readonly changes: RoomChangesService,
    private readonly domainEvents: DomainEvents,
    private readonly sources: RoomSourcesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.opened.push(openWhenPossible(this.clock, RoomMediaEventsService.name, () => this.listen()));
    this.opened.push(
      this.nodes.onChange(change => {
        if (change.kind === 'lost') this.enqueue(() => this.loseNode(change.node.nodeID, change.node.epoch + 1));
        if (change.kind === 'restarted') this.enqueue(() => this.loseNode(change.node.nodeID, change.node.epoch));
      }),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.opened.splice(0).map(each => each.close()));
    await this.events.idle();
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
        this.sources.noteSpeaker(meetingID, event.participantID);
        const participantID = event.participantID === undefined ? null : await this.rosterID(event.participantID);
        this.domainEvents.emit('room.signal', { meetingID }, { type: 'speaker.changed', participantID });
        return;
      }
      case 'subscription.ended':
        this.domainEvents.emit('room.signal', event, {
          type: 'subscription.ended',
          subscriptionID: event.subscriptionID,
          ...(event.isReplaced && { isReplaced: true }),
        });
        return;
      case 'subscription.layers': {
        const { subscriptionID, layers = null } = event;
        this.domainEvents.emit('room.signal', event, { type: 'subscription.layers', subscriptionID, layers });
        return;
      }
      case 'track.ended':
        return this.dropTracks(meetingID, event.participantID, event.trackID);
      case 'media.lost':
        this.domainEvents.emit('room.signal', event, { type: 'media.lost' });
        return this.dropTracks(meetingID, event.participantID);
      default:
        return event satisfies never;
    }
  }

  /** Without `trackID` it removes all tracks of the member. */
  private dropTracks(meetingID: string, participantID: string, trackID?: string): Promise<void> {
    return this.changes.runUnlessEnded(meetingID, async change => {
      const row = await change.find(participantID);
      if (row) await changeTracks(change, row, tracks => tracks.filter(each => trackID && each.trackID !== trackID));
    });
  }

  /** A media node identifies the publisher of an external session by the session ID. */
  private async rosterID(mediaID: string): Promise<string> {
    if (!mediaID.startsWith('ext_')) return mediaID;
    const row = await this.participants.findOfSession(mediaID);
    return row?.id ?? mediaID;
  }

  /** The media on earlier starts of the node is lost. */
  private async loseNode(nodeID: string, beforeEpoch: number): Promise<void> {
    for (const meetingID of await this.places.listLostWith(nodeID, beforeEpoch)) {
      this.domainEvents.emit('room.signal', { meetingID }, { type: 'media.lost' });
      await this.changes.runUnlessEnded(meetingID, async change => {
        for (const row of await change.listMembers()) await changeTracks(change, row, () => []);
      });
    }
  }

  /** Applies events one at a time, in the order in which they arrive. */
  private enqueue(work: () => Promise<void>): void {
    void this.events
      .run(work)
      .catch((error: unknown) => this.logger.warn(`a media event was not applied: ${messageOf(error)}`));
  }
}
