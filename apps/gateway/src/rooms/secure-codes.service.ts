import { Injectable } from '@nestjs/common';
import { ServiceError } from '@rtms/contracts';
import type { Response } from 'express';
import type { Caller } from '../auth/caller.js';
import type { GuessPolicy } from '../rate-limits/guess-waits.js';
import { GuessWaits, type Guess } from '../rate-limits/guess-waits.store.js';
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

/** An address that only a page's key comes from belongs to few people. */
const ofPage: GuessPolicy = { free: 5, longestWaitMs: 900_000 };
/** A server joins for many people from one address: the guesses of one must not keep the others out for long. */
const ofServer: GuessPolicy = { free: 5, longestWaitMs: 30_000 };
/** All addresses together, so that many of them guess little faster than one. */
const ofRoom: GuessPolicy = { free: 100, longestWaitMs: 30_000 };

/** Secure codes of rooms, and the attempts to guess them. */
@Injectable()
export class SecureCodes {
  constructor(
    private readonly hasher: KeyedHasher,
    private readonly guesses: GuessWaits,
  ) {}

  hash(secureCode: string): Promise<Buffer> {
    return this.hasher.hash('secure-code-hash', secureCode);
  }

  /** FORBIDDEN for a wrong code; RATE_LIMITED, also for the right one, while a guess must wait. A code that was left out is no guess. */
  async require({ id, secureCodeHash }: Room, secureCode: string | undefined, joiner: Joiner): Promise<void> {
    if (secureCodeHash === null) return;
    if (secureCode !== undefined) {
      const isWrong = !sameHash(secureCodeHash, await this.hash(secureCode));
      const waitMs = await this.guesses.admit({ ...subjectsOf(id, joiner), isWrong });
      if (waitMs > 0) throw refusal(joiner.response, Math.ceil(waitMs / 1000));
      if (!isWrong) return;
    }
    throw new ServiceError('wrong_secure_code', "secureCode is missing or wrong. Ask the host for the room's code.");
  }
}

function refusal(response: Response, seconds: number): ServiceError {
  response.setHeader('Retry-After', String(seconds));
  return new ServiceError('rate_limited', `Too many wrong secure codes. Try again in ${seconds} s.`);
}

function subjectsOf(meetingID: string, { caller: { keyKind }, address }: Joiner): Pick<Guess, 'own' | 'all'> {
  const policy = keyKind === 'disposable' ? ofPage : ofServer;
  const by = keyKind === 'disposable' ? 'page' : 'server';
  return {
    own: { subject: { secureCode: meetingID, by, address }, policy },
    all: { subject: { secureCode: meetingID }, policy: ofRoom },
  };
}
