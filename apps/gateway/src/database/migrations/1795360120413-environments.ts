import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = ['recordings', 'deleted_recordings', 'room_messages', 'sip_calls'];

/**
 * The database itself writes the environment of a room into what belongs to the room, so that no writer can forget it, nor
 * can a gateway of a former version. A call without a room may name its own, and counts as production else.
 */
const triggerFunction = `
CREATE FUNCTION take_key_type_of_room() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.key_type := COALESCE((SELECT key_type FROM rooms WHERE id = NEW.meeting_id), NEW.key_type, 'production');
  RETURN NEW;
END $$`;

/** Adds what new rows need; the next migration fills the rows that are there, and holds up no gateway by it. */
export class Environments1795360120413 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(triggerFunction);
    for (const table of tables) {
      // Without a constraint: PostgreSQL would read the whole table for it, with everybody waiting.
      await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN key_type text`);
      await queryRunner.query(
        `CREATE TRIGGER ${table}_environment BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION take_key_type_of_room()`,
      );
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION take_key_type_of_room CASCADE');
    for (const table of tables) await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN key_type`);
  }
}
