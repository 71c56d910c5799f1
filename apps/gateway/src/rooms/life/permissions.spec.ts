import {
  defaultEventOptions,
  eventTypes,
  participantRoles,
  permissions,
  type EventType,
  type ParticipantRole,
} from '@rtms/contracts';
import fc from 'fast-check';
import { mayChat, mayControl, mayPublish, permissionFor, type Settings } from './permissions.js';

const settings = (type: EventType, changes: Partial<Settings> = {}): Settings => ({
  ...defaultEventOptions(type),
  ...changes,
});
const mediaRequests = ['audio', 'video', 'screenshare'] as const;

describe('mayPublish', () => {
  const everything = ['microphone', 'camera', 'screen', 'screenAudio'];

  it.each<[EventType, ParticipantRole, string[]]>([
    ['conference', 'host', everything],
    ['conference', 'cohost', everything],
    ['conference', 'participant', everything],
    ['conference', 'viewer', []],
    ['webinar', 'host', everything],
    ['webinar', 'participant', everything],
    ['webinar', 'viewer', []],
    ['broadcast', 'host', everything],
    ['broadcast', 'viewer', []],
    ['chat', 'host', []],
    ['chat', 'participant', []],
    ['chat', 'viewer', []],
  ])('in a %s for a %s returns %j', (type, role, sources) => {
    expect(mayPublish(settings(type), { role, granted: [] })).toEqual(sources);
  });

  it.each<[ParticipantRole, Partial<Settings>, ('audio' | 'video')[], string[]]>([
    ['participant', { audioSetting: 'approval' }, [], ['camera', 'screen', 'screenAudio']],
    ['participant', { audioSetting: 'approval' }, ['audio'], everything],
    ['participant', { audioSetting: 'disallow' }, ['audio'], ['camera', 'screen', 'screenAudio']],
    ['participant', { screenshareSetting: 'disallow' }, [], ['microphone', 'camera']],
    ['viewer', {}, ['audio'], ['microphone']],
    ['host', { audioSetting: 'disallow', videoSetting: 'approval' }, [], everything],
  ])('for a %s with %j and %j granted returns %j', (role, changes, granted, sources) => {
    expect(mayPublish(settings('conference', changes), { role, granted })).toEqual(sources);
  });

  it('grows with granted permissions, up to the limits of the settings', () => {
    const anySettings = fc.record({
      type: fc.constantFrom(...eventTypes),
      audioSetting: fc.constantFrom(...permissions),
      videoSetting: fc.constantFrom(...permissions),
      screenshareSetting: fc.constantFrom(...permissions),
      chatSetting: fc.constantFrom('allow' as const, 'disallow' as const),
    });
    const anyone = fc.record({
      role: fc.constantFrom(...participantRoles),
      granted: fc.subarray([...mediaRequests]),
    });
    fc.assert(
      fc.property(anySettings, anyone, (chosen, { role, granted }) => {
        const before = mayPublish(chosen, { role, granted: [] });
        const after = mayPublish(chosen, { role, granted });
        expect(after).toEqual(expect.arrayContaining(before));
        const refused = mediaRequests.filter(request => permissionFor(chosen, role, request) === 'disallow');
        if (refused.length === mediaRequests.length) expect(after).toEqual([]);
      }),
    );
  });
});

describe('permissions of a role', () => {
  it.each<[ParticipantRole, 'allow' | 'disallow', boolean]>([
    ['host', 'disallow', true],
    ['cohost', 'disallow', true],
    ['participant', 'allow', true],
    ['participant', 'disallow', false],
    ['viewer', 'allow', true],
    ['viewer', 'disallow', false],
  ])('for a %s with the chat setting %s allow chat: %s', (role, chatSetting, may) => {
    expect(mayChat(settings('conference', { chatSetting }), role)).toBe(may);
  });

  it.each<[ParticipantRole, ParticipantRole, boolean]>([
    ['host', 'host', true],
    ['host', 'viewer', true],
    ['cohost', 'participant', true],
    ['cohost', 'host', false],
    ['cohost', 'cohost', false],
    ['participant', 'viewer', false],
    ['viewer', 'viewer', false],
  ])('for a %s over a %s allow control: %s', (role, other, may) => {
    expect(mayControl(role, other)).toBe(may);
  });
});
