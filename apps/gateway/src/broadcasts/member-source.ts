import type { RoomTrack, TrackSource } from '@rtms/contracts';
import type { Participant } from '../participants/participant.entity.js';
import type { Broadcast } from './broadcast.entity.js';

/** What a broadcast shows and lets hear of a member, the first of each that there is; a media node chooses alike. */
const pictures: readonly TrackSource[] = ['camera', 'screen'];
const sounds: readonly TrackSource[] = ['microphone', 'screenAudio'];

/** The picture and, where there is one, the sound; empty without a picture. */
export function broadcastTracks(tracks: readonly RoomTrack[]): string[] {
  const first = (sources: readonly TrackSource[]) =>
    sources.flatMap(source => tracks.filter(track => track.source === source && track.state !== 'ended'))[0];
  const [picture, sound] = [first(pictures), first(sounds)];
  if (!picture) return [];
  return sound ? [picture.trackID, sound.trackID] : [picture.trackID];
}

/** `follow`: it is fed from other tracks from now on. */
export type MemberChange = { do: 'nothing' | 'interrupt' | 'end' } | { do: 'follow'; tracks: string[] };

type BroadcastRow = Pick<Broadcast, 'sourceTracks' | 'nodeEpoch'>;
type Member = Pick<Participant, 'state' | 'tracks'>;

/**
 * How a broadcast follows its member: who has left ends it, as the end of an external session does; who sends no
 * picture interrupts it. A lost socket alone changes nothing, for the media may go on; who does not come back leaves.
 */
export function decideMemberChange(row: BroadcastRow, member: Member | null): MemberChange {
  if (member?.state !== 'joined') return { do: 'end' };
  const tracks = broadcastTracks(member.tracks);
  if (tracks.length === 0) return { do: row.sourceTracks.length === 0 ? 'nothing' : 'interrupt' };
  const isSame = tracks.join() === row.sourceTracks.join();
  // One that no transcoder has is started again by the reconciler, with the tracks of then.
  return isSame || row.nodeEpoch === null ? { do: 'nothing' } : { do: 'follow', tracks };
}
