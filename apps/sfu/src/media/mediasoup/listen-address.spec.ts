import { resolveListenAddress } from './listen-address.js';

const machine = { addresses: ['10.0.0.5', '192.168.1.7'], container: false };
const container = { addresses: ['172.17.0.2'], container: true };

describe('the announced address', () => {
  it('is loopback when nothing is set', () => {
    expect(resolveListenAddress({}, machine)).toEqual({ ip: '127.0.0.1' });
    expect(resolveListenAddress({}, container)).toEqual({ ip: '127.0.0.1' });
  });

  it('is the listen address when that is one of this machine', () => {
    expect(resolveListenAddress({ listenIp: '10.0.0.5' }, machine)).toEqual({ ip: '10.0.0.5' });
  });

  it('is what is configured', () => {
    const announced = { ip: '0.0.0.0', announcedAddress: 'media.example.com' };
    expect(resolveListenAddress({ announcedAddress: 'media.example.com' }, machine)).toEqual(announced);
    expect(resolveListenAddress({ listenIp: '0.0.0.0', announcedAddress: 'media.example.com' }, container)).toEqual(
      announced,
    );
  });

  it.each(['0.0.0.0', '::', '0:0:0:0:0:0:0:0'])('must be set when listening on %s', listenIp => {
    expect(() => resolveListenAddress({ listenIp }, machine)).toThrow(
      /Set RTC_ANNOUNCED_ADDRESS .* Addresses of this machine: 10\.0\.0\.5, 192\.168\.1\.7\./,
    );
  });

  it('must be set when listening on a container’s own address', () => {
    expect(() => resolveListenAddress({ listenIp: '172.17.0.2' }, container)).toThrow(
      /container's own address.*Set RTC_ANNOUNCED_ADDRESS/,
    );
  });

  it('needs a listen address that is an IP address', () => {
    expect(() => resolveListenAddress({ listenIp: 'localhost' }, machine)).toThrow(
      'RTC_LISTEN_IP is not an IP address: localhost.',
    );
  });
});
