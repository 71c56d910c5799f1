import { Readiness } from '@rtms/health';
import { ManualClock } from '@rtms/testing';
import type { DataSource } from 'typeorm';
import { DatabaseReadinessService } from './database-readiness.service.js';
import { allMigrations } from './migrations/all-migrations.js';
import { schemaProblem } from './schema-state.js';

describe('schemaProblem', () => {
  it.each<[string, Parameters<typeof schemaProblem>[0], RegExp | undefined]>([
    ['accepts a current schema', { run: ['A1', 'B2'], required: [], known: ['A1', 'B2'] }, undefined],
    [
      'accepts a schema with newer migrations',
      { run: ['A1', 'B2', 'C3'], required: [], known: ['A1', 'B2'] },
      undefined,
    ],
    ['accepts a known required migration', { run: ['A1', 'B2'], required: ['B2'], known: ['A1', 'B2'] }, undefined],
    ['refuses a schema with a missing migration', { run: ['A1'], required: [], known: ['A1', 'B2'] }, /older.*B2 must/],
    ['refuses an empty database', { run: [], required: [], known: ['A1', 'B2'] }, /older.*A1 and 1 more/],
    [
      'refuses an unknown required migration',
      { run: ['A1', 'B2', 'C3'], required: ['C3'], known: ['A1', 'B2'] },
      /newer.*C3\. Start/,
    ],
    [
      'refuses a database from before the first release',
      { run: ['A1', 'B2'], required: [], known: ['C3', 'D4'] },
      /before the first release \(A1 and 1 more\).*Delete .*\.rtms.*export.*docs\/operations\/upgrade\.md/,
    ],
  ])('%s', (_, facts, expected) => {
    if (expected) expect(schemaProblem(facts)).toMatch(expected);
    else expect(schemaProblem(facts)).toBeUndefined();
  });
});

/** A database with the given migrations, until it fails or falls silent. */
class FakeDatabase {
  names = allMigrations.map(({ name }) => name);
  state: 'answers' | 'fails' | 'silent' = 'answers';
  asked = 0;

  async query(statement: string): Promise<unknown[]> {
    this.asked += 1;
    if (this.state === 'fails') throw new Error('connection refused');
    if (this.state === 'silent') await new Promise(() => undefined);
    if (statement.includes('to_regclass')) return [{ id: statement.includes('requirements') ? null : 'migrations' }];
    return this.names.map(name => ({ name }));
  }
}

describe('DatabaseReadinessService', () => {
  let database: FakeDatabase;
  let readiness: Readiness;
  let clock: ManualClock;
  beforeEach(() => {
    [database, readiness, clock] = [new FakeDatabase(), new Readiness({ checks: {} }), new ManualClock()];
    new DatabaseReadinessService(database as unknown as DataSource, readiness, clock).onModuleInit();
  });

  const states = async () =>
    Object.fromEntries((await readiness.parts()).map(({ name, isUp, isNeeded }) => [name, { isUp, isNeeded }]));
  const stateOf = (isUp: { database: boolean; schema: boolean }) => ({
    database: { isUp: isUp.database, isNeeded: false },
    schema: { isUp: isUp.schema, isNeeded: true },
  });

  it('needs a schema that fits', async () => {
    expect(await states()).toEqual(stateOf({ database: true, schema: true }));
    database.names = database.names.slice(0, -1);
    expect(await states()).toEqual(stateOf({ database: true, schema: false }));
  });

  it('keeps the last state of the schema while the database is away', async () => {
    database.state = 'fails';
    expect(await states()).toEqual(stateOf({ database: false, schema: true }));
    Object.assign(database, { state: 'answers', names: [] });
    await states();
    database.state = 'fails';
    expect(await states()).toEqual(stateOf({ database: false, schema: false }));
  });

  it('answers after a second if the database is silent, and asks it only once', async () => {
    database.state = 'silent';
    let found: unknown;
    const finding = Promise.all([states(), states()]).then(both => (found = both));
    await clock.advance(999);
    expect(found).toBeUndefined();
    await clock.advance(1);
    await finding;
    const expected = stateOf({ database: false, schema: true });
    expect([found, database.asked, clock.pending]).toEqual([[expected, expected], 1, 0]);
  });
});
