/** Made from the gateway's OpenAPI document by `npm run build`; do not edit. */
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** @description The body of every failure. Branch on `code` and `reason`; the text of `error` may change. */
    Failure: {
      /** @constant */
      success: false;
      /** @description Safe to show to a user. */
      error: string;
      /** @enum {string} */
      code:
        | 'BAD_REQUEST'
        | 'UNAUTHORIZED'
        | 'FORBIDDEN'
        | 'NOT_FOUND'
        | 'CONFLICT'
        | 'PAYLOAD_TYPE_MISMATCH'
        | 'RATE_LIMITED'
        | 'SERVICE_UNAVAILABLE'
        | 'INTERNAL_ERROR';
      /**
       * @description Which case of the code this is.
       * @enum {string}
       */
      reason?:
        | 'invalid_request'
        | 'unknown_field'
        | 'unknown_action'
        | 'malformed_json'
        | 'headers_too_large'
        | 'request_timeout'
        | 'body_too_large'
        | 'unsupported_media_type'
        | 'method_not_allowed'
        | 'malformed_sdp'
        | 'unacceptable_offer'
        | 'precondition_required'
        | 'precondition_failed'
        | 'range_not_satisfiable'
        | 'invalid_credentials'
        | 'second_factor_required'
        | 'key_expired'
        | 'key_revoked'
        | 'key_disabled'
        | 'token_expired'
        | 'path_not_signed'
        | 'operation_not_granted'
        | 'origin_not_allowed'
        | 'csrf_token_missing'
        | 'confirmation_required'
        | 'wrong_password'
        | 'wrong_code'
        | 'feature_disabled'
        | 'not_entitled'
        | 'balance_exhausted'
        | 'account_disabled'
        | 'limit_reached'
        | 'sub_user_disabled'
        | 'wrong_secure_code'
        | 'role_not_allowed'
        | 'not_permitted'
        | 'not_found'
        | 'name_taken'
        | 'already_exists'
        | 'room_ended'
        | 'capacity_reached'
        | 'participant_left'
        | 'poll_ended'
        | 'already_voted'
        | 'session_ended'
        | 'track_ended'
        | 'playback_ended'
        | 'source_not_active'
        | 'source_has_no_video'
        | 'source_codec_unsupported'
        | 'has_dependents'
        | 'already_revoked'
        | 'already_deleted'
        | 'last_key'
        | 'no_second_factor'
        | 'in_use'
        | 'already_publishing'
        | 'idempotency_key_reused'
        | 'idempotency_key_in_use'
        | 'idempotency_outcome_unknown'
        | 'payload_type_mismatch'
        | 'rate_limited'
        | 'too_many_waiting'
        | 'controller_unavailable'
        | 'dependency_unavailable'
        | 'internal_error';
    };
    AdminAccountsCreateBody: {
      /** @description apiUserName must be 6 to 32 letters and digits. */
      apiUserName?: string | null;
      /** @description name must be text of 1 to 64 characters. */
      name: string;
    };
    Account: {
      accountID: string;
      name: string;
      apiUserName: string;
      /** @enum {string} */
      state: 'active' | 'disabled' | 'deleted';
      /** Format: date-time */
      createdAt: string;
      deletedAt: string | null;
    };
    AdminAccountsRenameCreateBody: {
      /** @description name must be text of 1 to 64 characters. */
      name: string;
    };
    Key: {
      keyID: string;
      /** @enum {string} */
      type: 'sandbox' | 'production';
      maskedKey: string;
      /** @enum {string} */
      state: 'active' | 'overlapping' | 'disabled' | 'expired' | 'revoked';
      /** Format: date-time */
      createdAt: string;
      expiresAt: string | null;
    };
    AdminAccountsKeysCreateBody: {
      /**
       * @description type must be one of: sandbox, production.
       * @enum {string}
       */
      type: 'sandbox' | 'production';
    };
    IssuedKey: {
      keyID: string;
      /** @enum {string} */
      type: 'sandbox' | 'production';
      maskedKey: string;
      /** @enum {string} */
      state: 'active' | 'overlapping' | 'disabled' | 'expired' | 'revoked';
      /** Format: date-time */
      createdAt: string;
      expiresAt: string | null;
      apiUserName: string;
      apiKey: string;
    };
    AdminAccountsKeysRotateCreateBody: {
      /**
       * @description type must be one of: sandbox, production.
       * @enum {string}
       */
      type: 'sandbox' | 'production';
      /** @description overlapHours must be a whole number from 0 to 72. */
      overlapHours?: number | null;
    };
    AdminAccountsKeysDisableCreateBody: {
      /** @description force must be true or false. Also when no other main key of its environment works: servers that use the key stop at once. */
      force?: boolean | null;
    };
    DisposableKey: {
      keyID: string;
      name: string;
      /** @enum {string} */
      type: 'sandbox' | 'production';
      validityDays: number | null;
      operations: (
        | 'createRoom'
        | 'joinRoom'
        | 'readRooms'
        | 'manageRooms'
        | 'ingestMedia'
        | 'playMedia'
        | 'broadcastMedia'
        | 'readRecordings'
        | 'manageRecordings'
        | 'readSettings'
        | 'manageSettings'
        | 'readBalance'
        | 'readLogs'
        | 'manageSubUsers'
        | 'manageDomains'
        | 'manageKeys'
        | 'manageAiCredentials'
        | 'manageSip'
        | 'manageTranslation'
        | 'manageAgents'
        | 'manageWebhooks'
      )[];
      domains: string[] | null;
      meetingIDs: string[] | null;
      maxRole: ('host' | 'cohost' | 'participant' | 'viewer') | null;
      maskedKey: string;
      /** @enum {string} */
      state: 'active' | 'expired' | 'revoked';
      /** Format: date-time */
      createdAt: string;
      expiresAt: string | null;
      lastUsedAt: string | null;
    };
    AdminDashboardUsersCreateBody: {
      /** @description email must be an e-mail address of at most 254 characters. */
      email: string;
      /**
       * @description role must be one of: owner, administrator.
       * @enum {string}
       */
      role: 'owner' | 'administrator';
      /** @description accountID must be the identifier of an account. */
      accountID?: string | null;
      /** @description password must be text of 12 to 256 characters. */
      password?: string | null;
    };
    IssuedDashboardUser: {
      userID: string;
      email: string;
      /** @enum {string} */
      role: 'owner' | 'administrator';
      accountID: string | null;
      totpEnabled: boolean;
      /** Format: date-time */
      createdAt: string;
      password: string;
    };
    DashboardUser: {
      userID: string;
      email: string;
      /** @enum {string} */
      role: 'owner' | 'administrator';
      accountID: string | null;
      totpEnabled: boolean;
      /** Format: date-time */
      createdAt: string;
    };
    ResetLink: {
      userID: string;
      accountID: string | null;
      /** Format: uri */
      url: string;
      /** Format: date-time */
      expiresAt: string;
    };
    Balance: {
      sandbox: components['schemas']['Minutes'];
      production: components['schemas']['Minutes'];
    };
    Minutes: {
      meetingMinutes: number;
      recordingMinutes: number;
    };
    AdminAccountsBalanceSetBody: {
      /**
       * @description type must be one of: sandbox, production.
       * @enum {string}
       */
      type: 'sandbox' | 'production';
      /** @description meetingMinutes must be a whole number from 0 to 1000000000. */
      meetingMinutes?: number | null;
      /** @description recordingMinutes must be a whole number from 0 to 1000000000. */
      recordingMinutes?: number | null;
    };
    Entitlements: {
      whip: boolean;
      whep: boolean;
      hls: boolean;
      recording: boolean;
    };
    AdminAccountsEntitlementsSetBody: {
      /**
       * @description entitlement must be one of: whip, whep, hls, recording.
       * @enum {string}
       */
      entitlement: 'whip' | 'whep' | 'hls' | 'recording';
      /** @description granted must be true or false. */
      granted: boolean;
    };
    /** @description Each limit with its value for the account, and the default of the plan. */
    AccountLimits: {
      activeRooms: {
        value: number;
        default: number;
      };
      keys: {
        value: number;
        default: number;
      };
      sessionsPerRoom: {
        value: number;
        default: number;
      };
      sessionsPerAccount: {
        value: number;
        default: number;
      };
      viewersPerPlayback: {
        value: number;
        default: number;
      };
      viewersPerAccount: {
        value: number;
        default: number;
      };
      sourcePixels: {
        value: number;
        default: number;
      };
      sourcePixelsPerSecond: {
        value: number;
        default: number;
      };
    };
    AdminAccountsLimitsSetBody: {
      /** @description activeRooms must be a whole number from 0 to 1000000, or null for the plan's default. */
      activeRooms?: number | null;
      /** @description keys must be a whole number from 0 to 100000, or null for the plan's default. */
      keys?: number | null;
      /** @description sessionsPerRoom must be a whole number from 0 to 10000, or null for the plan's default. */
      sessionsPerRoom?: number | null;
      /** @description sessionsPerAccount must be a whole number from 0 to 1000000, or null for the plan's default. */
      sessionsPerAccount?: number | null;
      /** @description viewersPerPlayback must be a whole number from 0 to 1000000, or null for the plan's default. */
      viewersPerPlayback?: number | null;
      /** @description viewersPerAccount must be a whole number from 0 to 1000000, or null for the plan's default. */
      viewersPerAccount?: number | null;
      /** @description sourcePixels must be a whole number from 0 to 100000000, or null for the plan's default. */
      sourcePixels?: number | null;
      /** @description sourcePixelsPerSecond must be a whole number from 0 to 2000000000, or null for the plan's default. */
      sourcePixelsPerSecond?: number | null;
    };
    FeatureStates: {
      whip: boolean;
      whep: boolean;
      hls: boolean;
      srt: boolean;
      rtmp: boolean;
      rtmps: boolean;
    };
    AdminFeaturesSetBody: {
      /**
       * @description feature must be one of: whip, whep, hls, srt, rtmp, rtmps.
       * @enum {string}
       */
      feature: 'whip' | 'whep' | 'hls' | 'srt' | 'rtmp' | 'rtmps';
      /** @description enabled must be true or false. */
      enabled: boolean;
      /** @description accountID must be the identifier of an account. */
      accountID?: string | null;
    };
    AdminFeaturesCreateBody: {
      /**
       * @description feature must be one of: whip, whep, hls, srt, rtmp, rtmps.
       * @enum {string}
       */
      feature: 'whip' | 'whep' | 'hls' | 'srt' | 'rtmp' | 'rtmps';
      /** @description enabled must be true or false. */
      enabled: boolean;
      /** @description accountID must be the identifier of an account. */
      accountID?: string | null;
    };
    Node: {
      nodeID: string;
      /** @enum {string} */
      role: 'sfu' | 'transcoder';
      epoch: number;
      publicUrl: string;
      internalUrl: string;
      load: number;
      capacity: number;
      draining: boolean;
      drainSeconds?: number;
    };
    Finding: {
      check: string;
      nodeID?: string;
      /** @enum {string} */
      level: 'ok' | 'warn' | 'fail';
      message: string;
      advice?: string;
    };
    SecretRotation: {
      reencrypted: number;
      unreadable: number;
      done: boolean;
    };
    SigningKey: {
      kid: string;
      publishedKids: string[];
    };
    AuditEntry: {
      entryID: string;
      /** Format: date-time */
      at: string;
      actor: {
        /** @enum {string} */
        kind: 'administrator' | 'user' | 'main' | 'subUser' | 'disposable';
        id: string | null;
        name: string | null;
      };
      action: string;
      accountID: string | null;
      details: {
        [key: string]: string | number | boolean;
      };
      address: string | null;
      requestID: string;
      /** @enum {string} */
      outcome: 'unknown' | 'succeeded' | 'failed' | 'repeated';
      reason: string | null;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
