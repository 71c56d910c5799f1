import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { DataSource, type EntityManager } from 'typeorm';
import { WorkLines } from '../jobs/work-lines.js';
import { CLOCK } from '../runtime/runtime.module.js';
import { KeyedHasher } from '../secrets/keyed-hasher.js';
import { afterWrong, forgetMs, waitOf, type GuessPolicy, type Guesses } from './guess-waits.js';

/** A counted guesser and the waits after its wrong guesses. */
export interface GuessSubject {
  /** Stored as a keyed hash, because it may have text of a caller. */
  subject: object;
  policy: GuessPolicy;
}

/** A guess of a secret, counted for its address and for all addresses. */
export interface Guess {
  own: GuessSubject;
  all: GuessSubject;
  isWrong: boolean;
}

interface Row {
  subject: Buffer;
  count: number;
  lastAt: Date;
  waitsUntil: Date;
}

const readStatement = `
SELECT subject, count, last_at AS "lastAt", waits_until AS "waitsUntil" FROM wrong_guesses WHERE subject = ANY($1) ORDER BY subject`;
/** Rows in one order prevent a deadlock. */
const insertStatement = `
INSERT INTO wrong_guesses (subject, count, last_at, waits_until)
SELECT subject, 0, $2, $2 FROM unnest($1::bytea[]) AS given (subject) ORDER BY subject ON CONFLICT DO NOTHING`;
const updateStatement = 'UPDATE wrong_guesses SET count = $2, last_at = $3, waits_until = $4 WHERE subject = $1';
const forgetStatement = `
DELETE FROM wrong_guesses WHERE subject IN (
  SELECT subject FROM wrong_guesses WHERE last_at < $1 LIMIT 100 FOR UPDATE SKIP LOCKED)`;

/** Requests that wait for one secret. Counting takes a few milliseconds. */
const longestLine = 100;

/** Counts wrong guesses of secrets, for all replicas together. */
@Injectable()
export class GuessWaitsRepository {
  private readonly lines = new WorkLines(longestLine);

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly hasher: KeyedHasher,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Returns the milliseconds that the guess must wait. 0: the guess may be checked, and is counted if it is wrong. A guess that must
   * wait is not counted. Guesses of one secret are counted one after the other on one connection, right guesses too: a right guess
   * must not look different from a wrong one. Throws RATE_LIMITED, `too_many_waiting`, if too many guesses wait for that.
   */
  async admit({ own, all, isWrong }: Guess): Promise<number> {
    const hashOf = ({ subject }: Guess['own']) => this.hasher.hashSubject(subject);
    const subjects = await Promise.all([hashOf(own), hashOf(all)]);
    const now = this.clock.now();
    const [ownSeen, allSeen] = await this.read(this.database.manager, subjects);
    // Without a lock: guesses that must wait block nobody.
    const wait = waitOf(ownSeen, allSeen, now);
    if (wait > 0 || (!isWrong && ownSeen === undefined)) return wait;
    if (isWrong) await this.database.query(forgetStatement, [new Date(now - forgetMs)]);
    return this.lines.run(subjects[1].toString('base64'), () =>
      this.database.transaction(manager => this.decide(manager, subjects, { own, all, isWrong })),
    );
  }

  private async decide(manager: EntityManager, subjects: Buffer[], { own, all, isWrong }: Guess): Promise<number> {
    if (isWrong) await manager.query(insertStatement, [subjects, new Date(this.clock.now())]);
    const rows = await this.read(manager, subjects, isWrong ? 'FOR UPDATE' : 'FOR SHARE');
    const now = this.clock.now();
    const [ownGuesses, allGuesses] = rows;
    const wait = waitOf(ownGuesses, allGuesses, now);
    if (wait > 0 || !isWrong) return wait;
    for (const [index, { policy }] of [own, all].entries()) {
      const { count, lastAt, waitsUntil } = afterWrong(rows[index], policy, now);
      await manager.query(updateStatement, [subjects[index], count, new Date(lastAt), new Date(waitsUntil)]);
    }
    return 0;
  }

  private async read(manager: EntityManager, subjects: Buffer[], lock = ''): Promise<(Guesses | undefined)[]> {
    const rows = await manager.query<Row[]>(`${readStatement} ${lock}`, [subjects]);
    return subjects.map(subject => {
      const row = rows.find(each => each.subject.equals(subject));
      return row && { count: row.count, lastAt: row.lastAt.getTime(), waitsUntil: row.waitsUntil.getTime() };
    });
  }
}
