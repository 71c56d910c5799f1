import { networkInterfaces } from 'node:os';
import { SwitchedNetwork } from '../../cluster/switched-network.js';
import { networkRefusal, TestNetwork } from './network.js';

const refusal = networkRefusal();
if (refusal) process.stderr.write(`No network is made here: ${refusal}\n`);

(refusal ? describe.skip : describe)('a network for tests', () => {
  it.each([
    ['one namespace', TestNetwork],
    ['a switch', SwitchedNetwork],
  ])('of %s leaves the addresses of this machine, as a change fails requests of Chromium', (_, kind) => {
    const network = kind.open();
    try {
      const devices = Object.keys(networkInterfaces());
      expect(devices.filter(name => name.startsWith('rtms'))).toEqual([]);
    } finally {
      network.close();
    }
  });
});
