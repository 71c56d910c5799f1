import { kindOfSource, type RoomTrack, type TrackSource } from '@rtms/contracts';
import { broadcastTracks, decideMemberChange } from './member-source.js';

const trackOf = (source: TrackSource, state: RoomTrack['state'] = 'live'): RoomTrack => ({
  trackID: source,
  kind: kindOfSource(source),
  source,
  codec: 'x',
  state,
});

describe('broadcastTracks', () => {
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
  ])('with %j returns %j', (sources, taken) => {
    expect(broadcastTracks(sources.map(source => trackOf(source)))).toEqual(taken);
  });

  it('includes paused tracks and leaves out ended tracks', () => {
    expect(broadcastTracks([trackOf('camera', 'paused')])).toEqual(['camera']);
    expect(broadcastTracks([trackOf('camera', 'ended'), trackOf('screen')])).toEqual(['screen']);
  });
});

describe('decideMemberChange', () => {
  const joined = (...tracks: RoomTrack[]) => ({ state: 'joined' as const, tracks });
  const row = (sourceTracks: string[], nodeEpoch: number | null = 1) => ({ sourceTracks, nodeEpoch });

  it('ends the broadcast when the member has left or is unknown', () => {
    expect(decideMemberChange(row(['camera']), { state: 'left', tracks: [] })).toEqual({ do: 'end' });
    expect(decideMemberChange(row([]), null)).toEqual({ do: 'end' });
  });

  it('interrupts the broadcast once when the member sends no video', () => {
    expect(decideMemberChange(row(['camera']), joined(trackOf('microphone')))).toEqual({ do: 'interrupt' });
    expect(decideMemberChange(row([]), joined(trackOf('microphone')))).toEqual({ do: 'nothing' });
  });

  it('follows the member to other tracks when a transcoder holds the broadcast', () => {
    const member = joined(trackOf('screen'), trackOf('microphone'));
    expect(decideMemberChange(row(['camera']), member)).toEqual({ do: 'follow', tracks: ['screen', 'microphone'] });
    expect(decideMemberChange(row([]), member)).toEqual({ do: 'follow', tracks: ['screen', 'microphone'] });
    expect(decideMemberChange(row([], null), member)).toEqual({ do: 'nothing' });
    expect(decideMemberChange(row(['screen', 'microphone']), member)).toEqual({ do: 'nothing' });
  });
});
