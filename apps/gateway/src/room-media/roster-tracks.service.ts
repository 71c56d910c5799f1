import { Injectable } from '@nestjs/common';
import { kindOfSource, ServiceError, sfuCommands, type RoomTrack, type TrackSource } from '@rtms/contracts';
import type { Participant } from '../participants/participant.entity.js';
import { mayPublish } from '../room-life/permissions.js';
import type { RoomChange } from '../room-life/room-change.js';
import { RoomChanges } from '../room-life/room-changes.service.js';
import { NodeMedia } from './node-media.service.js';
import type { Publisher } from './publisher.js';

interface NewTrack {
  trackID: string;
  codec: string;
  source: TrackSource;
}

/** The tracks of members in the roster. Those of an external session come with its facts, not from here. */
@Injectable()
export class RosterTracks {
  constructor(
    private readonly changes: RoomChanges,
    private readonly node: NodeMedia,
  ) {}

  /** The node sends it already: one that is no longer allowed is closed again. */
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

/** Tells nobody when nothing changes. */
export async function changeTracks(
  change: RoomChange,
  row: Participant,
  next: (tracks: RoomTrack[]) => RoomTrack[],
): Promise<void> {
  const tracks = next(row.tracks);
  if (JSON.stringify(tracks) !== JSON.stringify(row.tracks)) await change.update(row, { tracks });
}
