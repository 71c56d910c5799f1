import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { normaliseEmail } from '../users/credentials.js';
import { newID } from '../../platform/database/new-id.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { sameHash } from '../../platform/secrets/cryptography.js';
import { KeyedHasher } from '../../platform/secrets/keyed-hasher.js';

export const deviceCookie = 'rtms_devices';
export const deviceLifetimeMs = 180 * 24 * 3_600_000;
/** The most users that one browser remembers. The oldest user is dropped first. */
const maxDevices = 4;

const tokenForm = /^(dev_[0-9A-Za-z]{22})\.(\d{13})\.([\w-]{43})$/;

interface Device {
  deviceID: string;
  expiresAt: number;
  token: string;
}

/**
 * Browsers with which a user has signed in before. The cookie has a token for each user: an id, its expiry and a keyed hash of both with
 * the email address. The token gives no access. It only separates the attempts of the browser from the attempts of strangers.
 */
@Injectable()
export class KnownDevicesService {
  constructor(
    private readonly hasher: KeyedHasher,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns the id of the browser if this user has signed in with it before. */
  async find(cookies: string | undefined, email: string): Promise<string | undefined> {
    for (const device of devicesIn(cookies)) if (await this.belongsTo(device, email)) return device.deviceID;
    return undefined;
  }

  /** Returns the cookie for a browser with which this user has signed in. A known browser keeps its id and thus its counted attempts. */
  async remember(cookies: string | undefined, email: string): Promise<string> {
    const others: Device[] = [];
    let deviceID = newID('dev');
    for (const device of devicesIn(cookies)) {
      if (await this.belongsTo(device, email)) deviceID = device.deviceID;
      else if (device.expiresAt > this.clock.now()) others.push(device);
    }
    const expiresAt = this.clock.now() + deviceLifetimeMs;
    const token = `${deviceID}.${expiresAt}.${await this.hashOf(deviceID, expiresAt, email)}`;
    return [token, ...others.slice(0, maxDevices - 1).map(each => each.token)].join('~');
  }

  private async belongsTo({ deviceID, expiresAt, token }: Device, email: string): Promise<boolean> {
    if (expiresAt <= this.clock.now()) return false;
    const expected = `${deviceID}.${expiresAt}.${await this.hashOf(deviceID, expiresAt, email)}`;
    return sameHash(Buffer.from(token), Buffer.from(expected));
  }

  private async hashOf(deviceID: string, expiresAt: number, email: string): Promise<string> {
    const value = JSON.stringify([deviceID, expiresAt, normaliseEmail(email)]);
    return (await this.hasher.hash('known-device-hash', value)).toString('base64url');
  }
}

function devicesIn(cookies: string | undefined): Device[] {
  const pair = (cookies ?? '').split(';').find(each => each.trim().startsWith(`${deviceCookie}=`));
  const tokens = (pair?.slice(pair.indexOf('=') + 1).trim() ?? '').split('~').slice(0, maxDevices);
  return tokens.flatMap(token => {
    const [, deviceID, expiresAt] = tokenForm.exec(token) ?? [];
    return deviceID === undefined ? [] : [{ deviceID, expiresAt: Number(expiresAt), token }];
  });
}
