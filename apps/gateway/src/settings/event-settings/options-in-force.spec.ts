import { defaultEventOptions, type EventOptions, type EventType } from '@rtms/contracts';
import { optionsInForce } from './options-in-force.js';

const account = { accountID: 'acct_1', ownerID: 'acct_1' };
const subUser = { accountID: 'acct_1', ownerID: 'sub_1' };

const record = (ownerID: string, type: EventType, changes: Partial<EventOptions> = {}) => ({
  ...defaultEventOptions(type),
  ...changes,
  ownerID,
});

describe('event settings in force', () => {
  it('are the defaults of a conference when nothing is stored', () => {
    expect(optionsInForce([], account, undefined)).toEqual(defaultEventOptions('conference'));
  });

  it('are the defaults of a type that has no record', () => {
    const stored = [record('acct_1', 'conference', { addCoHost: true })];
    expect(optionsInForce(stored, account, 'chat')).toEqual(defaultEventOptions('chat'));
  });

  it('are the options of the record with the wanted type, without the other columns', () => {
    const stored = [record('acct_1', 'chat'), record('acct_1', 'webinar', { videoSetting: 'approval' })];
    expect(optionsInForce(stored, account, 'webinar')).toEqual({
      ...defaultEventOptions('webinar'),
      videoSetting: 'approval',
    });
  });

  it.each<[string, EventType[], EventType]>([
    ['the only record', ['webinar'], 'webinar'],
    ['a conference among others', ['broadcast', 'conference'], 'conference'],
    ['the first by name of several others', ['webinar', 'broadcast'], 'broadcast'],
  ])('give a room without a type the type of %s', (_, types, expected) => {
    const stored = types.map(type => record('acct_1', type));
    expect(optionsInForce(stored, account, undefined).type).toBe(expected);
  });

  it('are the settings of the sub-user rather than those of the account', () => {
    const stored = [record('acct_1', 'chat', { addCoHost: true }), record('sub_1', 'chat')];
    expect(optionsInForce(stored, subUser, undefined).addCoHost).toBe(false);
    expect(optionsInForce(stored, account, undefined).addCoHost).toBe(true);
  });

  it('are the settings of the account when the sub-user has none', () => {
    const stored = [record('acct_1', 'chat', { addCoHost: true })];
    expect(optionsInForce(stored, subUser, 'chat').addCoHost).toBe(true);
  });
});
