import type { EncryptionUse } from './cryptography.js';

/** A column whose values are encrypted, each bound to its row. */
export interface SealedColumn {
  table: string;
  idColumn: string;
  column: string;
  use: EncryptionUse;
}

function sealed(table: string, column: string, idColumn = 'id'): SealedColumn {
  return { table, idColumn, column, use: 'stored-secret-encryption' };
}

/** All columns that are encrypted at rest. A rotation of the secret key encrypts only these again. */
export const sealedColumns = {
  hashRoot: sealed('service_secrets', 'sealed', 'name'),
  aiApiKey: sealed('ai_credentials', 'encrypted_api_key'),
  sipPeerPassword: sealed('sip_configs', 'encrypted_peer_password'),
  sipBackupPassword: sealed('sip_configs', 'encrypted_backup_password'),
  webhookSecret: sealed('webhooks', 'encrypted_secret'),
  webhookPreviousSecret: sealed('webhooks', 'encrypted_previous_secret'),
  totpSecret: sealed('dashboard_users', 'encrypted_totp_secret'),
  idempotentAnswer: sealed('idempotent_requests', 'sealed_answer'),
  srtPassphrase: sealed('ingest_keys', 'encrypted_passphrase', 'session_id'),
  srtCallSecrets: sealed('ingest_keys', 'encrypted_call_secrets', 'session_id'),
  restreamSecrets: sealed('restreams', 'encrypted_target_secrets'),
  signingKey: {
    table: 'signing_keys',
    idColumn: 'kid',
    column: 'encrypted_private_jwk',
    use: 'signing-key-encryption',
  },
} satisfies Record<string, SealedColumn>;

/** The context that binds a ciphertext to its row. Signing keys have the older form. */
export function sealContext({ table, column, use }: SealedColumn, id: string): string {
  return use === 'signing-key-encryption' ? id : `${table}.${column}:${id}`;
}
