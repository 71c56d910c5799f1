import { defaultRecordingOptions, mostComposedSources, type ComposedRoom, type TrackSource } from '@rtms/contracts';
import { composeRoom, isSameRoom, type ComposedJob, type RoomSource } from './compose-room.js';
import { compositionOf } from '../resources/composition-of.js';

type Track = RoomSource['tracks'][number];

const track = (source: TrackSource, state: Track['state'] = 'live'): Track => ({
  trackID: `trk_${source}`,
  kind: source === 'microphone' || source === 'screenAudio' ? 'audio' : 'video',
  source,
  state,
});

const source = (sourceID: string, tracks: Track[], changes: Partial<RoomSource> = {}): RoomSource => ({
  ...{ sourceID, kind: 'member', sfuNodeID: 'sfu-1', name: sourceID.toUpperCase(), isHost: false, tracks },
  ...{ joinedAt: new Date(1000), ...changes },
});
const both = [track('camera'), track('microphone')];
const ada = source('ada', both, { joinedAt: new Date(1) });
const bob = source('bob', [...both, track('screen'), track('screenAudio')], { joinedAt: new Date(2) });
const obs = source('obs', both, { kind: 'externalSession', joinedAt: new Date(3) });

function compose(
  present: RoomSource[],
  {
    shows = 'all',
    tracks = ['video', 'audio'],
  }: Partial<Pick<ComposedJob, 'tracks'>> & { shows?: 'all' | 'video' | 'media' } = {},
  speakerID?: string,
): ComposedRoom {
  const composition = { ...compositionOf(defaultRecordingOptions), shows };
  return composeRoom(present, { tracks, composition }, speakerID);
}

/** For example `ada camera video,audio`. */
const lines = ({ sources }: ComposedRoom) => sources.map(each => `${each.sourceID} ${each.view} ${each.tracks.join()}`);

describe('composeRoom', () => {
  it('lists sources in the order of joining, and a shared screen as a source of its own', () => {
    expect(lines(compose([obs, bob, ada]))).toEqual([
      'ada camera video,audio',
      'bob camera video,audio',
      'bob screen video,audio',
      'obs camera video,audio',
    ]);
  });

  it('names each source with its node and role', () => {
    const { sources } = compose([source('ada', both, { isHost: true, name: 'é'.repeat(70), sfuNodeID: 'sfu-2' })]);
    expect(sources).toEqual([
      {
        ...{
          sourceID: 'ada',
          view: 'camera',
          sfuNodeID: 'sfu-2',
          tracks: ['video', 'audio'],
          trackIDs: ['trk_camera', 'trk_microphone'],
        },
        isHost: true,
        name: 'é'.repeat(64),
      },
    ]);
  });

  it.each<[Track[], string[]]>([
    [[track('camera', 'paused'), track('microphone')], ['x camera audio']],
    [[track('camera'), track('microphone', 'paused')], ['x camera video,audio']],
    [[track('camera', 'ended'), track('microphone', 'ended')], []],
    [[track('camera', 'paused')], []],
    [[], []],
  ])('takes of the tracks %j %j', (tracks, expected) => {
    expect(lines(compose([source('x', tracks)]))).toEqual(expected);
  });

  it('shows cameras alone', () => {
    expect(lines(compose([ada, bob, obs], { shows: 'video' }))).toEqual([
      'ada camera video,audio',
      'bob camera video,audio',
      'obs camera video,audio',
    ]);
  });

  it('shows shared media alone, and hears everybody', () => {
    expect(lines(compose([ada, bob, obs], { shows: 'media' }))).toEqual([
      'ada camera audio',
      'bob camera audio',
      'bob screen video,audio',
      'obs camera video,audio',
    ]);
  });

  it('shows cameras while nobody shares media', () => {
    expect(lines(compose([ada], { shows: 'media' }))).toEqual(['ada camera video,audio']);
  });

  it('takes only sound when the output has only sound', () => {
    const silent = source('carl', [track('camera'), track('screen')]);
    expect(lines(compose([ada, bob, silent], { tracks: ['audio'] }))).toEqual([
      'ada camera audio',
      'bob camera audio',
      'bob screen audio',
    ]);
  });

  it('names the speaker only while the speaker is a source', () => {
    expect(compose([ada, bob], {}, 'bob').speakerID).toBe('bob');
    expect(compose([ada], {}, 'bob')).not.toHaveProperty('speakerID');
  });

  it('leaves out muted members before others, and the newest of equal ones', () => {
    const many = Array.from({ length: mostComposedSources }, (_, index) =>
      source(`m${index}`, [track('microphone', 'paused')], { joinedAt: new Date(index) }),
    );
    const { sources } = compose([...many, bob, ada], {}, 'm15');
    expect(sources).toHaveLength(mostComposedSources);
    const ids = sources.map(({ sourceID }) => sourceID);
    expect(ids).toEqual(expect.arrayContaining(['ada', 'bob', 'm15', 'm0']));
    expect(ids).not.toContain('m14');
  });
});

describe('isSameRoom', () => {
  const room = compose([ada, bob], {}, 'ada');

  it('ignores the order of fields', () => {
    const reordered = {
      speakerID: 'ada',
      sources: room.sources.map(each => Object.fromEntries(Object.entries(each).reverse())),
    };
    expect(isSameRoom(reordered as unknown as ComposedRoom, room)).toBe(true);
  });

  it.each<[string, ComposedRoom | null]>([
    ['nothing sent', null],
    ['another speaker', compose([ada, bob], {}, 'bob')],
    ['another source', compose([ada], {}, 'ada')],
    ['another node', compose([{ ...ada, sfuNodeID: 'sfu-2' }, bob], {}, 'ada')],
    [
      'another track',
      compose(
        [
          source('ada', [track('camera'), { ...track('microphone'), trackID: 'trk_2' }], { joinedAt: new Date(1) }),
          bob,
        ],
        {},
        'ada',
      ),
    ],
    ['another name', compose([{ ...ada, name: 'Eve' }, bob], {}, 'ada')],
  ])('notices %s', (_, other) => {
    expect(isSameRoom(other, room)).toBe(false);
  });
});
