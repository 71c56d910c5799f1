import { kindOfSource, type RoomTrack, type TrackSource } from '@rtms/contracts';
import { broadcastTracks, decideMemberChange } from './member-source.js';

const trackOf = (source: TrackSource, state: RoomTrack['state'] = 'live'): RoomTrack => ({
  trackID: source,
  kind: kindOfSource(source),
  source,
  codec: 'x',
  state,
});

describe('what a broadcast takes of a member', () => {
  it.each<[TrackSource[], string[]]>([
    [[], []],
    [['microphone'], []],
    [['camera'], ['camera']],
    [['screen'], ['screen']],
    [
      ['screen', 'camera', 'screenAudio', 'microphone'],
      ['camera', 'microphone'],
    ],
    [
      ['screenAudio', 'screen'],
      ['screen', 'screenAudio'],
    ],
  ])('of %j: %j', (sources, taken) => {
    expect(broadcastTracks(sources.map(source => trackOf(source)))).toEqual(taken);
  });

  it('is also what is paused, but nothing that has ended', () => {
    expect(broadcastTracks([trackOf('camera', 'paused')])).toEqual(['camera']);
    expect(broadcastTracks([trackOf('camera', 'ended'), trackOf('screen')])).toEqual(['screen']);
  });
});

describe('a broadcast of a member', () => {
  const joined = (...tracks: RoomTrack[]) => ({ state: 'joined' as const, tracks });
  const row = (sourceTracks: string[], nodeEpoch: number | null = 1) => ({ sourceTracks, nodeEpoch });

  it('ends when the member has left, or is not known any more', () => {
    expect(decideMemberChange(row(['camera']), { state: 'left', tracks: [] })).toEqual({ do: 'end' });
    expect(decideMemberChange(row([]), null)).toEqual({ do: 'end' });
  });

  it('is interrupted once when there is no picture', () => {
    expect(decideMemberChange(row(['camera']), joined(trackOf('microphone')))).toEqual({ do: 'interrupt' });
    expect(decideMemberChange(row([]), joined(trackOf('microphone')))).toEqual({ do: 'nothing' });
  });

  it('follows the member to other tracks, where a transcoder has it', () => {
    const member = joined(trackOf('screen'), trackOf('microphone'));
    expect(decideMemberChange(row(['camera']), member)).toEqual({ do: 'follow', tracks: ['screen', 'microphone'] });
    expect(decideMemberChange(row([]), member)).toEqual({ do: 'follow', tracks: ['screen', 'microphone'] });
    expect(decideMemberChange(row([], null), member)).toEqual({ do: 'nothing' });
    expect(decideMemberChange(row(['screen', 'microphone']), member)).toEqual({ do: 'nothing' });
  });
});
