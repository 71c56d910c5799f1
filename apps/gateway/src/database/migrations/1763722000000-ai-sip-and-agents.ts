import type { MigrationInterface, QueryRunner } from 'typeorm';

const ownedColumns = `
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
`;

const aiCredentials = `
CREATE TABLE ai_credentials (${ownedColumns}
  nick_name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('stt', 'llm', 'tts', 'realtime')),
  provider text NOT NULL,
  model text,
  encrypted_api_key bytea NOT NULL,
  masked_api_key text NOT NULL,
  base_url text,
  options jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT ai_credentials_nick_name UNIQUE (account_id, nick_name),
  -- What translation configs refer to.
  CONSTRAINT ai_credentials_of_kind UNIQUE (account_id, nick_name, kind)
);
`;

const agents = `
CREATE TABLE agents (${ownedColumns}
  name text NOT NULL,
  role text NOT NULL,
  instructions text NOT NULL,
  first_message text,
  speaks_first boolean NOT NULL,
  temperature double precision NOT NULL,
  response_guidelines text,
  max_session_minutes integer NOT NULL,
  webhook_url text,
  todo jsonb NOT NULL DEFAULT '[]',
  reference jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT agents_of_account UNIQUE (account_id, id)
);
`;

const sipConfigs = `
CREATE TABLE sip_configs (${ownedColumns}
  contact_number text NOT NULL,
  provider text,
  support_sip_active boolean NOT NULL,
  allow_outgoing boolean NOT NULL,
  audio_only boolean NOT NULL,
  auto_record_sip boolean NOT NULL,
  prefer_pcma boolean NOT NULL,
  allowed_ips jsonb NOT NULL DEFAULT '[]',
  peer jsonb,
  encrypted_peer_password bytea,
  backup_peer jsonb,
  encrypted_backup_password bytea,
  agent_id text,
  CONSTRAINT sip_configs_contact_number UNIQUE (account_id, contact_number),
  CONSTRAINT sip_configs_agent FOREIGN KEY (account_id, agent_id) REFERENCES agents (account_id, id)
);
CREATE INDEX sip_configs_by_agent ON sip_configs (account_id, agent_id) WHERE agent_id IS NOT NULL;
`;

/** A reference by nickname to a credential of one kind; it follows when the credential gets another name. */
function referenceTo(kind: 'stt' | 'llm' | 'tts'): string {
  return `
  CONSTRAINT translation_configs_${kind}_kind CHECK (${kind}_kind = '${kind}'),
  CONSTRAINT translation_configs_${kind} FOREIGN KEY (account_id, ${kind}_nick_name, ${kind}_kind)
    REFERENCES ai_credentials (account_id, nick_name, kind) ON UPDATE CASCADE`;
}

const translationConfigs = `
CREATE TABLE translation_configs (${ownedColumns}
  nick_name text NOT NULL,
  stt_nick_name text NOT NULL,
  stt_kind text NOT NULL DEFAULT 'stt',
  llm_nick_name text NOT NULL,
  llm_kind text NOT NULL DEFAULT 'llm',
  tts_nick_name text,
  tts_kind text NOT NULL DEFAULT 'tts',
  spoken_languages jsonb NOT NULL,
  listen_languages jsonb NOT NULL,
  output_mode text NOT NULL CHECK (output_mode IN ('audio', 'text')),
  auto_detect_spoken_language boolean NOT NULL,
  CONSTRAINT translation_configs_nick_name UNIQUE (account_id, nick_name),
  ${[referenceTo('stt'), referenceTo('llm'), referenceTo('tts')].join(',')}
);
`;

const tables = ['ai_credentials', 'agents', 'sip_configs', 'translation_configs'];

const listIndexes = tables.map(
  table => `CREATE INDEX ${table}_listed ON ${table} (account_id, created_at DESC, id DESC);`,
);

/** Deleting a credential looks for what refers to it. */
const referenceIndexes = ['stt', 'llm', 'tts'].map(
  kind => `CREATE INDEX translation_configs_by_${kind} ON translation_configs (account_id, ${kind}_nick_name);`,
);

export class AiSipAndAgents1763722000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const statements = [aiCredentials, agents, sipConfigs, translationConfigs, ...listIndexes, ...referenceIndexes];
    for (const statement of statements) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE ${[...tables].reverse().join(', ')}`);
  }
}
