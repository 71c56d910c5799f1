import { defaultRecordingOptions, type RecordingOptions } from '@rtms/contracts';
import { compositionOf, type RoomComposition } from './composition-of.js';

describe('compositionOf', () => {
  it('shows everybody in a landscape grid with names by default', () => {
    expect(compositionOf(defaultRecordingOptions)).toEqual({
      ...{ layout: 'grid', width: 1280, height: 720, fit: 'cover', hasEmptyTiles: false, audio: 'all' },
      ...{ backgroundColor: '#000000', nameTagsColor: '#ffffff', shows: 'all' },
    });
  });

  it.each<[Partial<RecordingOptions>, Partial<RoomComposition>]>([
    [{ videoOptions: 'mainScreen' }, { layout: 'single' }],
    [{ videoType: 'bestDisplay' }, { fit: 'contain', hasEmptyTiles: false }],
    [{ videoType: 'all' }, { fit: 'contain', hasEmptyTiles: true }],
    [{ audioOptions: 'onScreen' }, { audio: 'onScreen' }],
    [{ audioOptions: 'host' }, { audio: 'host' }],
    [{ orientation: 'portrait' }, { width: 720, height: 1280 }],
    [{ orientation: 'all' }, { width: 960, height: 960 }],
    [{ videoOptimized: true }, { width: 1920, height: 1080 }],
    [
      { videoOptimized: true, orientation: 'portrait' },
      { width: 1080, height: 1920 },
    ],
    [
      { videoOptimized: true, orientation: 'all' },
      { width: 1440, height: 1440 },
    ],
    [{ recordingDisplayType: 'media' }, { shows: 'media' }],
    [{ backgroundColor: '#123456' }, { backgroundColor: '#123456' }],
    [{ nameTagsColor: '#00ff00' }, { nameTagsColor: '#00ff00' }],
  ])('follows %j', (options, composition) => {
    expect(compositionOf({ ...defaultRecordingOptions, ...options })).toMatchObject(composition);
  });

  it('shows no names without name tags', () => {
    expect(compositionOf({ ...defaultRecordingOptions, nameTags: false })).not.toHaveProperty('nameTagsColor');
  });

  it('prefers the layout of the request', () => {
    expect(compositionOf({ ...defaultRecordingOptions, videoOptions: 'mainScreen' }, 'speaker').layout).toBe('speaker');
  });
});
