import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Not logged: after a crash of the database everybody begins without a wait. */
const table = `
CREATE UNLOGGED TABLE wrong_guesses (
  subject bytea PRIMARY KEY,
  count integer NOT NULL,
  last_at timestamptz(3) NOT NULL,
  waits_until timestamptz(3) NOT NULL
);
CREATE INDEX wrong_guesses_by_time ON wrong_guesses (last_at);
`;

/** Wrong secure codes of rooms make the next guess wait. */
export class WrongGuesses1795375353120 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(table);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE wrong_guesses');
  }
}
