import fc from 'fast-check';
import { readClientData } from './client-data.js';

const queryOf = (text: string): string => `_HLS_msn=4&CMCD=${encodeURIComponent(text)}&x=1`;
const read = (text: string) => readClientData(queryOf(text), {});
const empty = { sessionID: 's', isAudio: false, isFilling: false, hasStalled: false };

describe('the client data of a player', () => {
  it('is read from the query', () => {
    expect(read('bl=12300,br=3200,bs,cid="a,b=1",d=2000,mtp=25400,ot=v,sf=h,sid="6e2f",st=l,su')).toEqual({
      ...{ sessionID: '6e2f', isAudio: false, isFilling: true, hasStalled: true },
      ...{ bufferMs: 12_300, bitrate: 3_200_000, throughput: 25_400_000 },
    });
  });

  it('is read from headers', () => {
    const headers = {
      'cmcd-object': 'br=300,ot=a',
      'cmcd-request': 'bl=900,mtp=1000',
      'cmcd-session': 'sf=h,sid="s"',
      'cmcd-status': 'bs',
    };
    expect(readClientData('token=1', headers)).toEqual({
      ...empty,
      ...{ isAudio: true, hasStalled: true, bufferMs: 900, bitrate: 300_000, throughput: 1_000_000 },
    });
  });

  it.each([
    ['a list of version 2', 'sid="s",br=(900;v 128;a),bl=(40)', { bufferMs: 40, bitrate: 900_000 }],
    ['an explicit false', 'sid="s",bs=?0,su=false', {}],
    ['numbers that are none', 'sid="s",bl=-1,br=x,mtp=99999999999', {}],
    ['a session without quotes', 'sid=s', {}],
    ['unknown keys', 'com.example-x="1",nor="..%2Fa",sid="s"', {}],
    ['keys of objects', 'constructor=1,__proto__="1",sid="s"', {}],
    ['spaces and a comma at its end', 'bl=1,  sid="s",', { bufferMs: 1 }],
    ['numbers of ten digits', 'sid="s",bl=1234567890,br=123456789', { bitrate: 123_456_789_000 }],
    ['escapes', 'cid="a\\",bs",sid="s"', {}],
  ])('may have %s', (_, text, values) => {
    expect(read(text)).toEqual({ ...empty, ...values });
  });

  it.each([
    ['no session', 'bl=100'],
    ['an empty session', 'sid=""'],
    ['a long session', `sid="${'s'.repeat(65)}"`],
    ['an open quote', 'sid="s'],
    ['text behind a quote', 'sid="s"x'],
    ['more than 2,000 characters', `sid="s",cid="${'c'.repeat(2_000)}"`],
  ])('is ignored with %s', (_, text) => {
    expect(read(text)).toBeUndefined();
  });

  it('is ignored with broken escapes, and in a parameter of another name', () => {
    for (const query of ['CMCD=%E0%A4%A', 'XCMCD=sid%3D%22s%22', 'CMCD=', 'CMCD', ''])
      expect(readClientData(query, {})).toBeUndefined();
  });

  it('has the grammar of lists of CTA-5004', () => {
    const entry = /^(?:[A-Za-z0-9.*_-]{1,64}(?:=(?:"(?:[^"\\]|\\.)*"|[^",]*))?(?:, *|$))*$/;
    fc.assert(
      fc.property(fc.stringMatching(/^[as=,"\\ é-]{0,12}$/), text => {
        const list = `sid="s",${text}`;
        expect(read(list) !== undefined).toBe(entry.test(list));
      }),
      { numRuns: 1_000 },
    );
  });

  it('never throws, whatever the query and the headers are', () => {
    const text = fc.oneof(fc.string({ maxLength: 300 }), fc.stringMatching(/^[a-z"\\=,(]{0,300}$/));
    fc.assert(
      fc.property(text, text, (query, session) => {
        readClientData(`CMCD=${query}`, {});
        readClientData(queryOf(query), {});
        readClientData('', { 'cmcd-session': session, 'cmcd-status': query });
      }),
    );
  });
});
