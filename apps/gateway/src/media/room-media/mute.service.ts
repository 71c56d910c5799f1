import { Injectable } from '@nestjs/common';
import { ServiceError, sfuCommands, type RoomTrack, type TrackSource } from '@rtms/contracts';
import { HostControlsService } from '../../rooms/conversation/host-controls.service.js';
import { requireCurrent, type Speaker } from '../../rooms/life/permissions.js';
import { RoomChangesService } from '../../rooms/life/room-changes.service.js';
import { NodeMediaService } from './node-media.service.js';
import { changeTracks } from './roster-tracks.service.js';

interface MuteRequest {
  participantID: string;
  source: TrackSource;
}

/** Hosts pause tracks of others. Only the publisher can resume a track. */
@Injectable()
export class MuteService {
  constructor(
    private readonly changes: RoomChangesService,
    private readonly hosts: HostControlsService,
    private readonly node: NodeMediaService,
  ) {}

  async mute(host: Speaker, request: MuteRequest): Promise<Record<string, never>> {
    const { trackID, state } = await this.requireTrack(host, request);
    if (state === 'paused') return {};
    await this.node.ask(host.meetingID, sfuCommands.pauseTrack, { trackID });
    await this.changes.run(host.meetingID, async change => {
      const row = await change.find(request.participantID);
      const paused = (track: RoomTrack): RoomTrack =>
        track.trackID === trackID ? { ...track, state: 'paused' } : track;
      if (row) await changeTracks(change, row, tracks => tracks.map(paused));
    });
    return {};
  }

  private requireTrack(host: Speaker, { participantID, source }: MuteRequest): Promise<RoomTrack> {
    return this.changes.run(host.meetingID, async change => {
      const actor = requireCurrent(await change.find(host.participantID), host);
      const row = await this.hosts.requireControlled(change, actor, participantID);
      const track = row.tracks.find(each => each.source === source);
      if (!track) throw new ServiceError('not_found', `The participant publishes no ${source}.`);
      return track;
    });
  }
}
