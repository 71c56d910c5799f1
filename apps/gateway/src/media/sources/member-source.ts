import type { RoomTrack, TrackSource } from '@rtms/contracts';
import type { Participant } from '../../rooms/records/participants.service.js';
import type { Broadcast } from '../resources/broadcast.entity.js';

/** A broadcast takes the member's first video track and first audio track in this order. Media nodes use the same order. */
const pictures: readonly TrackSource[] = ['camera', 'screen'];
const sounds: readonly TrackSource[] = ['microphone', 'screenAudio'];

/** The video track and the audio track, if any. Empty without video. */
export function broadcastTracks(tracks: readonly RoomTrack[]): string[] {
  const first = (sources: readonly TrackSource[]) =>
    sources.flatMap(source => tracks.filter(track => track.source === source && track.state !== 'ended'))[0];
  const [picture, sound] = [first(pictures), first(sounds)];
  if (!picture) return [];
  return sound ? [picture.trackID, sound.trackID] : [picture.trackID];
}

/** `follow`: the broadcast switches to other tracks. */
type MemberChange = { do: 'nothing' | 'interrupt' | 'end' } | { do: 'follow'; tracks: string[] };

type BroadcastRow = Pick<Broadcast, 'sourceTracks' | 'nodeEpoch'>;
type Member = Pick<Participant, 'state' | 'tracks'>;

/**
 * Decides how a broadcast follows its member. A member who leaves ends the broadcast, and a member without video interrupts
 * it. A lost socket changes nothing, because the media may continue; a member who does not reconnect leaves.
 */
export function decideMemberChange(row: BroadcastRow, member: Member | null): MemberChange {
  if (member?.state !== 'joined') return { do: 'end' };
  const tracks = broadcastTracks(member.tracks);
  if (tracks.length === 0) return { do: row.sourceTracks.length === 0 ? 'nothing' : 'interrupt' };
  const isSame = tracks.join() === row.sourceTracks.join();
  // Without a transcoder, the reconciler starts the broadcast again with the member's tracks at that time.
  return isSame || row.nodeEpoch === null ? { do: 'nothing' } : { do: 'follow', tracks };
}
