import { Injectable } from '@nestjs/common';
import { kindOfSource, ServiceError, sfuCommands, type RoomTrack, type TrackSource } from '@rtms/contracts';
import type { Participant } from '../../rooms/records/participants.service.js';
import { mayPublish } from '../../rooms/life/permissions.js';
import type { RoomChange } from '../../rooms/life/room-change.js';
import { RoomChangesService } from '../../rooms/life/room-changes.service.js';
import { NodeMediaService } from './node-media.service.js';
import type { Publisher } from './publishers.service.js';

interface NewTrack {
  trackID: string;
  codec: string;
  source: TrackSource;
}

/** Keeps members' tracks in the roster. The tracks of external sessions come with their facts instead. */
@Injectable()
export class RosterTracksService {
  constructor(
    private readonly changes: RoomChangesService,
    private readonly node: NodeMediaService,
  ) {}

  /** The node already forwards the track. Closes the track when the member may no longer publish it. */
  async add(me: Publisher, { trackID, codec, source }: NewTrack): Promise<void> {
    const track: RoomTrack = { trackID, kind: kindOfSource(source), source, codec, state: 'live' };
    try {
      await this.change(me, async (change, row) => {
        if (!mayPublish(change.room.settings, row).includes(source))
          throw new ServiceError('not_permitted', `You may not publish ${source} in this room.`);
        const others = row.tracks.filter(each => each.source !== source);
        await change.update(row, { tracks: [...others, track] });
      });
    } catch (error) {
      await this.node.ask(me.room.id, sfuCommands.closeTrack, { trackID }).catch(() => undefined);
      throw error;
    }
  }

  setState(me: Publisher, trackID: string, state: RoomTrack['state']): Promise<void> {
    return this.replace(me, tracks => tracks.map(each => (each.trackID === trackID ? { ...each, state } : each)));
  }

  remove(me: Publisher, trackID: string): Promise<void> {
    return this.replace(me, tracks => tracks.filter(each => each.trackID !== trackID));
  }

  clear(me: Publisher): Promise<void> {
    return this.replace(me, () => []);
  }

  private replace(me: Publisher, next: (tracks: RoomTrack[]) => RoomTrack[]): Promise<void> {
    return this.change(me, (change, row) => changeTracks(change, row, next));
  }

  private async change(me: Publisher, work: (change: RoomChange, row: Participant) => Promise<void>): Promise<void> {
    if (me.role === undefined) return;
    await this.changes.run(me.room.id, async change => work(change, await change.require(me.mediaID)));
  }
}

/** Emits no event when nothing changes. */
export async function changeTracks(
  change: RoomChange,
  row: Participant,
  next: (tracks: RoomTrack[]) => RoomTrack[],
): Promise<void> {
  const tracks = next(row.tracks);
  if (JSON.stringify(tracks) !== JSON.stringify(row.tracks)) await change.update(row, { tracks });
}
