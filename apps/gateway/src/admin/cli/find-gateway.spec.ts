import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findGateway } from './find-gateway.js';

const ready = { gateway: 'http://127.0.0.1:4321', adminToken: 'token-of-npm-start', apiKey: 'x' };
let root: string;

describe('the gateway of rtms-admin', () => {
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'rtms-admin-'));
    mkdirSync(join(root, '.rtms'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('is the one of npm start', () => {
    writeFileSync(join(root, '.rtms/ready.json'), JSON.stringify(ready));
    expect(findGateway({}, root)).toEqual({ url: ready.gateway, token: ready.adminToken });
  });

  it('is the one in RTMS_HOME', () => {
    const home = join(root, 'home');
    mkdirSync(home);
    writeFileSync(join(home, 'ready.json'), JSON.stringify(ready));
    expect(findGateway({ RTMS_HOME: home }, '/nowhere').url).toBe(ready.gateway);
  });

  it('is the one of the environment, also beside npm start', () => {
    writeFileSync(join(root, '.rtms/ready.json'), JSON.stringify(ready));
    const url = 'https://api.example.com';
    expect(findGateway({ RTMS_ADMIN_URL: url, RTMS_ADMIN_TOKEN: 't' }, root)).toEqual({ url, token: 't' });
    expect(findGateway({ RTMS_ADMIN_TOKEN: 't' }, root)).toEqual({ url: 'http://127.0.0.1:4000', token: 't' });
    expect(() => findGateway({ RTMS_ADMIN_URL: url }, root)).toThrow('RTMS_ADMIN_TOKEN is not set');
  });

  it('asks for the variables or npm start if there is none', () => {
    expect(() => findGateway({}, root)).toThrow(
      /Set RTMS_ADMIN_URL and RTMS_ADMIN_TOKEN, or run npm start.*ready\.json/,
    );
  });
});
