import type { EndpointTrial } from '@rtms/contracts';
import {
  judgeAnnounced,
  judgeAnswer,
  judgeEncoders,
  judgeEncoding,
  judgeHandshake,
  judgeReach,
  judgeRecordings,
  judgeSpace,
  judgeTurn,
  judgeVersion,
} from './judge-node.js';

const trial = (protocol: 'udp' | 'tcp', port: number, ok: boolean): EndpointTrial => ({
  protocol,
  address: '198.51.100.7',
  port,
  ok,
  detail: ok ? '3 ms' : 'no answer within 2000 ms',
});

const space = { purpose: 'MEDIA_DIR', path: '/media', isWritable: true, freeBytes: 80e9, totalBytes: 100e9 };
const machineAddresses = ['198.51.100.7', '2001:db8::7'];
const announced = (address: string, publicUrl = 'https://sfu.example') =>
  judgeAnnounced({ address, publicUrl, machineAddresses });

describe('the findings about a media node', () => {
  it.each([
    ['that answers', judgeAnswer({ value: [] }), 'ok', 'answers'],
    ['that does not answer', judgeAnswer({ failure: 'nobody listens' }), 'fail', 'nobody listens'],
    ['of the same version', judgeVersion('0.2.0', '0.2.0'), 'ok', '0.2.0'],
    ['of a newer version', judgeVersion('0.10.0', '0.9.1'), 'ok', '0.10.0'],
    ['of an older version', judgeVersion('0.9.1', '0.10.0'), 'warn', '0.9.1 is older than the gateway'],
    ['of an older major version', judgeVersion('0.9.9', '1.0.0'), 'warn', '1.0.0'],
    ['that reports no version', judgeVersion(undefined, '0.1.0'), 'warn', 'unknown version'],
    ['whose handshake succeeds', judgeHandshake({ ok: true, detail: '2 media workers' }), 'ok', '2 media workers'],
    ['whose handshake fails', judgeHandshake({ ok: false, detail: 'no handshake' }), 'fail', 'no handshake'],
    ['with all encoders', judgeEncoders([], '5.1'), 'ok', 'FFmpeg 5.1'],
    ['without one of the encoders', judgeEncoders(['libx264'], '5.1'), 'fail', 'FFmpeg 5.1 lacks libx264'],
    ['without FFmpeg', judgeEncoders(['libx264', 'aac'], ''), 'fail', 'not found'],
    ['whose TURN server relays', judgeTurn({ url: 'turn:a', ok: true, detail: '9 ms' }), 'ok', 'turn:a relays: 9 ms'],
    [
      'whose TURN server refuses credentials',
      judgeTurn({ url: 'turn:a', ok: false, detail: '401 Unauthorized' }),
      'fail',
      'turn:a does not relay: 401 Unauthorized',
    ],
    ['that encodes', judgeEncoding({ ok: true, detail: '90 ms' }), 'ok', '90 ms'],
    ['that cannot encode', judgeEncoding({ ok: false, detail: 'Killed' }), 'fail', 'Killed'],
    ['with much free disk space', judgeSpace(space), 'ok', '80.0 of 100.0 GB'],
    ['with little free disk space', judgeSpace({ ...space, freeBytes: 4.9e9 }), 'warn', '4.9 of'],
    ['with almost no free disk space', judgeSpace({ ...space, freeBytes: 0.4e9 }), 'fail', '0.4 of'],
    [
      'that cannot write to its folder',
      judgeSpace({ ...space, isWritable: false }),
      'fail',
      '/media cannot be written',
    ],
    [
      'that keeps recordings in shared storage',
      judgeRecordings({ storage: 'shared', isPod: true }, 3),
      'ok',
      'any transcoder',
    ],
    ['that is the only transcoder', judgeRecordings({ storage: 'node', isPod: false }, 1), 'ok', 'the only transcoder'],
    [
      'that keeps recordings for itself',
      judgeRecordings({ storage: 'node', isPod: false }, 2),
      'warn',
      'Only this node can complete',
    ],
    [
      'that keeps recordings in its pod',
      judgeRecordings({ storage: 'node', isPod: true }, 1),
      'warn',
      'Only this pod can complete',
    ],
    ['that announces its own address', announced('198.51.100.7'), 'ok', 'of the machine'],
    ['that announces its IPv6 address', announced('2001:db8::7'), 'ok', 'of the machine'],
    ['that announces a name', announced('media.example'), 'ok', 'a name'],
    ['behind NAT', announced('203.0.113.9'), 'warn', 'not an address of the machine'],
    ['that is public and announces loopback', announced('127.0.0.1'), 'fail', '127.0.0.1 is announced'],
    ['that is public and announces loopback of IPv6', announced('::1'), 'fail', '::1 is announced'],
    ['that serves only its own machine', announced('127.0.0.1', 'http://localhost:4001'), 'ok', 'only this machine'],
    [
      'that serves only its own machine on IPv6',
      announced('127.0.0.1', 'http://[::1]:4001'),
      'ok',
      'only this machine',
    ],
  ] as const)('judge a node %s', (_, judgement, level, message) => {
    expect(judgement).toMatchObject({ level, message: expect.stringContaining(message) });
    expect(judgement.advice === undefined).toBe(level === 'ok');
  });

  it('count only the ports of the protocol', () => {
    const trials = { value: [trial('udp', 4000, true), trial('udp', 4001, true), trial('tcp', 4000, false)] };
    expect(judgeReach('udp', { trials, from: 'sfu-2' })).toEqual({
      level: 'ok',
      message: '4000, 4001 reached from sfu-2',
    });
    const { level, message, advice } = judgeReach('tcp', { trials, from: 'sfu-2' });
    expect(level).toBe('fail');
    expect(message).toBe('198.51.100.7:4000 is not reached from sfu-2: no answer within 2000 ms');
    expect(advice).toContain('Let tcp through');
  });

  it('fail for one closed port among open ports', () => {
    const trials = { value: [trial('udp', 4000, true), trial('udp', 4001, false)] };
    expect(judgeReach('udp', { trials, from: 'sfu-2' })).toMatchObject({
      level: 'fail',
      message: expect.stringContaining('4001'),
    });
  });

  it.each([
    ['there is no other node', { trials: { value: [] }, from: undefined }, 'no other node'],
    ['the other node cannot try', { trials: { failure: 'nobody listens' }, from: 'sfu-2' }, 'sfu-2 could not try it'],
    ['the node announces no address', { trials: { value: [] }, from: 'sfu-2' }, 'nothing to try'],
  ])('warn when %s', (_, reach, message) => {
    expect(judgeReach('udp', reach)).toMatchObject({ level: 'warn', message: expect.stringContaining(message) });
  });
});
