import { Injectable } from '@nestjs/common';
import { ServiceError } from '@rtms/contracts';
import type { Response } from 'express';
import type { Caller } from '../../platform/auth/caller.js';
import type { GuessPolicy } from '../../platform/limits/guess-waits.js';
import { GuessWaitsRepository, type Guess } from '../../platform/limits/guess-waits.repository.js';
import { sameHash } from '../../platform/secrets/cryptography.js';
import { KeyedHasher } from '../../platform/secrets/keyed-hasher.js';
import type { Room } from '../records/room.entity.js';

/** A caller who asks to join a room. */
export interface Joiner {
  caller: Caller;
  /** The client's address, as `clientOf` returns it. */
  address: string;
  response: Response;
}

/** Few people share the address of a web page's visitor. */
const ofPage: GuessPolicy = { free: 5, longestWaitMs: 900_000 };
/** A server joins for many people from one address, so one person's guesses must not block the others for long. */
const ofServer: GuessPolicy = { free: 5, longestWaitMs: 30_000 };
/** All addresses together, so that many addresses guess hardly faster than one. */
const ofRoom: GuessPolicy = { free: 100, longestWaitMs: 30_000 };

/** Checks secure codes of rooms and limits guesses. */
@Injectable()
export class SecureCodesService {
  constructor(
    private readonly hasher: KeyedHasher,
    private readonly guesses: GuessWaitsRepository,
  ) {}

  hash(secureCode: string): Promise<Buffer> {
    return this.hasher.hash('secure-code-hash', secureCode);
  }

  /** Throws FORBIDDEN for a wrong or missing code. While guesses must wait, throws RATE_LIMITED even for the right code. */
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
