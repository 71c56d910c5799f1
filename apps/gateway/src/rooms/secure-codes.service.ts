import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { secondsLeft } from '@rtms/http';
import type { Response } from 'express';
import type { Caller } from '../auth/caller.js';
import { AttemptCounts } from '../rate-limits/attempt-counts.store.js';
import { CLOCK } from '../runtime.module.js';
import { sameHash } from '../secrets/keyed-hash.js';
import { KeyedHasher } from '../secrets/keyed-hasher.js';
import type { Room } from './room.entity.js';

/** A caller who asks to join a room. */
export interface Joiner {
  caller: Caller;
  /** As `clientOf` names it. */
  address: string;
  response: Response;
}

const windowSeconds = 900;

/**
 * Wrong codes for one room within a window. The limit of a key holds for all addresses together, so that more addresses
 * guess no faster. It locks no other key out. A server joins for many people: only a key that pages hold has the limit
 * per address.
 */
const wrongCodesOfKey = 100;
const wrongCodesOfAddress = 10;

/** Secure codes of rooms, and the attempts to guess them. */
@Injectable()
export class SecureCodes {
  constructor(
    private readonly hasher: KeyedHasher,
    private readonly attempts: AttemptCounts,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  hash(secureCode: string): Promise<Buffer> {
    return this.hasher.hash('secure-code-hash', secureCode);
  }

  /** FORBIDDEN for a wrong code; RATE_LIMITED, also for the right one, after too many wrong ones. */
  async require({ id, secureCodeHash }: Room, secureCode: string | undefined, joiner: Joiner): Promise<void> {
    if (secureCodeHash === null) return;
    const subjects = subjectsOf(id, joiner);
    // A code that was left out is no guess.
    const isGuess = secureCode !== undefined;
    const isWrong = isGuess && !sameHash(secureCodeHash, await this.hash(secureCode));
    for (const { subject, limit } of isGuess ? subjects : []) {
      const before = isWrong
        ? (await this.attempts.add(subject, windowSeconds)) - 1
        : await this.attempts.read(subject, windowSeconds);
      if (before >= limit) throw this.refusal(joiner.response);
    }
    if (isGuess && !isWrong) return;
    throw new ServiceError('wrong_secure_code', "secureCode is missing or wrong. Ask the host for the room's code.");
  }

  private refusal(response: Response): ServiceError {
    const seconds = secondsLeft(this.clock.now(), windowSeconds);
    response.setHeader('Retry-After', String(seconds));
    return new ServiceError('rate_limited', `Too many wrong secure codes. Try again in ${seconds} s.`);
  }
}

function subjectsOf(meetingID: string, { caller: { keyID, keyKind }, address }: Joiner) {
  const ofKey = { subject: { secureCode: meetingID, keyID }, limit: wrongCodesOfKey };
  const ofAddress = { subject: { secureCode: meetingID, address }, limit: wrongCodesOfAddress };
  return keyKind === 'disposable' ? [ofAddress, ofKey] : [ofKey];
}
