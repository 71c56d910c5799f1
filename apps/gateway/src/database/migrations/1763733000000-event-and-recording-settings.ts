import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `owner_id`: the account itself, or the one of its sub-users whose own settings these are. */
const ownedColumns = `
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  owner_id text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
`;

const eventSettings = `
CREATE TABLE event_settings (${ownedColumns}
  type text NOT NULL,
  audio_setting text NOT NULL,
  video_setting text NOT NULL,
  screenshare_setting text NOT NULL,
  chat_setting text NOT NULL,
  target_resolution text NOT NULL,
  add_co_host boolean NOT NULL,
  enable_ai_notes boolean NOT NULL,
  translation_config_nick_name text,
  CONSTRAINT event_settings_one_per_type UNIQUE (owner_id, type)
);
CREATE INDEX event_settings_by_config ON event_settings (account_id, translation_config_nick_name)
  WHERE translation_config_nick_name IS NOT NULL;
`;

const recordingSettings = `
CREATE TABLE recording_settings (${ownedColumns}
  media_options text NOT NULL,
  audio_options text NOT NULL,
  video_options text NOT NULL,
  video_type text NOT NULL,
  video_optimized boolean NOT NULL,
  recording_display_type text NOT NULL,
  add_hls boolean NOT NULL,
  name_tags boolean NOT NULL,
  background_color text NOT NULL,
  name_tags_color text NOT NULL,
  orientation text NOT NULL,
  max_duration_seconds integer NOT NULL,
  pauses_limit integer NOT NULL,
  retention_days integer NOT NULL,
  CONSTRAINT recording_settings_one_per_owner UNIQUE (owner_id)
);
`;

export class EventAndRecordingSettings1763733000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(eventSettings);
    await queryRunner.query(recordingSettings);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE event_settings, recording_settings');
  }
}
