import type { NodeLease } from '@rtms/contracts';
import { AllowedAddresses } from './allowed-addresses.js';
import { LeaseReader } from './lease-reader.js';

const lease: NodeLease = {
  nodeID: 'sfu-1',
  role: 'sfu',
  epoch: 1,
  publicUrl: 'https://media.example.com/sfu',
  internalUrl: 'http://10.0.0.7:4001',
  load: 0,
  capacity: 10,
  draining: false,
};

describe('LeaseReader', () => {
  const any = new LeaseReader();
  const narrow = new LeaseReader({
    public: new AllowedAddresses(['https://*.example.com']),
    internal: new AllowedAddresses(['10.0.0.0/8']),
  });

  it('accepts the lease of a node', () => {
    expect(any.read('sfu.sfu-1', lease)).toEqual({ lease });
    expect(narrow.read('sfu.sfu-1', lease)).toEqual({ lease });
  });

  it('keeps unknown fields of a newer node', () => {
    expect(any.read('sfu.sfu-1', { ...lease, zone: 'a' })).toEqual({ lease: { ...lease, zone: 'a' } });
  });

  it.each(['sfu.sfu-2', 'transcoder.sfu-1', 'sfu-1'])('refuses a lease under the key of another node, %s', key => {
    expect(any.read(key, lease)).toEqual({ refusal: 'it names another node' });
  });

  it.each<[string, unknown]>([
    ['lease', null],
    ['lease', 'sfu-1'],
    ['nodeID', { ...lease, nodeID: '../evil' }],
    ['role', { ...lease, role: 'gateway' }],
    ['epoch', { ...lease, epoch: Number.MAX_VALUE }],
    ['load', { ...lease, load: -1_000 }],
    ['capacity', { ...lease, capacity: '10' }],
    ['draining', { ...lease, draining: undefined }],
    ['composes', { ...lease, composes: 'recordings' }],
    ['version', { ...lease, version: '1.0\u001b[31m' }],
    ['publicUrl', { ...lease, publicUrl: 'javascript:alert(1)' }],
    ['publicUrl', { ...lease, publicUrl: 'https://media.example.com@evil.example' }],
    ['publicUrl', { ...lease, publicUrl: 'https://media.example.com/?to=' }],
    ['publicUrl', { ...lease, publicUrl: `https://media.example.com/${'a'.repeat(2_000)}` }],
    ['internalUrl', { ...lease, internalUrl: 'file:///etc/passwd' }],
  ])('refuses a malformed %s', (field, value) => {
    expect(any.read('sfu.sfu-1', value)).toEqual({ refusal: `${field} is malformed` });
  });

  it('refuses addresses that are not allowed', () => {
    const to = (changes: Partial<NodeLease>) => narrow.read('sfu.sfu-1', { ...lease, ...changes });
    expect(to({ publicUrl: 'https://evil.example/whip' })).toEqual({
      refusal: 'MEDIA_NODE_ADDRESSES does not list https://evil.example/whip',
    });
    expect(to({ publicUrl: 'http://media.example.com' })).toHaveProperty('refusal');
    expect(to({ internalUrl: 'http://169.254.169.254' })).toEqual({
      refusal: 'MEDIA_NODE_INTERNAL_ADDRESSES does not list http://169.254.169.254',
    });
  });
});
