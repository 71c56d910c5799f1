/** Made from the gateway's OpenAPI document by `npm run build`; do not edit. */
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** @description The body of every failure. Branch on `code` and `reason`; the text of `error` may change. */
    Failure: {
      /**
       * @description `false` in every failure.
       * @constant
       */
      success: false;
      /** @description Text that may be shown to a user. */
      error: string;
      /**
       * @description Kind of failure, with its own HTTP status.
       * @enum {string}
       */
      code:
        | 'BAD_REQUEST'
        | 'UNAUTHORIZED'
        | 'FORBIDDEN'
        | 'NOT_FOUND'
        | 'CONFLICT'
        | 'GONE'
        | 'PAYLOAD_TYPE_MISMATCH'
        | 'RATE_LIMITED'
        | 'SERVICE_UNAVAILABLE'
        | 'INTERNAL_ERROR';
      /**
       * @description Exact cause of the failure.
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
        | 'recording_not_ready'
        | 'recording_not_composable'
        | 'has_dependents'
        | 'already_revoked'
        | 'already_deleted'
        | 'last_key'
        | 'last_owner'
        | 'last_node'
        | 'no_second_factor'
        | 'in_use'
        | 'already_publishing'
        | 'idempotency_key_reused'
        | 'idempotency_key_in_use'
        | 'idempotency_outcome_unknown'
        | 'invalid_cursor'
        | 'cursor_expired'
        | 'payload_type_mismatch'
        | 'rate_limited'
        | 'too_many_waiting'
        | 'controller_unavailable'
        | 'dependency_unavailable'
        | 'no_new_media'
        | 'internal_error';
    } & {
      [key: string]: unknown;
    };
    CreateDomainBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'create';
      /** @description Host name; `*.example.com` stands for all names below example.com. */
      domain: string;
      /**
       * @description Whether browsers may send requests from the domain.
       * @default true
       */
      enabled?: boolean | null;
    };
    UpdateDomainBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'update';
      /** @description Identifier of a domain. */
      domainID: string;
      /** @description Host name; `*.example.com` stands for all names below example.com. */
      domain?: string | null;
      /** @description Whether browsers may send requests from the domain. */
      enabled?: boolean | null;
    };
    DeleteDomainBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'delete';
      /** @description Identifier of a domain. */
      domainID: string;
    };
    /**
     * @description `true` in every success.
     * @constant
     */
    Success: true;
    /** @description A host from which browsers may send requests with production keys. */
    Domain: {
      domainID: components['schemas']['DomainID'];
      /** @description Host name; `*.example.com` stands for all names below example.com. */
      domain: string;
      /** @description Whether browsers may send requests from the domain. */
      enabled: boolean;
      /** @description When the domain was registered. */
      createdAt: components['schemas']['Time'];
    };
    /** @description Identifier of the domain. */
    DomainID: string;
    /**
     * Format: date-time
     * @description RFC 3339, UTC, milliseconds.
     */
    Time: string;
    /** @description Number of matching records on all pages. */
    Total: number;
    /** @description Number of records before this page. */
    StartIndex: number;
    /** @description Greatest number of records on a page. */
    PageSize: number;
    CreateSubUserBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'create';
      /** @description Name of the sub-user. */
      name: string;
      /**
       * Format: email
       * @description Email address, unique in the account.
       */
      email: string;
      /**
       * @description A `parent` may manage settings of its own.
       * @default member
       * @enum {string|null}
       */
      role?: 'parent' | 'member' | null;
      /**
       * @description Operations of the sub-user’s keys.
       * @default []
       */
      permissions?:
        | (
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
          )[]
        | null;
    };
    UpdateSubUserBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'update';
      /** @description Identifier of a sub-user. */
      subUserID: string;
      /** @description Name of the sub-user. */
      name?: string | null;
      /**
       * Format: email
       * @description Email address, unique in the account.
       */
      email?: string | null;
      /**
       * @description A `parent` may manage settings of its own.
       * @enum {string|null}
       */
      role?: 'parent' | 'member' | null;
      /** @description Operations of the sub-user’s keys. */
      permissions?:
        | (
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
          )[]
        | null;
      /**
       * @description The service refuses the keys of a disabled sub-user.
       * @enum {string|null}
       */
      state?: 'active' | 'disabled' | null;
    };
    RotateSubUserKeyBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'rotateKey';
      /** @description Identifier of a sub-user. */
      subUserID: string;
      /**
       * @description Environment of the key.
       * @enum {string}
       */
      type: 'sandbox' | 'production';
      /** @description Hours for which the former key stays valid. Default: the former key ends at once. */
      overlapHours?: number | null;
    };
    DisableSubUserKeyBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'disableKey';
      /** @description Identifier of a sub-user. */
      subUserID: string;
      /** @description Identifier of a key of the sub-user. */
      keyID: string;
    };
    EnableSubUserKeyBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'enableKey';
      /** @description Identifier of a sub-user. */
      subUserID: string;
      /** @description Identifier of a key of the sub-user. */
      keyID: string;
    };
    DeleteSubUserKeyBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'deleteKey';
      /** @description Identifier of a sub-user. */
      subUserID: string;
      /** @description Identifier of a key of the sub-user. */
      keyID: string;
    };
    DeleteSubUserBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'delete';
      /** @description Identifier of a sub-user. */
      subUserID: string;
    };
    /** @description A new sub-user with its keys. */
    IssuedSubUser: {
      subUserID: components['schemas']['SubUserID'];
      /** @description Name of the sub-user. */
      name: string;
      /**
       * Format: email
       * @description Email address, unique in the account.
       */
      email: string;
      /**
       * @description A `parent` may manage settings of its own.
       * @enum {string}
       */
      role: 'parent' | 'member';
      /** @description Operations of the sub-user’s keys. */
      permissions: components['schemas']['Operation'][];
      /**
       * @description The service refuses the keys of a disabled sub-user.
       * @enum {string}
       */
      state: 'active' | 'disabled';
      /** @description First half of the sub-user’s credentials. */
      apiUserName: string;
      /** @description When the sub-user was created. */
      createdAt: components['schemas']['Time'];
      /** @description This answer alone contains the key. For a key of the other environment, send rotateKey with such a key. */
      apiKeys: {
        /** @description Present when a sandbox key created the sub-user. */
        sandbox?: string;
        /** @description Present when a production key created the sub-user. */
        production?: string;
      };
    };
    /** @description Identifier of the sub-user. */
    SubUserID: string;
    /**
     * @description Right of a key.
     * @enum {string}
     */
    Operation:
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
      | 'manageWebhooks';
    /** @description A team member that shares the account. */
    SubUser: {
      subUserID: components['schemas']['SubUserID'];
      /** @description Name of the sub-user. */
      name: string;
      /**
       * Format: email
       * @description Email address, unique in the account.
       */
      email: string;
      /**
       * @description A `parent` may manage settings of its own.
       * @enum {string}
       */
      role: 'parent' | 'member';
      /** @description Operations of the sub-user’s keys. */
      permissions: components['schemas']['Operation'][];
      /**
       * @description The service refuses the keys of a disabled sub-user.
       * @enum {string}
       */
      state: 'active' | 'disabled';
      /** @description First half of the sub-user’s credentials. */
      apiUserName: string;
      /** @description When the sub-user was created. */
      createdAt: components['schemas']['Time'];
    };
    /** @description A new key with both halves of its credential. */
    IssuedKey: {
      keyID: components['schemas']['KeyID'];
      /**
       * @description Environment of the key.
       * @enum {string}
       */
      type: 'sandbox' | 'production';
      /** @description The first and last characters of the key. */
      maskedKey: string;
      /** @description When the key was created. */
      createdAt: components['schemas']['Time'];
      /** @description When the key stops working; null: never. */
      expiresAt: components['schemas']['Time'] | null;
      /**
       * @description `overlapping`: a rotation left the key valid until expiresAt. `disabled`: refused until it is enabled.
       * @enum {string}
       */
      state: 'active' | 'overlapping' | 'disabled' | 'expired' | 'revoked';
      /** @description First half of the credential. */
      apiUserName: string;
      /** @description Second half of the credential. This answer alone contains it. */
      apiKey: string;
    };
    /** @description Identifier of the key. */
    KeyID: string;
    /** @description A main key or a key of a sub-user, without the key itself. */
    Key: {
      keyID: components['schemas']['KeyID'];
      /**
       * @description Environment of the key.
       * @enum {string}
       */
      type: 'sandbox' | 'production';
      /** @description The first and last characters of the key. */
      maskedKey: string;
      /** @description When the key was created. */
      createdAt: components['schemas']['Time'];
      /** @description When the key stops working; null: never. */
      expiresAt: components['schemas']['Time'] | null;
      /**
       * @description `overlapping`: a rotation left the key valid until expiresAt. `disabled`: refused until it is enabled.
       * @enum {string}
       */
      state: 'active' | 'overlapping' | 'disabled' | 'expired' | 'revoked';
    };
    /** @description A sub-user with its keys. */
    DetailedSubUser: {
      subUserID: components['schemas']['SubUserID'];
      /** @description Name of the sub-user. */
      name: string;
      /**
       * Format: email
       * @description Email address, unique in the account.
       */
      email: string;
      /**
       * @description A `parent` may manage settings of its own.
       * @enum {string}
       */
      role: 'parent' | 'member';
      /** @description Operations of the sub-user’s keys. */
      permissions: components['schemas']['Operation'][];
      /**
       * @description The service refuses the keys of a disabled sub-user.
       * @enum {string}
       */
      state: 'active' | 'disabled';
      /** @description First half of the sub-user’s credentials. */
      apiUserName: string;
      /** @description When the sub-user was created. */
      createdAt: components['schemas']['Time'];
      /** @description At most 100 keys: first the usable and disabled ones, then the newest ended ones. */
      keys: components['schemas']['Key'][];
    };
    CreateDisposableKeyBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'create';
      /** @description Name of the key, unique in the account. */
      name: string;
      /**
       * @description Environment of the key.
       * @enum {string}
       */
      type: 'sandbox' | 'production';
      /** @description Operations of the key. */
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
      /**
       * @description Days from the creation of the key to its end; null: the key never expires.
       * @default null
       */
      validityDays?: number | null;
      /**
       * @description The only hosts from which browsers may use the key; null: all hosts that its type allows.
       * @default null
       */
      domains?: string[] | null;
      /**
       * @description The only rooms that the key reaches; null: all rooms of its environment.
       * @default null
       */
      meetingIDs?: string[] | null;
      /**
       * @description Highest role that the key can give. Below participant, the key opens no external session. null: any role.
       * @default null
       * @enum {string|null}
       */
      maxRole?: 'host' | 'cohost' | 'participant' | 'viewer' | null;
    };
    UpdateDisposableKeyBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'update';
      /** @description Identifier of a disposable key. */
      keyID: string;
      /** @description Name of the key, unique in the account. */
      name?: string | null;
      /** @description Days from the creation of the key to its end; null: the key never expires. */
      validityDays?: number | null;
      /** @description Operations of the key. */
      operations?:
        | (
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
          )[]
        | null;
      /** @description The only hosts from which browsers may use the key; null: all hosts that its type allows. */
      domains?: string[] | null;
      /** @description The only rooms that the key reaches; null: all rooms of its environment. */
      meetingIDs?: string[] | null;
      /**
       * @description Highest role that the key can give. Below participant, the key opens no external session. null: any role.
       * @enum {string|null}
       */
      maxRole?: 'host' | 'cohost' | 'participant' | 'viewer' | null;
    };
    DeleteDisposableKeyBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'delete';
      /** @description Identifier of a disposable key. */
      keyID: string;
    };
    /** @description A new disposable key with both halves of its credential. */
    IssuedDisposableKey: {
      keyID: components['schemas']['KeyID'];
      /**
       * @description Environment of the key.
       * @enum {string}
       */
      type: 'sandbox' | 'production';
      /** @description Name of the key, unique in the account. */
      name: string;
      /** @description Days from the creation of the key to its end; null: the key never expires. */
      validityDays: number | null;
      /** @description Operations of the key. */
      operations: components['schemas']['Operation'][];
      /** @description The only hosts from which browsers may use the key; null: all hosts that its type allows. */
      domains: string[] | null;
      /** @description The only rooms that the key reaches; null: all rooms of its environment. */
      meetingIDs: string[] | null;
      /**
       * @description Highest role that the key can give. Below participant, the key opens no external session. null: any role.
       * @enum {string|null}
       */
      maxRole: 'host' | 'cohost' | 'participant' | 'viewer' | null;
      /** @description The first and last characters of the key. */
      maskedKey: string;
      /** @description When the key was created. */
      createdAt: components['schemas']['Time'];
      /** @description When the key stops working; null: never. */
      expiresAt: components['schemas']['Time'] | null;
      /** @description When the key was last used; null: never. */
      lastUsedAt: components['schemas']['Time'] | null;
      /**
       * @description State of the key.
       * @enum {string}
       */
      state: 'active' | 'expired' | 'revoked';
      /** @description Use of the key, one entry for each operation. */
      usage: {
        /** @description The operation. */
        operation: components['schemas']['Operation'];
        /** @description Number of requests. */
        requestCount: number;
        /** @description When the key was last used for the operation. */
        lastUsedAt: components['schemas']['Time'];
      }[];
      /** @description First half of the credential. */
      apiUserName: string;
      /** @description Second half of the credential. This answer alone contains it. */
      apiKey: string;
    };
    /** @description A disposable key with its use. */
    DetailedDisposableKey: {
      keyID: components['schemas']['KeyID'];
      /**
       * @description Environment of the key.
       * @enum {string}
       */
      type: 'sandbox' | 'production';
      /** @description Name of the key, unique in the account. */
      name: string;
      /** @description Days from the creation of the key to its end; null: the key never expires. */
      validityDays: number | null;
      /** @description Operations of the key. */
      operations: components['schemas']['Operation'][];
      /** @description The only hosts from which browsers may use the key; null: all hosts that its type allows. */
      domains: string[] | null;
      /** @description The only rooms that the key reaches; null: all rooms of its environment. */
      meetingIDs: string[] | null;
      /**
       * @description Highest role that the key can give. Below participant, the key opens no external session. null: any role.
       * @enum {string|null}
       */
      maxRole: 'host' | 'cohost' | 'participant' | 'viewer' | null;
      /** @description The first and last characters of the key. */
      maskedKey: string;
      /** @description When the key was created. */
      createdAt: components['schemas']['Time'];
      /** @description When the key stops working; null: never. */
      expiresAt: components['schemas']['Time'] | null;
      /** @description When the key was last used; null: never. */
      lastUsedAt: components['schemas']['Time'] | null;
      /**
       * @description State of the key.
       * @enum {string}
       */
      state: 'active' | 'expired' | 'revoked';
      /** @description Use of the key, one entry for each operation. */
      usage: {
        /** @description The operation. */
        operation: components['schemas']['Operation'];
        /** @description Number of requests. */
        requestCount: number;
        /** @description When the key was last used for the operation. */
        lastUsedAt: components['schemas']['Time'];
      }[];
    };
    /** @description A key that is limited to some operations, without the key itself. */
    DisposableKey: {
      keyID: components['schemas']['KeyID'];
      /**
       * @description Environment of the key.
       * @enum {string}
       */
      type: 'sandbox' | 'production';
      /** @description Name of the key, unique in the account. */
      name: string;
      /** @description Days from the creation of the key to its end; null: the key never expires. */
      validityDays: number | null;
      /** @description Operations of the key. */
      operations: components['schemas']['Operation'][];
      /** @description The only hosts from which browsers may use the key; null: all hosts that its type allows. */
      domains: string[] | null;
      /** @description The only rooms that the key reaches; null: all rooms of its environment. */
      meetingIDs: string[] | null;
      /**
       * @description Highest role that the key can give. Below participant, the key opens no external session. null: any role.
       * @enum {string|null}
       */
      maxRole: 'host' | 'cohost' | 'participant' | 'viewer' | null;
      /** @description The first and last characters of the key. */
      maskedKey: string;
      /** @description When the key was created. */
      createdAt: components['schemas']['Time'];
      /** @description When the key stops working; null: never. */
      expiresAt: components['schemas']['Time'] | null;
      /** @description When the key was last used; null: never. */
      lastUsedAt: components['schemas']['Time'] | null;
      /**
       * @description State of the key.
       * @enum {string}
       */
      state: 'active' | 'expired' | 'revoked';
    };
    /** @description Remaining minutes of the account. */
    Balance: {
      sandbox: components['schemas']['Minutes'];
      production: components['schemas']['Minutes'];
    };
    /** @description Remaining minutes of one environment. */
    Minutes: {
      /** @description Remaining minutes of participants and external sessions. */
      meetingMinutes: number;
      /** @description Remaining minutes of recordings. */
      recordingMinutes: number;
    };
    /** @description An administrative action. */
    AuditEntry: {
      entryID: components['schemas']['EntryID'];
      /** @description The actor of the action. */
      actor: {
        /**
         * @description Kind of actor.
         * @enum {string}
         */
        kind: 'administrator' | 'user' | 'main' | 'subUser' | 'disposable' | 'platform';
        /** @description Identifier of the actor; null where the reader may not see it. */
        id: string | null;
        /** @description Name of the actor; null where the reader may not see it. */
        name: string | null;
      };
      /** @description When the action happened. */
      at: components['schemas']['Time'];
      /** @description Name of the action. */
      action: string;
      /** @description The account that the action is about; null: the platform. */
      accountID: string | null;
      /** @description Identifiers and values of the action. */
      details: {
        [key: string]: string | number | boolean;
      };
      /** @description IP address of the actor; null where the reader may not see it. */
      address: string | null;
      /** @description Request of the action, as in the logs; empty for the platform. */
      requestID: string;
      /**
       * @description Result of the action.
       * @enum {string}
       */
      outcome: 'unknown' | 'succeeded' | 'failed' | 'repeated';
      /** @description Reason of a failure. */
      reason: string | null;
    };
    /** @description Identifier of the entry. */
    EntryID: string;
    CreateAgentBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'create';
      /** @description Name of the agent. */
      name: string;
      /** @description Role of the agent, such as Receptionist. Default: the name. */
      role?: string | null;
      /**
       * @description System prompt.
       * @default
       */
      instructions?: string | null;
      /**
       * @description First message. `{name}` stands for a variable.
       * @default null
       */
      firstMessage?: string | null;
      /**
       * @description Whether the agent speaks first.
       * @default true
       */
      speaksFirst?: boolean | null;
      /**
       * @description Sampling temperature of the language model.
       * @default 0.7
       */
      temperature?: number | null;
      /**
       * @description Rules for every answer of the agent.
       * @default null
       */
      responseGuidelines?: string | null;
      /**
       * @description Greatest length of a session.
       * @default 30
       */
      maxSessionMinutes?: number | null;
      /**
       * @description Stored only: the service sends nothing to this address.
       * @default null
       */
      webhookUrl?: string | null;
      /**
       * @description Steps that remain after an import.
       * @default []
       */
      todo?: string[] | null;
      /**
       * @description Providers of an imported definition, for reference only.
       * @default {}
       */
      reference?: {
        /** @description Provider of the language model. */
        provider?: string | null;
        /** @description Language model. */
        model?: string | null;
        /** @description Voice. */
        voice?: string | null;
        /** @description Speech-to-text model. */
        transcriber?: string | null;
        /** @description Language. */
        language?: string | null;
      } | null;
    };
    UpdateAgentBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'update';
      /** @description Identifier of an agent. */
      agentID: string;
      /** @description Name of the agent. */
      name?: string | null;
      /** @description Role of the agent, such as Receptionist. Default: the name. */
      role?: string | null;
      /** @description System prompt. */
      instructions?: string | null;
      /** @description First message. `{name}` stands for a variable. */
      firstMessage?: string | null;
      /** @description Whether the agent speaks first. */
      speaksFirst?: boolean | null;
      /** @description Sampling temperature of the language model. */
      temperature?: number | null;
      /** @description Rules for every answer of the agent. */
      responseGuidelines?: string | null;
      /** @description Greatest length of a session. */
      maxSessionMinutes?: number | null;
      /** @description Stored only: the service sends nothing to this address. */
      webhookUrl?: string | null;
      /** @description Steps that remain after an import. */
      todo?: string[] | null;
      /** @description Providers of an imported definition, for reference only. */
      reference?: {
        /** @description Provider of the language model. */
        provider?: string | null;
        /** @description Language model. */
        model?: string | null;
        /** @description Voice. */
        voice?: string | null;
        /** @description Speech-to-text model. */
        transcriber?: string | null;
        /** @description Language. */
        language?: string | null;
      } | null;
    };
    DeleteAgentBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'delete';
      /** @description Identifier of an agent. */
      agentID: string;
    };
    /** @description An AI agent. */
    Agent: {
      agentID: components['schemas']['AgentID'];
      /** @description Name of the agent. */
      name: string;
      /** @description Role of the agent, such as Receptionist. Default: the name. */
      role: string;
      /** @description System prompt. */
      instructions: string;
      /** @description First message. `{name}` stands for a variable. */
      firstMessage: string | null;
      /** @description Whether the agent speaks first. */
      speaksFirst: boolean;
      /** @description Sampling temperature of the language model. */
      temperature: number;
      /** @description Rules for every answer of the agent. */
      responseGuidelines: string | null;
      /** @description Greatest length of a session. */
      maxSessionMinutes: number;
      /** @description Stored only: the service sends nothing to this address. */
      webhookUrl: string | null;
      /** @description Steps that remain after an import. */
      todo: string[];
      /** @description Providers of an imported definition, for reference only. */
      reference: {
        /** @description Provider of the language model. */
        provider: string | null;
        /** @description Language model. */
        model: string | null;
        /** @description Voice. */
        voice: string | null;
        /** @description Speech-to-text model. */
        transcriber: string | null;
        /** @description Language. */
        language: string | null;
      };
      /** @description When the record was created. */
      createdAt: components['schemas']['Time'];
      /** @description When the record was last changed. */
      updatedAt: components['schemas']['Time'];
    };
    /** @description Identifier of the agent. */
    AgentID: string;
    CreateAiCredentialBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'create';
      /** @description Name of the credential, unique in the account. */
      nickName: string;
      /**
       * @description Kind of AI service.
       * @enum {string}
       */
      kind: 'stt' | 'llm' | 'tts' | 'realtime';
      /** @description Provider of the AI service. */
      provider: string;
      /** @description Key of the provider. Answers contain its first characters only. */
      apiKey: string;
      /** @description Model of the provider. */
      model?: string | null;
      /** @description Address of the provider’s API, when it is not the usual one. */
      baseUrl?: string | null;
      /** @description Options of the provider, at most 4 KiB as JSON. */
      options?: {
        [key: string]: unknown;
      } | null;
    };
    UpdateAiCredentialBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'update';
      /** @description Identifier of an AI credential. */
      aiCredentialID: string;
      /** @description Name of the credential, unique in the account. */
      nickName?: string | null;
      /**
       * @description Kind of AI service.
       * @enum {string|null}
       */
      kind?: 'stt' | 'llm' | 'tts' | 'realtime' | null;
      /** @description Provider of the AI service. */
      provider?: string | null;
      /** @description Model of the provider. */
      model?: string | null;
      /** @description Address of the provider’s API. A new host needs the apiKey again. */
      baseUrl?: string | null;
      /** @description Options of the provider, at most 4 KiB as JSON. */
      options?: {
        [key: string]: unknown;
      } | null;
      /** @description Key of the provider. Answers contain its first characters only. */
      apiKey?: string | null;
    };
    DeleteAiCredentialBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'delete';
      /** @description Identifier of an AI credential. */
      aiCredentialID: string;
    };
    /** @description A key of an AI provider. Answers never contain the key itself. */
    AiCredential: {
      aiCredentialID: components['schemas']['AICredentialID'];
      /** @description Name of the credential, unique in the account. */
      nickName: string;
      /**
       * @description Kind of AI service.
       * @enum {string}
       */
      kind: 'stt' | 'llm' | 'tts' | 'realtime';
      /** @description Provider of the AI service. */
      provider: string;
      /** @description Model of the provider. */
      model: string | null;
      /** @description Address of the provider’s API, when it is not the usual one. */
      baseUrl: string | null;
      /** @description Options of the provider, at most 4 KiB as JSON. */
      options: {
        [key: string]: unknown;
      };
      /** @description The first characters of the key. */
      maskedApiKey: string;
      /** @description When the record was created. */
      createdAt: components['schemas']['Time'];
      /** @description When the record was last changed. */
      updatedAt: components['schemas']['Time'];
    };
    /** @description Identifier of the AI credential. */
    AICredentialID: string;
    CreateEventSettingBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'create';
      /**
       * @description The room type that the settings apply to.
       * @default conference
       * @enum {string|null}
       */
      type?: 'conference' | 'webinar' | 'broadcast' | 'chat' | null;
      /**
       * @description Whether participants may send audio.
       * @default allow
       * @enum {string|null}
       */
      audioSetting?: 'allow' | 'approval' | 'disallow' | null;
      /**
       * @description Whether participants may send video.
       * @default allow
       * @enum {string|null}
       */
      videoSetting?: 'allow' | 'approval' | 'disallow' | null;
      /**
       * @description Whether participants may share their screen.
       * @default allow
       * @enum {string|null}
       */
      screenshareSetting?: 'allow' | 'approval' | 'disallow' | null;
      /**
       * @description Whether participants may send chat messages.
       * @default allow
       * @enum {string|null}
       */
      chatSetting?: 'allow' | 'disallow' | null;
      /**
       * @description Greatest resolution of video.
       * @default hd
       * @enum {string|null}
       */
      targetResolution?: 'sd' | 'hd' | 'fhd' | 'qhd' | 'QnHD' | null;
      /**
       * @description Whether the host may appoint co-hosts.
       * @default false
       */
      addCoHost?: boolean | null;
      /**
       * @description Whether AI notes are wanted. Stored only: the service takes none. `true` requires translationConfigNickName.
       * @default false
       */
      enableAiNotes?: boolean | null;
      /**
       * @description Nickname of the translation configuration for AI notes.
       * @default null
       */
      translationConfigNickName?: string | null;
    };
    UpdateEventSettingBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'update';
      /**
       * @description The room type that the settings apply to.
       * @enum {string|null}
       */
      type?: 'conference' | 'webinar' | 'broadcast' | 'chat' | null;
      /**
       * @description Whether participants may send audio.
       * @enum {string|null}
       */
      audioSetting?: 'allow' | 'approval' | 'disallow' | null;
      /**
       * @description Whether participants may send video.
       * @enum {string|null}
       */
      videoSetting?: 'allow' | 'approval' | 'disallow' | null;
      /**
       * @description Whether participants may share their screen.
       * @enum {string|null}
       */
      screenshareSetting?: 'allow' | 'approval' | 'disallow' | null;
      /**
       * @description Whether participants may send chat messages.
       * @enum {string|null}
       */
      chatSetting?: 'allow' | 'disallow' | null;
      /**
       * @description Greatest resolution of video.
       * @enum {string|null}
       */
      targetResolution?: 'sd' | 'hd' | 'fhd' | 'qhd' | 'QnHD' | null;
      /** @description Whether the host may appoint co-hosts. */
      addCoHost?: boolean | null;
      /** @description Whether AI notes are wanted. Stored only: the service takes none. `true` requires translationConfigNickName. */
      enableAiNotes?: boolean | null;
      /** @description Nickname of the translation configuration for AI notes. */
      translationConfigNickName?: string | null;
      /** @description Identifier of event settings. */
      eventsSettingID?: string | null;
    };
    DeleteEventSettingBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'delete';
      /** @description Identifier of event settings. */
      eventsSettingID?: string | null;
      /**
       * @description The room type that the settings apply to.
       * @enum {string|null}
       */
      type?: 'conference' | 'webinar' | 'broadcast' | 'chat' | null;
    };
    /** @description Defaults of new rooms of one type. */
    EventsSetting: {
      eventsSettingID: components['schemas']['EventSettingsID'];
      /**
       * @description The room type that the settings apply to.
       * @enum {string}
       */
      type: 'conference' | 'webinar' | 'broadcast' | 'chat';
      /**
       * @description Whether participants may send audio.
       * @enum {string}
       */
      audioSetting: 'allow' | 'approval' | 'disallow';
      /**
       * @description Whether participants may send video.
       * @enum {string}
       */
      videoSetting: 'allow' | 'approval' | 'disallow';
      /**
       * @description Whether participants may share their screen.
       * @enum {string}
       */
      screenshareSetting: 'allow' | 'approval' | 'disallow';
      /**
       * @description Whether participants may send chat messages.
       * @enum {string}
       */
      chatSetting: 'allow' | 'disallow';
      /**
       * @description Greatest resolution of video.
       * @enum {string}
       */
      targetResolution: 'sd' | 'hd' | 'fhd' | 'qhd' | 'QnHD';
      /** @description Whether the host may appoint co-hosts. */
      addCoHost: boolean;
      /** @description Whether AI notes are wanted. Stored only: the service takes none. `true` requires translationConfigNickName. */
      enableAiNotes: boolean;
      /** @description Nickname of the translation configuration for AI notes. */
      translationConfigNickName: string | null;
      /** @description When the record was created. */
      createdAt: components['schemas']['Time'];
      /** @description When the record was last changed. */
      updatedAt: components['schemas']['Time'];
    };
    /** @description Identifier of the event settings. */
    EventSettingsID: string;
    CreateRecordingSettingBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'create';
      /**
       * @description `audio`: only sound.
       * @default video
       * @enum {string|null}
       */
      mediaOptions?: 'video' | 'audio' | null;
      /**
       * @description Sound of a room: everybody, the sources `onScreen`, or hosts and co-hosts.
       * @default all
       * @enum {string|null}
       */
      audioOptions?: 'all' | 'onScreen' | 'host' | null;
      /**
       * @description Picture of a room: `all` sources in a grid, or the `mainScreen`: the newest shared screen, else the speaker.
       * @default all
       * @enum {string|null}
       */
      videoOptions?: 'all' | 'mainScreen' | null;
      /**
       * @description `fullDisplay`: a picture fills its tile, cropped. `bestDisplay`: the whole picture. `all`: also tiles without a picture.
       * @default fullDisplay
       * @enum {string|null}
       */
      videoType?: 'fullDisplay' | 'bestDisplay' | 'all' | null;
      /**
       * @description `true`: a room has 1080 lines, not 720.
       * @default false
       */
      videoOptimized?: boolean | null;
      /**
       * @description Pictures of a room: cameras and external sessions (`video`); shared screens and external sessions if there are any (`media`); or `all`.
       * @default all
       * @enum {string|null}
       */
      recordingDisplayType?: 'video' | 'media' | 'all' | null;
      /**
       * @description Whether recordings are also stored as HLS, see `hlsUrl`.
       * @default false
       */
      addHLS?: boolean | null;
      /**
       * @description Whether the pictures of a room show names.
       * @default true
       */
      nameTags?: boolean | null;
      /**
       * @description Colour between the pictures of a room.
       * @default #000000
       */
      backgroundColor?: string | null;
      /**
       * @description Colour of the names.
       * @default #ffffff
       */
      nameTagsColor?: string | null;
      /**
       * @description Shape of a room’s picture: 16:9, 9:16, or square (`all`).
       * @default landscape
       * @enum {string|null}
       */
      orientation?: 'landscape' | 'portrait' | 'all' | null;
      /**
       * @description A recording ends after this time.
       * @default 86400
       */
      maxDurationSeconds?: number | null;
      /**
       * @description A recording ends if its source is lost, or its room becomes empty, more often.
       * @default 10
       */
      pausesLimit?: number | null;
      /**
       * @description Days until the file of a recording is deleted.
       * @default 30
       */
      retentionDays?: number | null;
    };
    UpdateRecordingSettingBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'update';
      /**
       * @description `audio`: only sound.
       * @enum {string|null}
       */
      mediaOptions?: 'video' | 'audio' | null;
      /**
       * @description Sound of a room: everybody, the sources `onScreen`, or hosts and co-hosts.
       * @enum {string|null}
       */
      audioOptions?: 'all' | 'onScreen' | 'host' | null;
      /**
       * @description Picture of a room: `all` sources in a grid, or the `mainScreen`: the newest shared screen, else the speaker.
       * @enum {string|null}
       */
      videoOptions?: 'all' | 'mainScreen' | null;
      /**
       * @description `fullDisplay`: a picture fills its tile, cropped. `bestDisplay`: the whole picture. `all`: also tiles without a picture.
       * @enum {string|null}
       */
      videoType?: 'fullDisplay' | 'bestDisplay' | 'all' | null;
      /** @description `true`: a room has 1080 lines, not 720. */
      videoOptimized?: boolean | null;
      /**
       * @description Pictures of a room: cameras and external sessions (`video`); shared screens and external sessions if there are any (`media`); or `all`.
       * @enum {string|null}
       */
      recordingDisplayType?: 'video' | 'media' | 'all' | null;
      /** @description Whether recordings are also stored as HLS, see `hlsUrl`. */
      addHLS?: boolean | null;
      /** @description Whether the pictures of a room show names. */
      nameTags?: boolean | null;
      /** @description Colour between the pictures of a room. */
      backgroundColor?: string | null;
      /** @description Colour of the names. */
      nameTagsColor?: string | null;
      /**
       * @description Shape of a room’s picture: 16:9, 9:16, or square (`all`).
       * @enum {string|null}
       */
      orientation?: 'landscape' | 'portrait' | 'all' | null;
      /** @description A recording ends after this time. */
      maxDurationSeconds?: number | null;
      /** @description A recording ends if its source is lost, or its room becomes empty, more often. */
      pausesLimit?: number | null;
      /** @description Days until the file of a recording is deleted. */
      retentionDays?: number | null;
      /** @description Identifier of recording settings. */
      recordingSettingID?: string | null;
    };
    /** @description Recording settings of the account or of a sub-user. */
    RecordingSetting: {
      recordingSettingID: components['schemas']['RecordingSettingsID'];
      /**
       * @description `audio`: only sound.
       * @enum {string}
       */
      mediaOptions: 'video' | 'audio';
      /**
       * @description Sound of a room: everybody, the sources `onScreen`, or hosts and co-hosts.
       * @enum {string}
       */
      audioOptions: 'all' | 'onScreen' | 'host';
      /**
       * @description Picture of a room: `all` sources in a grid, or the `mainScreen`: the newest shared screen, else the speaker.
       * @enum {string}
       */
      videoOptions: 'all' | 'mainScreen';
      /**
       * @description `fullDisplay`: a picture fills its tile, cropped. `bestDisplay`: the whole picture. `all`: also tiles without a picture.
       * @enum {string}
       */
      videoType: 'fullDisplay' | 'bestDisplay' | 'all';
      /** @description `true`: a room has 1080 lines, not 720. */
      videoOptimized: boolean;
      /**
       * @description Pictures of a room: cameras and external sessions (`video`); shared screens and external sessions if there are any (`media`); or `all`.
       * @enum {string}
       */
      recordingDisplayType: 'video' | 'media' | 'all';
      /** @description Whether recordings are also stored as HLS, see `hlsUrl`. */
      addHLS: boolean;
      /** @description Whether the pictures of a room show names. */
      nameTags: boolean;
      /** @description Colour between the pictures of a room. */
      backgroundColor: string;
      /** @description Colour of the names. */
      nameTagsColor: string;
      /**
       * @description Shape of a room’s picture: 16:9, 9:16, or square (`all`).
       * @enum {string}
       */
      orientation: 'landscape' | 'portrait' | 'all';
      /** @description A recording ends after this time. */
      maxDurationSeconds: number;
      /** @description A recording ends if its source is lost, or its room becomes empty, more often. */
      pausesLimit: number;
      /** @description Days until the file of a recording is deleted. */
      retentionDays: number;
      /** @description When the record was created. */
      createdAt: components['schemas']['Time'];
      /** @description When the record was last changed. */
      updatedAt: components['schemas']['Time'];
    };
    /** @description Identifier of the recording settings. */
    RecordingSettingsID: string;
    CreateSipConfigBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'create';
      /** @description Telephone number in E.164 format, unique in the account. */
      contactNumber: string;
      /**
       * @description Name of the carrier.
       * @default null
       */
      provider?: string | null;
      /**
       * @description Whether the number takes part in calls.
       * @default true
       */
      supportSipActive?: boolean | null;
      /**
       * @description Whether the number may place calls.
       * @default true
       */
      allowOutgoing?: boolean | null;
      /**
       * @description Whether calls carry audio only.
       * @default false
       */
      audioOnly?: boolean | null;
      /**
       * @description Whether calls are recorded.
       * @default false
       */
      autoRecordSip?: boolean | null;
      /**
       * @description Whether G.711 A-law is offered before µ-law.
       * @default false
       */
      preferPCMA?: boolean | null;
      /**
       * @description Networks that calls are accepted from, in CIDR notation. Empty: any network.
       * @default []
       */
      allowedIPs?: string[] | null;
      /**
       * @description The agent that answers calls.
       * @default null
       */
      agentID?: string | null;
      /**
       * @description Peer of the carrier.
       * @default null
       */
      peer?: {
        /** @description Host name or IP address of the peer. */
        host: string;
        /**
         * @description Port of the peer.
         * @default 5060
         */
        port?: number | null;
        /**
         * @description Transport protocol.
         * @default UDP
         * @enum {string|null}
         */
        transport?: 'UDP' | 'TCP' | 'TLS' | null;
        /**
         * @description Whether the service registers at the peer to receive calls.
         * @default false
         */
        register?: boolean | null;
        /** @description User name at the peer. */
        username?: string | null;
        /** @description Password at the peer. Answers never contain it. */
        password?: string | null;
      } | null;
      /**
       * @description Peer that is used when the first one fails.
       * @default null
       */
      backupPeer?: {
        /** @description Host name or IP address of the peer. */
        host: string;
        /**
         * @description Port of the peer.
         * @default 5060
         */
        port?: number | null;
        /**
         * @description Transport protocol.
         * @default UDP
         * @enum {string|null}
         */
        transport?: 'UDP' | 'TCP' | 'TLS' | null;
        /**
         * @description Whether the service registers at the peer to receive calls.
         * @default false
         */
        register?: boolean | null;
        /** @description User name at the peer. */
        username?: string | null;
        /** @description Password at the peer. Answers never contain it. */
        password?: string | null;
      } | null;
    };
    UpdateSipConfigBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'update';
      /** @description Identifier of a SIP configuration. */
      sipConfigID: string;
      /** @description Telephone number in E.164 format, unique in the account. */
      contactNumber?: string | null;
      /** @description Name of the carrier. */
      provider?: string | null;
      /** @description Whether the number takes part in calls. */
      supportSipActive?: boolean | null;
      /** @description Whether the number may place calls. */
      allowOutgoing?: boolean | null;
      /** @description Whether calls carry audio only. */
      audioOnly?: boolean | null;
      /** @description Whether calls are recorded. */
      autoRecordSip?: boolean | null;
      /** @description Whether G.711 A-law is offered before µ-law. */
      preferPCMA?: boolean | null;
      /** @description Networks that calls are accepted from, in CIDR notation. Empty: any network. */
      allowedIPs?: string[] | null;
      /** @description The agent that answers calls. */
      agentID?: string | null;
      /** @description Peer of the carrier. */
      peer?: {
        /** @description Host name or IP address of the peer. */
        host: string;
        /**
         * @description Port of the peer.
         * @default 5060
         */
        port?: number | null;
        /**
         * @description Transport protocol.
         * @default UDP
         * @enum {string|null}
         */
        transport?: 'UDP' | 'TCP' | 'TLS' | null;
        /**
         * @description Whether the service registers at the peer to receive calls.
         * @default false
         */
        register?: boolean | null;
        /** @description User name at the peer. */
        username?: string | null;
        /** @description Password at the peer. Answers never contain it. */
        password?: string | null;
      } | null;
      /** @description Peer that is used when the first one fails. */
      backupPeer?: {
        /** @description Host name or IP address of the peer. */
        host: string;
        /**
         * @description Port of the peer.
         * @default 5060
         */
        port?: number | null;
        /**
         * @description Transport protocol.
         * @default UDP
         * @enum {string|null}
         */
        transport?: 'UDP' | 'TCP' | 'TLS' | null;
        /**
         * @description Whether the service registers at the peer to receive calls.
         * @default false
         */
        register?: boolean | null;
        /** @description User name at the peer. */
        username?: string | null;
        /** @description Password at the peer. Answers never contain it. */
        password?: string | null;
      } | null;
    };
    DeleteSipConfigBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'delete';
      /** @description Identifier of a SIP configuration. */
      sipConfigID: string;
    };
    /** @description A telephone number of the account. */
    SipConfig: {
      sipConfigID: components['schemas']['SIPConfigurationID'];
      /** @description Telephone number in E.164 format, unique in the account. */
      contactNumber: string;
      /** @description Name of the carrier. */
      provider: string | null;
      /** @description Whether the number takes part in calls. */
      supportSipActive: boolean;
      /** @description Whether the number may place calls. */
      allowOutgoing: boolean;
      /** @description Whether calls carry audio only. */
      audioOnly: boolean;
      /** @description Whether calls are recorded. */
      autoRecordSip: boolean;
      /** @description Whether G.711 A-law is offered before µ-law. */
      preferPCMA: boolean;
      /** @description Networks that calls are accepted from, in CIDR notation. Empty: any network. */
      allowedIPs: string[];
      /** @description The agent that answers calls. */
      agentID: string | null;
      /** @description Peer of the carrier. */
      peer: components['schemas']['SipPeer'] | null;
      /** @description Peer that is used when the first one fails. */
      backupPeer: components['schemas']['SipPeer'] | null;
      /** @description When the record was created. */
      createdAt: components['schemas']['Time'];
      /** @description When the record was last changed. */
      updatedAt: components['schemas']['Time'];
    };
    /** @description Identifier of the SIP configuration. */
    SIPConfigurationID: string;
    /** @description A SIP peer. Answers never contain its password. */
    SipPeer: {
      /** @description Host name or IP address of the peer. */
      host: string;
      /** @description Port of the peer. */
      port: number;
      /**
       * @description Transport protocol.
       * @enum {string}
       */
      transport: 'UDP' | 'TCP' | 'TLS';
      /** @description Whether the service registers at the peer to receive calls. */
      register: boolean;
      /** @description User name at the peer. */
      username: string | null;
      /** @description Placeholder for the password; null without a password. */
      maskedPassword: string | null;
    };
    CreateTranslationConfigBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'create';
      /** @description Name of the configuration, unique in the account. */
      nickName: string;
      /** @description Nickname of the AI credential for speech-to-text. */
      sttNickName: string;
      /** @description Nickname of the AI credential for the language model. */
      llmNickName: string;
      /**
       * @description Nickname of the AI credential for text-to-speech.
       * @default null
       */
      ttsNickName?: string | null;
      /**
       * @description Languages that people speak.
       * @default []
       */
      spokenLanguages?: string[] | null;
      /**
       * @description Languages that people listen to.
       * @default []
       */
      listenLanguages?: string[] | null;
      /**
       * @description Form of the output. Default: `audio` with a ttsNickName, else `text`.
       * @enum {string|null}
       */
      outputMode?: 'audio' | 'text' | null;
      /** @description Whether the spoken language is detected. Default: true without spokenLanguages. */
      autoDetectSpokenLanguage?: boolean | null;
    };
    UpdateTranslationConfigBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'update';
      /** @description Identifier of a translation config. */
      translationConfigID: string;
      /** @description Name of the configuration, unique in the account. */
      nickName?: string | null;
      /** @description Nickname of the AI credential for speech-to-text. */
      sttNickName?: string | null;
      /** @description Nickname of the AI credential for the language model. */
      llmNickName?: string | null;
      /** @description Nickname of the AI credential for text-to-speech. */
      ttsNickName?: string | null;
      /** @description Languages that people speak. */
      spokenLanguages?: string[] | null;
      /** @description Languages that people listen to. */
      listenLanguages?: string[] | null;
      /**
       * @description Form of the output. Default: `audio` with a ttsNickName, else `text`.
       * @enum {string|null}
       */
      outputMode?: 'audio' | 'text' | null;
      /** @description Whether the spoken language is detected. Default: true without spokenLanguages. */
      autoDetectSpokenLanguage?: boolean | null;
    };
    DeleteTranslationConfigBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'delete';
      /** @description Identifier of a translation config. */
      translationConfigID: string;
    };
    /** @description A named preset of AI notes and translation. */
    TranslationConfig: {
      translationConfigID: components['schemas']['TranslationConfigID'];
      /** @description Name of the configuration, unique in the account. */
      nickName: string;
      /** @description Nickname of the AI credential for speech-to-text. */
      sttNickName: string;
      /** @description Nickname of the AI credential for the language model. */
      llmNickName: string;
      /** @description Nickname of the AI credential for text-to-speech. */
      ttsNickName: string | null;
      /** @description Languages that people speak. */
      spokenLanguages: string[];
      /** @description Languages that people listen to. */
      listenLanguages: string[];
      /**
       * @description Form of the output. Default: `audio` with a ttsNickName, else `text`.
       * @enum {string}
       */
      outputMode: 'audio' | 'text';
      /** @description Whether the spoken language is detected. Default: true without spokenLanguages. */
      autoDetectSpokenLanguage: boolean;
      /** @description When the record was created. */
      createdAt: components['schemas']['Time'];
      /** @description When the record was last changed. */
      updatedAt: components['schemas']['Time'];
    };
    /** @description Identifier of the translation config. */
    TranslationConfigID: string;
    CreateRoomBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'create';
      /** @description Name of the host. */
      userName: string;
      /**
       * @description Minutes from the creation of the room to its end.
       * @default 60
       */
      duration?: number | null;
      /**
       * @description Greatest number of participants and external sessions.
       * @default 20
       */
      capacity?: number | null;
      /**
       * @description Room type, which chooses the event settings.
       * @enum {string|null}
       */
      eventType?: 'conference' | 'webinar' | 'broadcast' | 'chat' | null;
      /** @description Name of the room, unique among the active rooms of the account. */
      roomName?: string | null;
      /** @description Code that participants must send to join. */
      secureCode?: string | null;
      /** @description Data of the application, at most 4 KiB as JSON. */
      metadata?: {
        [key: string]: unknown;
      } | null;
      /**
       * @description Whether the room is recorded as a whole, from its first media on.
       * @default false
       */
      recordOnStart?: boolean | null;
    };
    JoinRoomBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'join';
      /** @description Identifier of a room. */
      meetingID: string;
      /** @description Name of the participant. */
      userName: string;
      /** @description The code of the room, if it has one. */
      secureCode?: string | null;
      /**
       * @description Role of the participant.
       * @enum {string|null}
       */
      role?: 'host' | 'cohost' | 'participant' | 'viewer' | null;
      /** @description Returns as this participant. Needs `ticket`; userName, role and secureCode then change nothing. */
      participantID?: string | null;
      /** @description The former `join.token` of the participant. */
      ticket?: string | null;
    };
    UpdateRoomBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'update';
      /** @description Identifier of a room. */
      meetingID: string;
      /** @description Minutes from the creation of the room to its end. */
      duration?: number | null;
      /** @description Greatest number of participants and external sessions. */
      capacity?: number | null;
      /** @description Data of the application, at most 4 KiB as JSON. */
      metadata?: {
        [key: string]: unknown;
      } | null;
    };
    EndRoomBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'end';
      /** @description Identifier of a room. */
      meetingID: string;
    };
    DeleteRoomBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'delete';
      /** @description Identifier of a room. */
      meetingID: string;
    };
    /** @description A room. Answers never contain its secure code. */
    Room: {
      meetingID: components['schemas']['RoomID'];
      /** @description Name of the room, unique among the active rooms of the account. */
      roomName: string | null;
      /**
       * @description Room type.
       * @enum {string}
       */
      eventType: 'conference' | 'webinar' | 'broadcast' | 'chat';
      /** @description Minutes from the creation of the room to its end. */
      duration: number;
      /** @description Greatest number of participants and external sessions. */
      capacity: number;
      /** @description Data of the application, at most 4 KiB as JSON. */
      metadata: {
        [key: string]: unknown;
      };
      /**
       * @description State of the room.
       * @enum {string}
       */
      state: 'active' | 'ended';
      /**
       * @description Environment of the room.
       * @enum {string}
       */
      keyType: 'sandbox' | 'production';
      /** @description Name of the host. */
      hostName: string;
      settings: components['schemas']['EventOptions'];
      /** @description When the room was created. */
      createdAt: components['schemas']['Time'];
      /** @description When the room ends at the latest. */
      expiresAt: components['schemas']['Time'];
      /** @description When the room ended; null: not yet. */
      endedAt: components['schemas']['Time'] | null;
      /** @description Why the room ended. */
      endReason: components['schemas']['EndReason'] | null;
      /** @description Connected participants and active external sessions. */
      participantCount: number;
      /** @description Places of participants that are not connected yet or may return, and of the creator. */
      reservedCount: number;
      /** @description External sessions that have not ended. */
      externalSessionCount: number;
    };
    /** @description Identifier of the room. */
    RoomID: string;
    /** @description Permissions and options of a room. */
    EventOptions: {
      /**
       * @description The room type that the settings apply to.
       * @enum {string}
       */
      type: 'conference' | 'webinar' | 'broadcast' | 'chat';
      /**
       * @description Whether participants may send audio.
       * @enum {string}
       */
      audioSetting: 'allow' | 'approval' | 'disallow';
      /**
       * @description Whether participants may send video.
       * @enum {string}
       */
      videoSetting: 'allow' | 'approval' | 'disallow';
      /**
       * @description Whether participants may share their screen.
       * @enum {string}
       */
      screenshareSetting: 'allow' | 'approval' | 'disallow';
      /**
       * @description Whether participants may send chat messages.
       * @enum {string}
       */
      chatSetting: 'allow' | 'disallow';
      /**
       * @description Greatest resolution of video.
       * @enum {string}
       */
      targetResolution: 'sd' | 'hd' | 'fhd' | 'qhd' | 'QnHD';
      /** @description Whether the host may appoint co-hosts. */
      addCoHost: boolean;
      /** @description Whether AI notes are wanted. Stored only: the service takes none. `true` requires translationConfigNickName. */
      enableAiNotes: boolean;
      /** @description Nickname of the translation configuration for AI notes. */
      translationConfigNickName: string | null;
    };
    /**
     * @description Why a resource ended.
     * @enum {string}
     */
    EndReason:
      | 'requested'
      | 'expired'
      | 'balance_exhausted'
      | 'room_ended'
      | 'source_ended'
      | 'publisher_left'
      | 'publisher_lost'
      | 'viewer_left'
      | 'viewer_lost'
      | 'node_drained'
      | 'node_lost'
      | 'participant_left'
      | 'participant_removed'
      | 'participant_lost'
      | 'encoder_failed'
      | 'source_codec_unsupported'
      | 'source_too_large'
      | 'max_duration_reached'
      | 'pauses_exceeded'
      | 'nothing_recorded'
      | 'recorder_failed'
      | 'target_refused'
      | 'target_unreachable'
      | 'target_not_allowed';
    /** @description A ticket with which a participant connects to the room socket. */
    JoinTicket: {
      /** @description Address of the room socket. */
      url: string;
      /** @description Short-lived token for the room socket. */
      token: string;
      /** @description When the token expires. */
      expiresAt: components['schemas']['Time'];
    };
    /** @description A participant of a room. */
    Participant: {
      participantID: components['schemas']['ParticipantID'];
      meetingID: components['schemas']['RoomID'];
      /** @description Name of the participant. */
      userName: string;
      /**
       * @description Role of the participant.
       * @enum {string}
       */
      role: 'host' | 'cohost' | 'participant' | 'viewer';
      /**
       * @description `joined`: has a ticket. `connected`: is in the room.
       * @enum {string}
       */
      state: 'joined' | 'left';
      /** @description When the ticket was issued. */
      joinedAt: components['schemas']['Time'];
      /** @description When the participant left; null: not yet. */
      leftAt: components['schemas']['Time'] | null;
      /** @description Why the participant left. */
      leaveReason: components['schemas']['EndReason'] | null;
    };
    /** @description Identifier of the participant. */
    ParticipantID: string;
    /** @description An external session as a participant of its room. */
    ParticipantState: {
      sessionID: components['schemas']['ExternalSessionID'];
      participantID: components['schemas']['ParticipantID'];
      /**
       * @description State of the session.
       * @enum {string}
       */
      state: 'pending' | 'active' | 'ended' | 'failed';
      /** @description Media of the session. */
      media: {
        /** @description Whether the publisher is connected. */
        isConnected: boolean;
        /** @description Tracks that the publisher sends. */
        tracks: {
          /** @description Identifier of the track. */
          trackID: string;
          /**
           * @description Kind of media.
           * @enum {string}
           */
          kind: 'video' | 'audio';
          /**
           * @description Source of the track.
           * @enum {string}
           */
          source: 'microphone' | 'camera' | 'screen' | 'screenAudio';
          /** @description Codec of the track. */
          codec: string;
          /**
           * @description State of the track.
           * @enum {string}
           */
          state: 'live' | 'paused' | 'ended';
        }[];
        /** @description Problems of the media; empty without problems. */
        health: (
          | 'b_frames'
          | 'b_frames_repaired'
          | 'repair_unavailable'
          | 'long_keyframe_interval'
          | 'no_keyframe_requests'
          | 'profile_mismatch'
          | 'silence'
          | 'high_loss'
          | 'clock_drift'
          | 'picture_too_large'
        )[];
      };
      /** @description The last 100 messages that the session may read, oldest first. */
      chat: {
        messageID: components['schemas']['MessageID'];
        /** @description The participant that sent the message. */
        senderID: components['schemas']['ParticipantID'];
        /** @description Name of the sender. */
        senderName: string;
        /** @description The only reader; null: everyone in the room. */
        recipientID: components['schemas']['ParticipantID'] | null;
        /** @description Text of the message. */
        message: string;
        /** @description When the message was sent. */
        sentAt: components['schemas']['Time'];
      }[];
      /** @description Polls of the room. */
      polls: {
        pollID: components['schemas']['PollID'];
        /** @description The question. */
        question: string;
        /** @description The options. */
        options: string[];
        /**
         * @description State of the poll.
         * @enum {string}
         */
        state: 'open' | 'ended';
        /** @description Votes for each option; null until the poll ends. */
        results: number[] | null;
        /** @description The participant that created the poll. */
        createdBy: components['schemas']['ParticipantID'];
      }[];
      /** @description Active requests of the session to the host. */
      requests: ('audio' | 'video' | 'screenshare' | 'raiseHand')[];
      /** @description Breakout room of the session, or null. */
      breakout: string | null;
      /**
       * @description Whiteboard permission of the session, or null.
       * @enum {string|null}
       */
      whiteboard: 'view' | 'draw' | null;
    };
    /** @description Identifier of the external session. */
    ExternalSessionID: string;
    /** @description Identifier of the message. */
    MessageID: string;
    /** @description Identifier of the poll. */
    PollID: string;
    VotePollBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'poll.vote';
      /** @description Identifier of a poll. */
      pollID: string;
      /** @description Index of the option, from 0. */
      choice: number;
    };
    SendChatMessageBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'chat.send';
      /** @description Text of the message. */
      message: string;
      /** @description The only reader. Default: everyone in the room. */
      recipientID?: string | null;
    };
    SendParticipantRequestBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'participant.request';
      /**
       * @description The kind of request to the host.
       * @enum {string}
       */
      request: 'audio' | 'video' | 'screenshare' | 'raiseHand';
      /**
       * @description `false` withdraws the request.
       * @default true
       */
      active?: boolean | null;
    };
    /** @description The result of an action. */
    ParticipantActionOutcome: {
      /**
       * @description The requested action.
       * @enum {string}
       */
      action: 'poll.vote' | 'chat.send' | 'participant.request';
      /**
       * @description Result of the action.
       * @enum {string}
       */
      status: 'accepted' | 'pending' | 'rejected';
      /** @description Identifier of the sent chat message. */
      messageID?: components['schemas']['MessageID'];
    };
    CreateExternalSessionBody: {
      /** @description Name of the publisher. */
      displayName: string;
      /** @description How the publisher sends media. */
      ingest: {
        /**
         * @description `service-webrtc` for the client SDK, the others for encoders.
         * @enum {string}
         */
        protocol: 'whip' | 'service-webrtc' | 'srt' | 'rtmp' | 'rtmps';
        /** @description Kinds of media that the publisher may send. */
        tracks: ('video' | 'audio')[];
        /** @description The service adds smaller pictures of the video for WHEP viewers on poor networks. Only with `srt`, `rtmp` and `rtmps`. */
        webrtcRenditions?: boolean;
        /**
         * @description Only with `srt`. `listener`: the encoder connects to the service. `caller`: the service calls the encoder at `url`, again and again until the session ends.
         * @enum {string}
         */
        mode?: 'listener' | 'caller';
        /** @description Listener of the encoder, with its port. Only with the mode `caller`. */
        url?: string | null;
        /** @description Passphrase of the encoder. Only with the mode `caller`. Write-only. */
        passphrase?: string | null;
        /** @description Stream ID for the encoder. Only with the mode `caller`. Write-only. */
        streamID?: string | null;
      };
    };
    /** @description A publisher outside the room. */
    ExternalSession: {
      sessionID: components['schemas']['ExternalSessionID'];
      meetingID: components['schemas']['RoomID'];
      participantID: components['schemas']['ParticipantID'];
      /** @description Name of the publisher. */
      displayName: string;
      /**
       * @description State of the session.
       * @enum {string}
       */
      state: 'pending' | 'active' | 'ended' | 'failed';
      /** @description How the publisher sends media. */
      ingest: {
        /**
         * @description `service-webrtc` for the client SDK, the others for encoders.
         * @enum {string}
         */
        protocol: 'whip' | 'service-webrtc' | 'srt' | 'rtmp' | 'rtmps';
        /** @description Kinds of media that the publisher may send. */
        tracks: ('video' | 'audio')[];
        /** @description The service adds smaller pictures of the video for WHEP viewers on poor networks. Only with `srt`, `rtmp` and `rtmps`. */
        webrtcRenditions?: boolean;
        /**
         * @description Only with `srt`. `listener`: the encoder connects to the service. `caller`: the service calls the encoder at `url`, again and again until the session ends.
         * @enum {string}
         */
        mode?: 'listener' | 'caller';
        /** @description Ingest URL of `whip`; null while no media node is available. Mode `caller`: the address that the service calls. Others: when just issued. */
        url?: string | null;
        /** @description Ingest token of `whip`, present when it was just issued. */
        token?: string;
        /** @description When the ingest token, or an unused key, expires. */
        tokenExpiresAt?: components['schemas']['Time'];
        /** @description Passphrase of `srt`, when just issued. */
        passphrase?: string;
        /** @description Latency of `srt` in milliseconds. */
        latencyMs?: number;
        /** @description Stream key of `rtmp` and `rtmps`, when just issued. */
        streamKey?: string;
        /**
         * @description Why the last encoder was refused or dropped; null: it was not.
         * @enum {string|null}
         */
        problem?:
          | 'wrong_passphrase'
          | 'already_publishing'
          | 'key_expired'
          | 'no_media'
          | 'track_missing'
          | 'codec_unsupported'
          | 'source_too_large'
          | 'capacity_reached'
          | 'conversion_failed'
          | 'host_not_found'
          | 'address_not_allowed'
          | 'encoder_unreachable'
          | 'encoder_refused'
          | null;
        /** @description Ticket of `service-webrtc`, present when it was just issued. */
        join?: components['schemas']['JoinTicket'];
      };
      /** @description Tracks that the publisher sends. */
      tracks: {
        /** @description Identifier of the track. */
        trackID: string;
        /**
         * @description Kind of media.
         * @enum {string}
         */
        kind: 'video' | 'audio';
        /** @description Codec of the track. */
        codec: string;
        /**
         * @description State of the track.
         * @enum {string}
         */
        state: 'live' | 'paused' | 'ended';
      }[];
      /** @description Problems of the media; empty without problems. */
      health: (
        | 'b_frames'
        | 'b_frames_repaired'
        | 'repair_unavailable'
        | 'long_keyframe_interval'
        | 'no_keyframe_requests'
        | 'profile_mismatch'
        | 'silence'
        | 'high_loss'
        | 'clock_drift'
        | 'picture_too_large'
      )[];
      /** @description Measured seconds between keyframes of video; null: not measured. */
      keyframeIntervalSeconds: number | null;
      /** @description Short-lived address of a JPEG of the present picture; null unless one active session with video is read. */
      thumbnailUrl: string | null;
      /** @description When the resource was created. */
      createdAt: components['schemas']['Time'];
      /** @description When the resource became active; null: not yet. */
      activatedAt: components['schemas']['Time'] | null;
      /** @description When the resource ended; null: not yet. */
      endedAt: components['schemas']['Time'] | null;
      /** @description Why the resource ended. */
      endReason: components['schemas']['EndReason'] | null;
      /** @description The `reason` of the DELETE; null without one. */
      reason: string | null;
    };
    RenewIngestTokenBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'renewToken';
    };
    DeleteExternalSessionBody: {
      /** @description Note of the application, kept with the resource and in its log. */
      reason?: string | null;
    };
    PauseTrackBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'pause';
    };
    ResumeTrackBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'resume';
    };
    RequestTrackKeyframeBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'requestKeyframe';
    };
    CloseTrackBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'close';
    };
    /** @description The changes of state of an external session, and the arrival of its media. */
    SessionHistory: {
      sessionID: components['schemas']['ExternalSessionID'];
      /** @description Start of the period. */
      from: components['schemas']['Time'];
      /** @description End of the period. */
      to: components['schemas']['Time'];
      /** @description Seconds between two samples. Long periods have longer steps. */
      stepSeconds: number;
      /** @description At most 720 samples, oldest first. None while nobody publishes. */
      samples: {
        /** @description When the sample was taken, or the start of the step. */
        at: components['schemas']['Time'];
        /** @description Received bits per second of all tracks. */
        bitrate: number;
        /** @description Largest share of lost packets, from 0 to 1. */
        fractionLost: number;
        /** @description Jitter in milliseconds. */
        jitterMs: number;
        /** @description Round-trip time in milliseconds; null: not measured. */
        roundTripMs: number | null;
        /** @description Frames per second of video, measured once a minute; null: not measured. */
        frameRate: number | null;
      }[];
      /** @description Changes of state, oldest first: the first and the newest 49. */
      events: {
        /** @description When the state changed. */
        at: components['schemas']['Time'];
        /**
         * @description New state of the session.
         * @enum {string}
         */
        state: 'pending' | 'active' | 'ended' | 'failed';
        /**
         * @description Why the session became `pending` or ended; null: it became `active`.
         * @enum {string|null}
         */
        reason:
          | 'publisher_lost'
          | 'worker_lost'
          | 'node_draining'
          | 'node_lost'
          | 'requested'
          | 'expired'
          | 'balance_exhausted'
          | 'room_ended'
          | 'source_ended'
          | 'publisher_left'
          | 'viewer_left'
          | 'viewer_lost'
          | 'node_drained'
          | 'participant_left'
          | 'participant_removed'
          | 'participant_lost'
          | 'encoder_failed'
          | 'source_codec_unsupported'
          | 'source_too_large'
          | 'max_duration_reached'
          | 'pauses_exceeded'
          | 'nothing_recorded'
          | 'recorder_failed'
          | 'target_refused'
          | 'target_unreachable'
          | 'target_not_allowed'
          | null;
      }[];
    };
    CreatePlaybackBody: {
      /** @description An active external session of the room. */
      sourceSessionID: string;
      /** @description Kinds of media that the player receives. */
      tracks: ('video' | 'audio')[];
      /**
       * @description `fixed`: an offer must use the payload types of payloadProfile. `adaptive`: the answer follows the offer.
       * @default fixed
       * @enum {string|null}
       */
      payloadMatching?: 'fixed' | 'adaptive' | null;
    };
    /** @description A WHEP playback. */
    Playback: {
      playbackID: components['schemas']['PlaybackID'];
      meetingID: components['schemas']['RoomID'];
      sourceSessionID: components['schemas']['ExternalSessionID'];
      /** @description Kinds of media that the player receives. */
      tracks: ('video' | 'audio')[];
      /**
       * @description `fixed`: an offer must use the payload types of payloadProfile. `adaptive`: the answer follows the offer.
       * @enum {string}
       */
      payloadMatching: 'fixed' | 'adaptive';
      /**
       * @description State of the playback.
       * @enum {string}
       */
      state: 'ready' | 'active' | 'ended';
      /** @description WHEP endpoint; null while no media node is available. */
      endpoint: string | null;
      /** @description Playback token, present in the answer of the creation only. */
      token?: string;
      /** @description When the playback token expires. */
      tokenExpiresAt?: components['schemas']['Time'];
      /** @description Payload types that an offer must use; null until they are known. */
      payloadProfile: {
        /** @description Codecs of the tracks. */
        codecs: {
          /**
           * @description Kind of media.
           * @enum {string}
           */
          kind: 'video' | 'audio';
          /** @description Media type of the codec. */
          mimeType: string;
          /** @description RTP payload type. */
          payloadType: number;
          /** @description RTP clock rate in Hz. */
          clockRate: number;
          /** @description Number of audio channels. */
          channels?: number;
          /** @description Format parameters, as in SDP. */
          parameters: {
            [key: string]: string | number;
          };
          /** @description RTP payload type of retransmissions. */
          rtxPayloadType?: number;
        }[];
      } | null;
      /** @description Number of connected viewers. */
      viewerCount: number;
      /** @description When the resource was created. */
      createdAt: components['schemas']['Time'];
      /** @description When the resource became active; null: not yet. */
      activatedAt: components['schemas']['Time'] | null;
      /** @description When the resource ended; null: not yet. */
      endedAt: components['schemas']['Time'] | null;
      /** @description Why the resource ended. */
      endReason: components['schemas']['EndReason'] | null;
      /** @description The `reason` of the DELETE; null without one. */
      reason: string | null;
    };
    /** @description Identifier of the playback. */
    PlaybackID: string;
    DeletePlaybackBody: {
      /** @description Note of the application, kept with the resource and in its log. */
      reason?: string | null;
    };
    /** @description The media that one viewer of a playback received. */
    ViewerQuality: {
      viewerID: components['schemas']['ViewerID'];
      /** @description Time of the first sample in the period. */
      firstSampleAt: components['schemas']['Time'];
      /** @description Time of the last sample in the period. */
      lastSampleAt: components['schemas']['Time'];
      /** @description Estimated milliseconds without a new picture in the period. */
      frozenMs: number;
      /** @description The part at fault: `publisher` (sends nothing), `uplink` (its network), `node` (overloaded, or its network), `relay` (the way between two nodes), `viewer_network`, or `none` while the media arrives well. */
      fault: components['schemas']['ViewerFault'];
      /** @description The verdict in a sentence, with the measurement behind it. */
      reason: string;
      /** @description At most 60 samples, oldest first. */
      samples: {
        /** @description When the sample was taken, or the start of the step. */
        at: components['schemas']['Time'];
        /** @description Round-trip time in milliseconds; null: not measured. */
        roundTripMs: number | null;
        /** @description Share of lost packets before retransmission, from 0 to 1: the largest of the step. */
        fractionLost: number;
        /** @description Share of packets that were sent again, from 0 to 1. */
        retransmitted: number;
        /** @description Sent bits per second of the video, else of the audio. */
        bitrate: number;
        /** @description Sent spatial layer, 0 is the lowest; null without layers. */
        layer: number | null;
        /** @description Estimated milliseconds without a new picture. */
        frozenMs: number;
        /** @description Delay by the networks: half of both round-trip times; null: not measured. */
        delayMs: number | null;
        /** @description The part at fault: `publisher` (sends nothing), `uplink` (its network), `node` (overloaded, or its network), `relay` (the way between two nodes), `viewer_network`, or `none` while the media arrives well. */
        fault: components['schemas']['ViewerFault'];
        /** @description The verdict in a sentence, with the measurement behind it. */
        reason: string;
      }[];
    };
    /** @description Identifier of the viewer. */
    ViewerID: string;
    /** @enum {string} */
    ViewerFault: 'none' | 'publisher' | 'uplink' | 'node' | 'relay' | 'viewer_network';
    /** @description The playback of one viewer of a broadcast, as its player reports. */
    HlsViewerQuality: {
      viewerID: components['schemas']['ViewerID'];
      /** @description Time of the first sample in the period. */
      firstSampleAt: components['schemas']['Time'];
      /** @description Time of the last sample in the period. */
      lastSampleAt: components['schemas']['Time'];
      /** @description Times that the player ran out of media in the period. */
      stalls: number;
      /** @description The part at fault: `publisher` (sends nothing), `uplink` (its network), `node` (overloaded, or its network), `relay` (the way between two nodes), `viewer_network`, or `none` while the media arrives well. */
      fault: components['schemas']['ViewerFault'];
      /** @description The verdict in a sentence, with the measurement behind it. */
      reason: string;
      /** @description At most 60 samples, oldest first. */
      samples: {
        /** @description When the sample was taken, or the start of the step. */
        at: components['schemas']['Time'];
        /** @description Shortest buffer of the player in milliseconds, at most 327,670; null: not reported. */
        bufferMs: number | null;
        /** @description Times that the player ran out of media. */
        stalls: number;
        /** @description Bits per second that the player measured, at most 327,670,000; null: not reported. */
        throughput: number | null;
        /** @description Bits per second of the requested rendition; null: not reported. */
        bitrate: number | null;
        /** @description The part at fault: `publisher` (sends nothing), `uplink` (its network), `node` (overloaded, or its network), `relay` (the way between two nodes), `viewer_network`, or `none` while the media arrives well. */
        fault: components['schemas']['ViewerFault'];
        /** @description The verdict in a sentence, with the measurement behind it. */
        reason: string;
      }[];
    };
    CreateBroadcastBody: {
      /** @description External session to take media from. */
      sourceSessionID?: string | null;
      /** @description Participant to take media from. */
      sourceParticipantID?: string | null;
      /**
       * @description `source`: one source. `grid`, `speaker`: the whole room in one picture.
       * @default source
       * @enum {string|null}
       */
      layout?: 'source' | 'grid' | 'speaker' | null;
      /**
       * @description How far back viewers can seek; 0: about 20 seconds.
       * @default 0
       */
      dvrSeconds?: number | null;
      /**
       * @description `low`: about 2 s behind live by low-latency HLS; `normal`: about 7 s.
       * @default normal
       * @enum {string|null}
       */
      latency?: 'normal' | 'low' | null;
      /** @description Fills the broadcast of one source while the source is lost. Default: its last picture, dimmed. */
      slate?: {
        /** @description Public https address of a JPEG or PNG, at most 4 MiB and 3840 × 2160 pixels. */
        imageUrl: string;
      } | null;
    };
    /** @description An HLS broadcast. */
    Broadcast: {
      broadcastID: components['schemas']['BroadcastID'];
      meetingID: components['schemas']['RoomID'];
      /** @description External session of the source, or null. */
      sourceSessionID: components['schemas']['ExternalSessionID'] | null;
      /** @description Participant of the source, or null. */
      sourceParticipantID: components['schemas']['ParticipantID'] | null;
      /**
       * @description Layout of the whole room; `source`: one source.
       * @enum {string}
       */
      layout: 'source' | 'grid' | 'speaker' | 'single';
      /** @description How far back viewers can seek, in seconds, while the disk of the node suffices. */
      dvrSeconds: number;
      /**
       * @description `low`: by low-latency HLS.
       * @enum {string}
       */
      latency: 'normal' | 'low';
      /** @description Image that is shown while the source is lost; null: the last picture. */
      slate: {
        /** @description Address of the image. */
        imageUrl: string;
        /**
         * @description Why the image cannot be shown, so that the last picture is shown; null: it can.
         * @enum {string|null}
         */
        problem: 'image_unreachable' | 'address_not_allowed' | 'image_too_large' | 'image_unsupported' | null;
      } | null;
      /**
       * @description State of the broadcast. Offer it to viewers when it is `active`.
       * @enum {string}
       */
      state: 'starting' | 'active' | 'interrupted' | 'ended' | 'failed';
      /** @description Renditions of the broadcast, best first. */
      renditions: components['schemas']['Rendition'][];
      /** @description Address of the playlist with a short-lived token; null when it cannot be played. */
      playbackUrl: string | null;
      /** @description When the token of playbackUrl expires. */
      playbackTokenExpiresAt: components['schemas']['Time'] | null;
      /** @description When the resource was created. */
      createdAt: components['schemas']['Time'];
      /** @description When the resource became active; null: not yet. */
      activatedAt: components['schemas']['Time'] | null;
      /** @description When the resource ended; null: not yet. */
      endedAt: components['schemas']['Time'] | null;
      /** @description Why the resource ended. */
      endReason: components['schemas']['EndReason'] | null;
      /** @description The `reason` of the DELETE; null without one. */
      reason: string | null;
    };
    /** @description Identifier of the broadcast. */
    BroadcastID: string;
    /** @description A quality of the broadcast. */
    Rendition: {
      /** @description Name of the rendition. */
      name: string;
      /** @description Width in pixels. */
      width: number;
      /** @description Height in pixels. */
      height: number;
      /** @description Frames per second. */
      frameRate: number;
      /** @description Bits per second of video. */
      videoBitrate: number;
      /** @description Bits per second of audio. */
      audioBitrate: number;
      /** @description Codecs, as in RFC 6381. */
      codecs: string;
    };
    DeleteBroadcastBody: {
      /** @description Note of the application, kept with the resource and in its log. */
      reason?: string | null;
    };
    /** @description A recording of one source or of a whole room. */
    Recording: {
      recordingID: components['schemas']['RecordingID'];
      meetingID: components['schemas']['RoomID'];
      /** @description Source of the recording. */
      source: {
        /** @description External session of the source, or null. */
        sessionID: string | null;
        /** @description Participant of the source, or null. */
        participantID: string | null;
      };
      /**
       * @description Layout of a recording of the whole room; null: of one source.
       * @enum {string|null}
       */
      layout: 'grid' | 'speaker' | 'single' | null;
      /**
       * @description State of the recording. The file can be downloaded when it is `ready`.
       * @enum {string}
       */
      state: 'starting' | 'recording' | 'processing' | 'ready' | 'failed';
      /** @description When the recording was requested. */
      createdAt: components['schemas']['Time'];
      /** @description When the recording started; null: not yet. */
      startedAt: components['schemas']['Time'] | null;
      /** @description When the recording ended; null: not yet. */
      endedAt: components['schemas']['Time'] | null;
      /** @description Why the recording ended. */
      endReason: components['schemas']['EndReason'] | null;
      /** @description Seconds of recorded media. */
      durationSeconds: number | null;
      /** @description Size of the file. */
      sizeBytes: number | null;
      /** @description Format of the file. */
      format: string | null;
      /** @description Width of video in pixels. */
      width: number | null;
      /** @description Height of video in pixels. */
      height: number | null;
      /** @description SHA-256 of the file, in hexadecimal. */
      checksumSha256: string | null;
      /** @description When the file is deleted. */
      expiresAt: components['schemas']['Time'] | null;
      /** @description The recording that this one continues after the loss of a media node. */
      previousRecordingID: string | null;
      /** @description Short-lived address of the file; present when one recording is read. */
      downloadUrl: string | null;
      /** @description When downloadUrl and storyboardUrl expire. */
      downloadUrlExpiresAt: components['schemas']['Time'] | null;
      /** @description Short-lived address of WebVTT thumbnails for players; null without video, and like downloadUrl. */
      storyboardUrl: string | null;
      /** @description Address of the HLS playlist, when one recording is read; null without `addHLS` in the recording settings, or if HLS could not be made. Lasts for the recording and an hour. */
      hlsUrl: string | null;
    };
    /** @description Identifier of the recording. */
    RecordingID: string;
    StartRecordingBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'start';
      /** @description Identifier of a room. */
      meetingID: string;
      /** @description External session to take media from. */
      sourceSessionID?: string | null;
      /** @description Participant to take media from. */
      sourceParticipantID?: string | null;
      /**
       * @description Layout of the whole room. Default: as `videoOptions` of the recording settings.
       * @enum {string|null}
       */
      layout?: 'grid' | 'speaker' | 'single' | null;
    };
    ComposeRecordingBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'compose';
      /** @description Room whose recordings of single sources are composed. */
      meetingID?: string | null;
      /** @description Recordings of single sources of one room. Default: all of `meetingID`. */
      recordingIDs?: string[] | null;
      /** @description Recording in the large picture while it has media. Without `layout`, a grid becomes a `speaker` layout. */
      mainRecordingID?: string | null;
      /**
       * @description Default: as `videoOptions` of the recording settings.
       * @enum {string|null}
       */
      layout?: 'grid' | 'speaker' | 'single' | null;
    };
    StopRecordingBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'stop';
      /** @description Identifier of a recording. */
      recordingID: string;
    };
    DeleteRecordingBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'delete';
      /** @description Identifier of a recording. */
      recordingID: string;
    };
    CreateRestreamBody: {
      /** @description External session to send. */
      sourceSessionID?: string | null;
      /** @description Broadcast to send, for example that of the whole room. */
      broadcastID?: string | null;
      /** @description Server that receives the media. */
      target: {
        /**
         * @description Protocol of the target.
         * @enum {string}
         */
        protocol: 'rtmp' | 'rtmps' | 'srt' | 'whip';
        /** @description Address of the target without secrets. RTMP: with the application, without the stream key. */
        url: string;
        /** @description RTMP: the stream key. SRT: the stream ID. WHIP: the bearer token. Write-only. */
        streamKey?: string | null;
        /** @description Passphrase of SRT. Write-only. */
        passphrase?: string | null;
      };
    };
    /** @description Media on its way to a server outside the platform. */
    Restream: {
      restreamID: components['schemas']['RestreamID'];
      meetingID: components['schemas']['RoomID'];
      /** @description External session of the source, or null. */
      sourceSessionID: components['schemas']['ExternalSessionID'] | null;
      /** @description Broadcast of the source, or null. */
      broadcastID: components['schemas']['BroadcastID'] | null;
      /** @description Server that receives the media. */
      target: {
        protocol: components['schemas']['RestreamProtocol'];
        /** @description Address of the target. */
        url: string;
      };
      /**
       * @description State of the restream. `active`: the target takes media.
       * @enum {string}
       */
      state: 'connecting' | 'active' | 'retrying' | 'ended' | 'failed';
      /** @description Failed attempts in a row at the last problem. They count anew when the target took media for ten seconds. */
      retryCount: number;
      /** @description Why the last attempt failed; null: none failed. */
      lastProblem: {
        reason: components['schemas']['RestreamProblem'];
        /** @description Advice for the caller. */
        message: string;
        /** @description When it happened. */
        at: components['schemas']['Time'];
      } | null;
      /** @description When the resource was created. */
      createdAt: components['schemas']['Time'];
      /** @description When the resource became active; null: not yet. */
      activatedAt: components['schemas']['Time'] | null;
      /** @description When the resource ended; null: not yet. */
      endedAt: components['schemas']['Time'] | null;
      /** @description Why the resource ended. */
      endReason: components['schemas']['EndReason'] | null;
      /** @description The `reason` of the DELETE; null without one. */
      reason: string | null;
    };
    /** @description Identifier of the restream. */
    RestreamID: string;
    /**
     * @description Protocol of the target.
     * @enum {string}
     */
    RestreamProtocol: 'rtmp' | 'rtmps' | 'srt' | 'whip';
    /**
     * @description Why an attempt failed.
     * @enum {string}
     */
    RestreamProblem:
      | 'host_not_found'
      | 'connection_refused'
      | 'connection_timed_out'
      | 'tls_failed'
      | 'target_not_allowed'
      | 'target_refused'
      | 'target_closed'
      | 'target_stalled'
      | 'source_lost'
      | 'source_codec_unsupported'
      | 'sender_failed'
      | 'node_draining'
      | 'node_lost';
    DeleteRestreamBody: {
      /** @description Note of the application, kept with the resource and in its log. */
      reason?: string | null;
    };
    /** @description The use of a room. */
    RoomLog: {
      logID: components['schemas']['LogEntryID'];
      /**
       * @description Kind of entry.
       * @constant
       */
      kind: 'room';
      meetingID: components['schemas']['RoomID'];
      /** @description Name of the room. */
      roomName: string | null;
      /** @description Room type. */
      eventType: string;
      /**
       * @description Environment of the room.
       * @enum {string}
       */
      keyType: 'sandbox' | 'production';
      /** @description Name of the host. */
      hostName: string;
      /**
       * @description State of the room.
       * @enum {string}
       */
      state: 'active' | 'ended';
      /** @description When the room was created. */
      startedAt: components['schemas']['Time'];
      /** @description When the room ended; null: not yet. */
      endedAt: components['schemas']['Time'] | null;
      /** @description Why the room ended. */
      endReason: components['schemas']['EndReason'] | null;
      /** @description Seconds from the start to the end, or until now. */
      durationSeconds: number;
      /** @description Number of participants that were connected. */
      participantCount: number;
      /** @description Number of external sessions. */
      externalSessionCount: number;
      /** @description Sum of the connected seconds of all participants and external sessions. */
      participantSeconds: number;
      /** @description Sum of recorded seconds. */
      recordingSeconds: number;
    };
    /** @description Identifier of the log entry. */
    LogEntryID: string;
    /** @description A recording, also after its deletion. */
    RecordingLog: {
      recordingID: components['schemas']['RecordingID'];
      meetingID: components['schemas']['RoomID'];
      /** @description Source of the recording. */
      source: {
        /** @description External session of the source, or null. */
        sessionID: string | null;
        /** @description Participant of the source, or null. */
        participantID: string | null;
      };
      /**
       * @description Layout of a recording of the whole room; null: of one source.
       * @enum {string|null}
       */
      layout: 'grid' | 'speaker' | 'single' | null;
      /**
       * @description State of the recording. The file can be downloaded when it is `ready`.
       * @enum {string}
       */
      state: 'starting' | 'recording' | 'processing' | 'ready' | 'failed';
      /** @description When the recording was requested. */
      createdAt: components['schemas']['Time'];
      /** @description When the recording started; null: not yet. */
      startedAt: components['schemas']['Time'] | null;
      /** @description When the recording ended; null: not yet. */
      endedAt: components['schemas']['Time'] | null;
      /** @description Why the recording ended. */
      endReason: components['schemas']['EndReason'] | null;
      /** @description Seconds of recorded media. */
      durationSeconds: number | null;
      /** @description Size of the file. */
      sizeBytes: number | null;
      /** @description Format of the file. */
      format: string | null;
      /** @description Width of video in pixels. */
      width: number | null;
      /** @description Height of video in pixels. */
      height: number | null;
      /** @description SHA-256 of the file, in hexadecimal. */
      checksumSha256: string | null;
      /** @description When the file is deleted. */
      expiresAt: components['schemas']['Time'] | null;
      /** @description The recording that this one continues after the loss of a media node. */
      previousRecordingID: string | null;
      /** @description Short-lived address of the file; present when one recording is read. */
      downloadUrl: string | null;
      /** @description When downloadUrl and storyboardUrl expire. */
      downloadUrlExpiresAt: components['schemas']['Time'] | null;
      /** @description Short-lived address of WebVTT thumbnails for players; null without video, and like downloadUrl. */
      storyboardUrl: string | null;
      /** @description Address of the HLS playlist, when one recording is read; null without `addHLS` in the recording settings, or if HLS could not be made. Lasts for the recording and an hour. */
      hlsUrl: string | null;
      logID: components['schemas']['LogEntryID'];
      /**
       * @description Kind of entry.
       * @constant
       */
      kind: 'recording';
      /** @description When the recording was deleted; null: not deleted. */
      deletedAt: components['schemas']['Time'] | null;
    };
    /** @description A chat message. */
    MessageLog: {
      logID: components['schemas']['LogEntryID'];
      /**
       * @description Kind of entry.
       * @constant
       */
      kind: 'message';
      meetingID: components['schemas']['RoomID'];
      /** @description The participant that sent the message. */
      senderID: string;
      /** @description The only reader; null: everyone in the room. */
      recipientID: string | null;
      /** @description Text of the message. */
      message: string;
      /** @description When the message was sent. */
      sentAt: components['schemas']['Time'];
    };
    /** @description A SIP call. */
    SipCallLog: {
      logID: components['schemas']['LogEntryID'];
      /** @description Room of the call, or null. */
      meetingID: components['schemas']['RoomID'] | null;
      /**
       * @description Direction of the call.
       * @enum {string}
       */
      direction: 'incoming' | 'outgoing';
      /** @description Telephone number of the caller. */
      callerNumber: string;
      /** @description Telephone number of the callee. */
      calleeNumber: string;
      /** @description State of the call. */
      state: string;
      /** @description Summary of the call. */
      summary: string | null;
      /** @description State of the callback. */
      callbackState: string | null;
      /** @description Transcript of the call. */
      transcript: {
        /** @description The speaker. */
        speaker: string;
        /** @description The spoken text. */
        text: string;
        /** @description When the text was spoken. */
        at: string;
      }[];
      /** @description When the call started. */
      startedAt: components['schemas']['Time'];
      /** @description When the call was answered; null: never. */
      answeredAt: components['schemas']['Time'] | null;
      /** @description When the call ended; null: not yet. */
      endedAt: components['schemas']['Time'] | null;
    };
    /** @description Events `room.*`. */
    RoomEvent: {
      eventID: components['schemas']['EventID'];
      sequence: components['schemas']['EventSequence'];
      createdAt: components['schemas']['Time'];
      meetingID: components['schemas']['EventRoom'];
      resource: components['schemas']['EventResource'];
      requestID: components['schemas']['EventRequest'];
      /**
       * @description Type of the event.
       * @enum {string}
       */
      type: 'room.created' | 'room.updated' | 'room.ended';
      /** @description State of the resource. */
      data: {
        meetingID: components['schemas']['RoomID'];
        /** @description Name of the room, unique among the active rooms of the account. */
        roomName: string | null;
        /**
         * @description Room type.
         * @enum {string}
         */
        eventType: 'conference' | 'webinar' | 'broadcast' | 'chat';
        /** @description Minutes from the creation of the room to its end. */
        duration: number;
        /** @description Greatest number of participants and external sessions. */
        capacity: number;
        /** @description Data of the application, at most 4 KiB as JSON. */
        metadata: {
          [key: string]: unknown;
        };
        /**
         * @description State of the room.
         * @enum {string}
         */
        state: 'active' | 'ended';
        /**
         * @description Environment of the room.
         * @enum {string}
         */
        keyType: 'sandbox' | 'production';
        /** @description Name of the host. */
        hostName: string;
        /** @description When the room was created. */
        createdAt: components['schemas']['Time'];
        /** @description When the room ends at the latest. */
        expiresAt: components['schemas']['Time'];
        /** @description When the room ended; null: not yet. */
        endedAt: components['schemas']['Time'] | null;
        /** @description Why the room ended. */
        endReason: components['schemas']['EndReason'] | null;
      };
    };
    /** @description Identifier of the event. */
    EventID: string;
    /** @description Position in the log of the account: 1, 2, 3 and so on without gaps. */
    EventSequence: number;
    /** @description Room of the resource, or null. */
    EventRoom: components['schemas']['RoomID'] | null;
    /** @description The resource that changed. */
    EventResource: {
      /**
       * @description Kind of the resource.
       * @enum {string}
       */
      kind:
        | 'room'
        | 'externalSession'
        | 'track'
        | 'participant'
        | 'playback'
        | 'broadcast'
        | 'recording'
        | 'restream'
        | 'balance'
        | 'key'
        | 'disposableKey'
        | 'domain'
        | 'subUser'
        | 'eventsSetting'
        | 'recordingSetting'
        | 'aiCredential'
        | 'agent'
        | 'sipConfig'
        | 'translationConfig'
        | 'webhook';
      /** @description Identifier of the resource. A balance has the name of its environment. */
      id: string;
    };
    /** @description `X-Request-Id` of the request that made the change, or null. */
    EventRequest: string | null;
    /** @description Events `external_session.*`. */
    ExternalSessionEvent: {
      eventID: components['schemas']['EventID'];
      sequence: components['schemas']['EventSequence'];
      createdAt: components['schemas']['Time'];
      meetingID: components['schemas']['EventRoom'];
      resource: components['schemas']['EventResource'];
      requestID: components['schemas']['EventRequest'];
      /**
       * @description Type of the event.
       * @enum {string}
       */
      type:
        | 'external_session.created'
        | 'external_session.active'
        | 'external_session.interrupted'
        | 'external_session.updated'
        | 'external_session.health'
        | 'external_session.ended'
        | 'external_session.failed';
      /** @description State of the resource. */
      data: {
        sessionID: components['schemas']['ExternalSessionID'];
        meetingID: components['schemas']['RoomID'];
        participantID: components['schemas']['ParticipantID'];
        /** @description Name of the publisher. */
        displayName: string;
        /**
         * @description State of the session.
         * @enum {string}
         */
        state: 'pending' | 'active' | 'ended' | 'failed';
        /** @description Tracks that the publisher sends. */
        tracks: {
          /** @description Identifier of the track. */
          trackID: string;
          /**
           * @description Kind of media.
           * @enum {string}
           */
          kind: 'video' | 'audio';
          /** @description Codec of the track. */
          codec: string;
          /**
           * @description State of the track.
           * @enum {string}
           */
          state: 'live' | 'paused' | 'ended';
        }[];
        /** @description Problems of the media; empty without problems. */
        health: (
          | 'b_frames'
          | 'b_frames_repaired'
          | 'repair_unavailable'
          | 'long_keyframe_interval'
          | 'no_keyframe_requests'
          | 'profile_mismatch'
          | 'silence'
          | 'high_loss'
          | 'clock_drift'
          | 'picture_too_large'
        )[];
        /** @description When the resource was created. */
        createdAt: components['schemas']['Time'];
        /** @description When the resource became active; null: not yet. */
        activatedAt: components['schemas']['Time'] | null;
        /** @description When the resource ended; null: not yet. */
        endedAt: components['schemas']['Time'] | null;
        /** @description Why the resource ended. */
        endReason: components['schemas']['EndReason'] | null;
        /** @description The `reason` of the DELETE; null without one. */
        reason: string | null;
        /**
         * @description `service-webrtc` for the client SDK, the others for encoders.
         * @enum {string}
         */
        protocol: 'whip' | 'service-webrtc' | 'srt' | 'rtmp' | 'rtmps';
      };
    };
    /** @description Events `track.*`. */
    TrackEvent: {
      eventID: components['schemas']['EventID'];
      sequence: components['schemas']['EventSequence'];
      createdAt: components['schemas']['Time'];
      meetingID: components['schemas']['EventRoom'];
      resource: components['schemas']['EventResource'];
      requestID: components['schemas']['EventRequest'];
      /**
       * @description Type of the event.
       * @enum {string}
       */
      type: 'track.started' | 'track.paused' | 'track.resumed' | 'track.ended';
      /** @description State of the resource. */
      data: {
        /** @description Identifier of the track. */
        trackID: string;
        meetingID: components['schemas']['RoomID'];
        /** @description The publisher. */
        participantID: components['schemas']['ParticipantID'];
        /** @description The external session that sends the track; null: a member does. */
        sessionID: components['schemas']['ExternalSessionID'] | null;
        /**
         * @description Kind of media.
         * @enum {string}
         */
        kind: 'video' | 'audio';
        /**
         * @description Source of a member’s track; null for an external session.
         * @enum {string|null}
         */
        source: 'microphone' | 'camera' | 'screen' | 'screenAudio' | null;
        /** @description Codec of the track. */
        codec: string;
        /**
         * @description State of the track.
         * @enum {string}
         */
        state: 'live' | 'paused' | 'ended';
      };
    };
    /** @description Events `participant.*`. */
    ParticipantEvent: {
      eventID: components['schemas']['EventID'];
      sequence: components['schemas']['EventSequence'];
      createdAt: components['schemas']['Time'];
      meetingID: components['schemas']['EventRoom'];
      resource: components['schemas']['EventResource'];
      requestID: components['schemas']['EventRequest'];
      /**
       * @description Type of the event.
       * @enum {string}
       */
      type: 'participant.joined' | 'participant.updated' | 'participant.left';
      /** @description State of the resource. */
      data: {
        participantID: components['schemas']['ParticipantID'];
        meetingID: components['schemas']['RoomID'];
        /** @description Name of the participant. */
        userName: string;
        /**
         * @description Role of the participant.
         * @enum {string}
         */
        role: 'host' | 'cohost' | 'participant' | 'viewer';
        /**
         * @description `disconnected`: may return within the grace time.
         * @enum {string}
         */
        state: 'connected' | 'disconnected' | 'left';
        /** @description When the participant left; null: not yet. */
        leftAt: components['schemas']['Time'] | null;
        /** @description Why the participant left. */
        leaveReason: components['schemas']['EndReason'] | null;
        /**
         * @description `externalSession`: a publisher outside the room.
         * @enum {string}
         */
        kind: 'member' | 'externalSession';
        /** @description The external session, or null. */
        sessionID: components['schemas']['ExternalSessionID'] | null;
        /** @description Permissions that a host gave. */
        granted: ('audio' | 'video' | 'screenshare' | 'raiseHand')[];
        /** @description Pending requests and raised hands. */
        requests: ('audio' | 'video' | 'screenshare' | 'raiseHand')[];
        /** @description Name of the breakout group; null in the main room. */
        breakout: string | null;
        /**
         * @description Permission for the whiteboard; null without one.
         * @enum {string|null}
         */
        whiteboard: 'view' | 'draw' | null;
        /** @description When the participant connected first. */
        joinedAt: components['schemas']['Time'];
      };
    };
    /** @description Events `playback.*`. */
    PlaybackEvent: {
      eventID: components['schemas']['EventID'];
      sequence: components['schemas']['EventSequence'];
      createdAt: components['schemas']['Time'];
      meetingID: components['schemas']['EventRoom'];
      resource: components['schemas']['EventResource'];
      requestID: components['schemas']['EventRequest'];
      /**
       * @description Type of the event.
       * @enum {string}
       */
      type: 'playback.created' | 'playback.active' | 'playback.idle' | 'playback.viewers' | 'playback.ended';
      /** @description State of the resource. */
      data: {
        playbackID: components['schemas']['PlaybackID'];
        meetingID: components['schemas']['RoomID'];
        sourceSessionID: components['schemas']['ExternalSessionID'];
        /** @description Kinds of media that the player receives. */
        tracks: ('video' | 'audio')[];
        /**
         * @description `fixed`: an offer must use the payload types of payloadProfile. `adaptive`: the answer follows the offer.
         * @enum {string}
         */
        payloadMatching: 'fixed' | 'adaptive';
        /**
         * @description State of the playback.
         * @enum {string}
         */
        state: 'ready' | 'active' | 'ended';
        /** @description Number of connected viewers. */
        viewerCount: number;
        /** @description When the resource was created. */
        createdAt: components['schemas']['Time'];
        /** @description When the resource became active; null: not yet. */
        activatedAt: components['schemas']['Time'] | null;
        /** @description When the resource ended; null: not yet. */
        endedAt: components['schemas']['Time'] | null;
        /** @description Why the resource ended. */
        endReason: components['schemas']['EndReason'] | null;
        /** @description The `reason` of the DELETE; null without one. */
        reason: string | null;
      };
    };
    /** @description Events `broadcast.*`. */
    BroadcastEvent: {
      eventID: components['schemas']['EventID'];
      sequence: components['schemas']['EventSequence'];
      createdAt: components['schemas']['Time'];
      meetingID: components['schemas']['EventRoom'];
      resource: components['schemas']['EventResource'];
      requestID: components['schemas']['EventRequest'];
      /**
       * @description Type of the event.
       * @enum {string}
       */
      type:
        | 'broadcast.created'
        | 'broadcast.active'
        | 'broadcast.interrupted'
        | 'broadcast.updated'
        | 'broadcast.ended'
        | 'broadcast.failed';
      /** @description State of the resource. */
      data: {
        broadcastID: components['schemas']['BroadcastID'];
        meetingID: components['schemas']['RoomID'];
        /** @description External session of the source, or null. */
        sourceSessionID: components['schemas']['ExternalSessionID'] | null;
        /** @description Participant of the source, or null. */
        sourceParticipantID: components['schemas']['ParticipantID'] | null;
        /**
         * @description Layout of the whole room; `source`: one source.
         * @enum {string}
         */
        layout: 'source' | 'grid' | 'speaker' | 'single';
        /** @description How far back viewers can seek, in seconds, while the disk of the node suffices. */
        dvrSeconds: number;
        /**
         * @description `low`: by low-latency HLS.
         * @enum {string}
         */
        latency: 'normal' | 'low';
        /** @description Image that is shown while the source is lost; null: the last picture. */
        slate: {
          /** @description Address of the image. */
          imageUrl: string;
          /**
           * @description Why the image cannot be shown, so that the last picture is shown; null: it can.
           * @enum {string|null}
           */
          problem: 'image_unreachable' | 'address_not_allowed' | 'image_too_large' | 'image_unsupported' | null;
        } | null;
        /**
         * @description State of the broadcast. Offer it to viewers when it is `active`.
         * @enum {string}
         */
        state: 'starting' | 'active' | 'interrupted' | 'ended' | 'failed';
        /** @description Renditions of the broadcast, best first. */
        renditions: components['schemas']['Rendition'][];
        /** @description When the resource was created. */
        createdAt: components['schemas']['Time'];
        /** @description When the resource became active; null: not yet. */
        activatedAt: components['schemas']['Time'] | null;
        /** @description When the resource ended; null: not yet. */
        endedAt: components['schemas']['Time'] | null;
        /** @description Why the resource ended. */
        endReason: components['schemas']['EndReason'] | null;
        /** @description The `reason` of the DELETE; null without one. */
        reason: string | null;
      };
    };
    /** @description Events `recording.*`. */
    RecordingEvent: {
      eventID: components['schemas']['EventID'];
      sequence: components['schemas']['EventSequence'];
      createdAt: components['schemas']['Time'];
      meetingID: components['schemas']['EventRoom'];
      resource: components['schemas']['EventResource'];
      requestID: components['schemas']['EventRequest'];
      /**
       * @description Type of the event.
       * @enum {string}
       */
      type:
        | 'recording.created'
        | 'recording.started'
        | 'recording.stopped'
        | 'recording.ready'
        | 'recording.failed'
        | 'recording.deleted';
      /** @description State of the resource. */
      data: {
        recordingID: components['schemas']['RecordingID'];
        meetingID: components['schemas']['RoomID'];
        /** @description Source of the recording. */
        source: {
          /** @description External session of the source, or null. */
          sessionID: string | null;
          /** @description Participant of the source, or null. */
          participantID: string | null;
        };
        /**
         * @description Layout of a recording of the whole room; null: of one source.
         * @enum {string|null}
         */
        layout: 'grid' | 'speaker' | 'single' | null;
        /**
         * @description State of the recording. The file can be downloaded when it is `ready`.
         * @enum {string}
         */
        state: 'starting' | 'recording' | 'processing' | 'ready' | 'failed';
        /** @description When the recording was requested. */
        createdAt: components['schemas']['Time'];
        /** @description When the recording started; null: not yet. */
        startedAt: components['schemas']['Time'] | null;
        /** @description When the recording ended; null: not yet. */
        endedAt: components['schemas']['Time'] | null;
        /** @description Why the recording ended. */
        endReason: components['schemas']['EndReason'] | null;
        /** @description Seconds of recorded media. */
        durationSeconds: number | null;
        /** @description Size of the file. */
        sizeBytes: number | null;
        /** @description Format of the file. */
        format: string | null;
        /** @description Width of video in pixels. */
        width: number | null;
        /** @description Height of video in pixels. */
        height: number | null;
        /** @description SHA-256 of the file, in hexadecimal. */
        checksumSha256: string | null;
        /** @description When the file is deleted. */
        expiresAt: components['schemas']['Time'] | null;
        /** @description The recording that this one continues after the loss of a media node. */
        previousRecordingID: string | null;
      };
    };
    /** @description Events `restream.*`. */
    RestreamEvent: {
      eventID: components['schemas']['EventID'];
      sequence: components['schemas']['EventSequence'];
      createdAt: components['schemas']['Time'];
      meetingID: components['schemas']['EventRoom'];
      resource: components['schemas']['EventResource'];
      requestID: components['schemas']['EventRequest'];
      /**
       * @description Type of the event.
       * @enum {string}
       */
      type: 'restream.created' | 'restream.active' | 'restream.retrying' | 'restream.ended' | 'restream.failed';
      /** @description State of the resource. */
      data: {
        restreamID: components['schemas']['RestreamID'];
        meetingID: components['schemas']['RoomID'];
        /** @description External session of the source, or null. */
        sourceSessionID: components['schemas']['ExternalSessionID'] | null;
        /** @description Broadcast of the source, or null. */
        broadcastID: components['schemas']['BroadcastID'] | null;
        /** @description Target without its address. */
        target: {
          protocol: components['schemas']['RestreamProtocol'];
        };
        /**
         * @description State of the restream. `active`: the target takes media.
         * @enum {string}
         */
        state: 'connecting' | 'active' | 'retrying' | 'ended' | 'failed';
        /** @description Failed attempts in a row at the last problem. They count anew when the target took media for ten seconds. */
        retryCount: number;
        /** @description When the resource was created. */
        createdAt: components['schemas']['Time'];
        /** @description When the resource became active; null: not yet. */
        activatedAt: components['schemas']['Time'] | null;
        /** @description When the resource ended; null: not yet. */
        endedAt: components['schemas']['Time'] | null;
        /** @description Why the resource ended. */
        endReason: components['schemas']['EndReason'] | null;
        /** @description The `reason` of the DELETE; null without one. */
        reason: string | null;
        /** @description Why the last attempt failed; null: none failed. */
        problem: components['schemas']['RestreamProblem'] | null;
      };
    };
    /** @description Events `balance.*`. */
    BalanceEvent: {
      eventID: components['schemas']['EventID'];
      sequence: components['schemas']['EventSequence'];
      createdAt: components['schemas']['Time'];
      meetingID: components['schemas']['EventRoom'];
      resource: components['schemas']['EventResource'];
      requestID: components['schemas']['EventRequest'];
      /**
       * @description Type of the event.
       * @enum {string}
       */
      type: 'balance.low' | 'balance.exhausted' | 'balance.updated';
      /** @description State of the resource. */
      data: {
        /**
         * @description Environment of the balance.
         * @enum {string}
         */
        keyType: 'sandbox' | 'production';
        /** @description Remaining minutes of participants and external sessions. */
        meetingMinutes: number;
        /** @description Remaining minutes of recordings. */
        recordingMinutes: number;
      };
    };
    /** @description Events `key.*`. */
    KeyEvent: {
      eventID: components['schemas']['EventID'];
      sequence: components['schemas']['EventSequence'];
      createdAt: components['schemas']['Time'];
      meetingID: components['schemas']['EventRoom'];
      resource: components['schemas']['EventResource'];
      requestID: components['schemas']['EventRequest'];
      /**
       * @description Type of the event.
       * @enum {string}
       */
      type:
        | 'key.created'
        | 'key.updated'
        | 'key.deleted'
        | 'key.superseded'
        | 'key.disabled'
        | 'key.enabled'
        | 'key.revoked';
      /** @description State of the resource. */
      data:
        | {
            keyID: components['schemas']['KeyID'];
            /**
             * @description Environment of the key.
             * @enum {string}
             */
            type: 'sandbox' | 'production';
            /** @description When the key was created. */
            createdAt: components['schemas']['Time'];
            /** @description When the key stops working; null: never. */
            expiresAt: components['schemas']['Time'] | null;
          }
        | {
            keyID: components['schemas']['KeyID'];
            /** @description Name of the key, unique in the account. */
            name: string;
            /**
             * @description Environment of the key.
             * @enum {string}
             */
            type: 'sandbox' | 'production';
            /** @description Operations of the key. */
            operations: components['schemas']['Operation'][];
            /**
             * @description Highest role that the key can give. Below participant, the key opens no external session. null: any role.
             * @enum {string|null}
             */
            maxRole: 'host' | 'cohost' | 'participant' | 'viewer' | null;
            /** @description When the key was created. */
            createdAt: components['schemas']['Time'];
            /** @description When the key stops working; null: never. */
            expiresAt: components['schemas']['Time'] | null;
          };
    };
    /** @description Events `domain.*`. */
    DomainEvent: {
      eventID: components['schemas']['EventID'];
      sequence: components['schemas']['EventSequence'];
      createdAt: components['schemas']['Time'];
      meetingID: components['schemas']['EventRoom'];
      resource: components['schemas']['EventResource'];
      requestID: components['schemas']['EventRequest'];
      /**
       * @description Type of the event.
       * @enum {string}
       */
      type: 'domain.created' | 'domain.updated' | 'domain.deleted';
      /** @description State of the resource. */
      data: components['schemas']['Domain'];
    };
    /** @description Events `sub_user.*`. */
    SubUserEvent: {
      eventID: components['schemas']['EventID'];
      sequence: components['schemas']['EventSequence'];
      createdAt: components['schemas']['Time'];
      meetingID: components['schemas']['EventRoom'];
      resource: components['schemas']['EventResource'];
      requestID: components['schemas']['EventRequest'];
      /**
       * @description Type of the event.
       * @enum {string}
       */
      type: 'sub_user.created' | 'sub_user.updated' | 'sub_user.deleted';
      /** @description State of the resource. */
      data: {
        subUserID: components['schemas']['SubUserID'];
        /** @description Name of the sub-user. */
        name: string;
        /**
         * @description A `parent` may manage settings of its own.
         * @enum {string}
         */
        role: 'parent' | 'member';
        /**
         * @description The service refuses the keys of a disabled sub-user.
         * @enum {string}
         */
        state: 'active' | 'disabled';
        /** @description When the sub-user was created. */
        createdAt: components['schemas']['Time'];
      };
    };
    /** @description Events `settings.*`. */
    SettingsEvent: {
      eventID: components['schemas']['EventID'];
      sequence: components['schemas']['EventSequence'];
      createdAt: components['schemas']['Time'];
      meetingID: components['schemas']['EventRoom'];
      resource: components['schemas']['EventResource'];
      requestID: components['schemas']['EventRequest'];
      /**
       * @description Type of the event.
       * @enum {string}
       */
      type: 'settings.created' | 'settings.updated' | 'settings.deleted';
      /** @description State of the resource. */
      data: components['schemas']['EventsSetting'] | components['schemas']['RecordingSetting'];
    };
    /** @description Events `ai_credential.*`. */
    AiCredentialEvent: {
      eventID: components['schemas']['EventID'];
      sequence: components['schemas']['EventSequence'];
      createdAt: components['schemas']['Time'];
      meetingID: components['schemas']['EventRoom'];
      resource: components['schemas']['EventResource'];
      requestID: components['schemas']['EventRequest'];
      /**
       * @description Type of the event.
       * @enum {string}
       */
      type: 'ai_credential.created' | 'ai_credential.updated' | 'ai_credential.deleted';
      /** @description State of the resource. */
      data: {
        aiCredentialID: components['schemas']['AICredentialID'];
        /** @description Name of the credential, unique in the account. */
        nickName: string;
        /**
         * @description Kind of AI service.
         * @enum {string}
         */
        kind: 'stt' | 'llm' | 'tts' | 'realtime';
        /** @description Provider of the AI service. */
        provider: string;
        /** @description Model of the provider. */
        model: string | null;
        /** @description When the record was created. */
        createdAt: components['schemas']['Time'];
        /** @description When the record was last changed. */
        updatedAt: components['schemas']['Time'];
      };
    };
    /** @description Events `agent.*`. */
    AgentEvent: {
      eventID: components['schemas']['EventID'];
      sequence: components['schemas']['EventSequence'];
      createdAt: components['schemas']['Time'];
      meetingID: components['schemas']['EventRoom'];
      resource: components['schemas']['EventResource'];
      requestID: components['schemas']['EventRequest'];
      /**
       * @description Type of the event.
       * @enum {string}
       */
      type: 'agent.created' | 'agent.updated' | 'agent.deleted';
      /** @description State of the resource. */
      data: {
        agentID: components['schemas']['AgentID'];
        /** @description Name of the agent. */
        name: string;
        /** @description Role of the agent, such as Receptionist. Default: the name. */
        role: string;
        /** @description Greatest length of a session. */
        maxSessionMinutes: number;
        /** @description When the record was created. */
        createdAt: components['schemas']['Time'];
        /** @description When the record was last changed. */
        updatedAt: components['schemas']['Time'];
      };
    };
    /** @description Events `sip_config.*`. */
    SipConfigEvent: {
      eventID: components['schemas']['EventID'];
      sequence: components['schemas']['EventSequence'];
      createdAt: components['schemas']['Time'];
      meetingID: components['schemas']['EventRoom'];
      resource: components['schemas']['EventResource'];
      requestID: components['schemas']['EventRequest'];
      /**
       * @description Type of the event.
       * @enum {string}
       */
      type: 'sip_config.created' | 'sip_config.updated' | 'sip_config.deleted';
      /** @description State of the resource. */
      data: {
        sipConfigID: components['schemas']['SIPConfigurationID'];
        /** @description Telephone number in E.164 format, unique in the account. */
        contactNumber: string;
        /** @description Name of the carrier. */
        provider: string | null;
        /** @description The agent that answers calls. */
        agentID: string | null;
        /** @description Whether the number takes part in calls. */
        supportSipActive: boolean;
        /** @description When the record was created. */
        createdAt: components['schemas']['Time'];
        /** @description When the record was last changed. */
        updatedAt: components['schemas']['Time'];
      };
    };
    /** @description Events `translation_config.*`. */
    TranslationConfigEvent: {
      eventID: components['schemas']['EventID'];
      sequence: components['schemas']['EventSequence'];
      createdAt: components['schemas']['Time'];
      meetingID: components['schemas']['EventRoom'];
      resource: components['schemas']['EventResource'];
      requestID: components['schemas']['EventRequest'];
      /**
       * @description Type of the event.
       * @enum {string}
       */
      type: 'translation_config.created' | 'translation_config.updated' | 'translation_config.deleted';
      /** @description State of the resource. */
      data: {
        translationConfigID: components['schemas']['TranslationConfigID'];
        /** @description Name of the configuration, unique in the account. */
        nickName: string;
        /** @description Nickname of the AI credential for speech-to-text. */
        sttNickName: string;
        /** @description Nickname of the AI credential for the language model. */
        llmNickName: string;
        /** @description Nickname of the AI credential for text-to-speech. */
        ttsNickName: string | null;
        /** @description Languages that people speak. */
        spokenLanguages: string[];
        /** @description Languages that people listen to. */
        listenLanguages: string[];
        /**
         * @description Form of the output. Default: `audio` with a ttsNickName, else `text`.
         * @enum {string}
         */
        outputMode: 'audio' | 'text';
        /** @description When the record was created. */
        createdAt: components['schemas']['Time'];
        /** @description When the record was last changed. */
        updatedAt: components['schemas']['Time'];
      };
    };
    /** @description Events `webhook.*`. */
    WebhookEvent: {
      eventID: components['schemas']['EventID'];
      sequence: components['schemas']['EventSequence'];
      createdAt: components['schemas']['Time'];
      meetingID: components['schemas']['EventRoom'];
      resource: components['schemas']['EventResource'];
      requestID: components['schemas']['EventRequest'];
      /**
       * @description Type of the event.
       * @enum {string}
       */
      type: 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'webhook.enabled';
      /** @description State of the resource. */
      data: {
        webhookID: components['schemas']['WebhookID'];
        /**
         * @description Environment of the webhook.
         * @enum {string}
         */
        keyType: 'sandbox' | 'production';
        /** @description Text for people. */
        description: string | null;
        /** @description The types that are sent. Empty: all types. */
        eventTypes: string[];
        /**
         * @description `disabled`: nothing is sent.
         * @enum {string}
         */
        state: 'enabled' | 'disabled';
        /**
         * @description Why nothing is sent.
         * @enum {string|null}
         */
        disabledReason: 'requested' | 'failing' | 'gone' | null;
        /** @description When the record was created. */
        createdAt: components['schemas']['Time'];
        /** @description When the record was last changed. */
        updatedAt: components['schemas']['Time'];
      };
    };
    /** @description Identifier of the webhook. */
    WebhookID: string;
    CreateWebhookBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'create';
      /** @description Public https address that receives the events. */
      url: string;
      /** @description Text for people. */
      description?: string | null;
      /** @description Sends only these types of the event log; `room.*` stands for all types of rooms. Empty: all types. */
      eventTypes?: string[] | null;
      /**
       * @description Begins behind this `nextCursor` of the event log. `oldest`: at the oldest kept event. `latest`: at new events.
       * @default latest
       */
      after?: string | null;
    };
    UpdateWebhookBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'update';
      /** @description Identifier of a webhook. */
      webhookID: string;
      /** @description Public https address that receives the events. */
      url?: string | null;
      /** @description Text for people. */
      description?: string | null;
      /** @description Sends only these types of the event log; `room.*` stands for all types of rooms. Empty: all types. */
      eventTypes?: string[] | null;
      /** @description `false`: sends nothing, events wait in the log. `true`: continues where it stopped. */
      enabled?: boolean | null;
    };
    RotateWebhookSecretBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'rotateSecret';
      /** @description Identifier of a webhook. */
      webhookID: string;
    };
    TestWebhookBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'test';
      /** @description Identifier of a webhook. */
      webhookID: string;
    };
    ResendWebhookDeliveryBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'resend';
      /** @description Identifier of a webhook. */
      webhookID: string;
      /** @description Identifier of a delivery. */
      deliveryID: string;
    };
    ReplayWebhookEventsBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'replay';
      /** @description Identifier of a webhook. */
      webhookID: string;
      /** @description Sends the events behind this cursor again. `oldest`: all kept events. */
      after: string;
      /** @description Cursor of the last event to send. Default: the newest event. */
      until?: string | null;
    };
    DeleteWebhookBody: {
      /**
       * @description The requested action.
       * @constant
       */
      action: 'delete';
      /** @description Identifier of a webhook. */
      webhookID: string;
    };
    /** @description A webhook with its new secret. */
    IssuedWebhook: {
      webhookID: components['schemas']['WebhookID'];
      /**
       * @description Environment whose events are sent, with those that both environments share.
       * @enum {string}
       */
      keyType: 'sandbox' | 'production';
      /** @description Address that receives the events. */
      url: string;
      /** @description Text for people. */
      description: string | null;
      /** @description The types that are sent. Empty: all types. */
      eventTypes: string[];
      /**
       * @description `disabled`: nothing is sent.
       * @enum {string}
       */
      state: 'enabled' | 'disabled';
      /**
       * @description `requested`: by `update`. `failing`: three days without success. `gone`: the address answered 410.
       * @enum {string|null}
       */
      disabledReason: 'requested' | 'failing' | 'gone' | null;
      /** @description When the webhook was disabled. */
      disabledAt: components['schemas']['Time'] | null;
      /** @description The former secret also signs until this time; null: no former secret. */
      previousSecretUntil: components['schemas']['Time'] | null;
      /** @description When the record was created. */
      createdAt: components['schemas']['Time'];
      /** @description When the record was last changed. */
      updatedAt: components['schemas']['Time'];
      /** @description First failure since the last success. */
      failingSince: components['schemas']['Time'] | null;
      /** @description Last success. */
      lastDeliveredAt: components['schemas']['Time'] | null;
      /** @description Deliveries that wait or are being sent. At 10,000, events wait in the log. */
      pendingDeliveries: number;
      /** @description Position in the event log behind the last event that has a delivery. */
      nextCursor: string;
      /** @description Verifies the signatures (Standard Webhooks). This answer alone contains it. */
      secret: string;
    };
    /** @description An address that receives the events of the account. */
    Webhook: {
      webhookID: components['schemas']['WebhookID'];
      /**
       * @description Environment whose events are sent, with those that both environments share.
       * @enum {string}
       */
      keyType: 'sandbox' | 'production';
      /** @description Address that receives the events. */
      url: string;
      /** @description Text for people. */
      description: string | null;
      /** @description The types that are sent. Empty: all types. */
      eventTypes: string[];
      /**
       * @description `disabled`: nothing is sent.
       * @enum {string}
       */
      state: 'enabled' | 'disabled';
      /**
       * @description `requested`: by `update`. `failing`: three days without success. `gone`: the address answered 410.
       * @enum {string|null}
       */
      disabledReason: 'requested' | 'failing' | 'gone' | null;
      /** @description When the webhook was disabled. */
      disabledAt: components['schemas']['Time'] | null;
      /** @description The former secret also signs until this time; null: no former secret. */
      previousSecretUntil: components['schemas']['Time'] | null;
      /** @description When the record was created. */
      createdAt: components['schemas']['Time'];
      /** @description When the record was last changed. */
      updatedAt: components['schemas']['Time'];
      /** @description First failure since the last success. */
      failingSince: components['schemas']['Time'] | null;
      /** @description Last success. */
      lastDeliveredAt: components['schemas']['Time'] | null;
      /** @description Deliveries that wait or are being sent. At 10,000, events wait in the log. */
      pendingDeliveries: number;
      /** @description Position in the event log behind the last event that has a delivery. */
      nextCursor: string;
    };
    /** @description A delivery with its requests and their answers. */
    DetailedWebhookDelivery: {
      deliveryID: components['schemas']['DeliveryID'];
      /**
       * @description Why the delivery was made.
       * @enum {string}
       */
      cause: 'event' | 'replay' | 'resend' | 'test';
      /** @description The event, in `Webhook-Id`. The same each time that it is sent. */
      eventID: string;
      /** @description Position of the event in the log, for `replay`; null: a test. */
      cursor: string | null;
      /** @description Type of the event, or `webhook.test`. */
      type: string;
      /**
       * @description `pending`: waits, is being sent or will be tried again. `failed`: the service gave up.
       * @enum {string}
       */
      state: 'pending' | 'delivered' | 'failed';
      /** @description Number of requests. */
      attemptCount: number;
      /** @description HTTP status of the last answer. */
      responseStatus: number | null;
      /** @description Why the last attempt failed. */
      error: string | null;
      createdAt: components['schemas']['Time'];
      /** @description Next attempt; null: it runs, or comes after earlier deliveries of its resource, or never. */
      nextAttemptAt: components['schemas']['Time'] | null;
      /** @description When it was delivered or given up. */
      finishedAt: components['schemas']['Time'] | null;
      /** @description The body of each request. */
      body: string;
      /** @description The newest 30 requests, oldest first. */
      attempts: {
        at: components['schemas']['Time'];
        /** @description Address of the request. */
        url: string;
        /** @description Headers of the request without the signature. */
        headers: {
          [key: string]: string;
        };
        /** @description HTTP status; null: no answer. */
        status: number | null;
        /** @description Why the attempt failed; null: it succeeded. */
        error: string | null;
        /** @description Milliseconds until the end of the answer. */
        durationMs: number;
        /** @description Beginning of the answer’s body. */
        responseBody: string | null;
      }[];
    };
    /** @description Identifier of the delivery. */
    DeliveryID: string;
    /** @description An event for a webhook. */
    WebhookDelivery: {
      deliveryID: components['schemas']['DeliveryID'];
      /**
       * @description Why the delivery was made.
       * @enum {string}
       */
      cause: 'event' | 'replay' | 'resend' | 'test';
      /** @description The event, in `Webhook-Id`. The same each time that it is sent. */
      eventID: string;
      /** @description Position of the event in the log, for `replay`; null: a test. */
      cursor: string | null;
      /** @description Type of the event, or `webhook.test`. */
      type: string;
      /**
       * @description `pending`: waits, is being sent or will be tried again. `failed`: the service gave up.
       * @enum {string}
       */
      state: 'pending' | 'delivered' | 'failed';
      /** @description Number of requests. */
      attemptCount: number;
      /** @description HTTP status of the last answer. */
      responseStatus: number | null;
      /** @description Why the last attempt failed. */
      error: string | null;
      createdAt: components['schemas']['Time'];
      /** @description Next attempt; null: it runs, or comes after earlier deliveries of its resource, or never. */
      nextAttemptAt: components['schemas']['Time'] | null;
      /** @description When it was delivered or given up. */
      finishedAt: components['schemas']['Time'] | null;
    };
    /** @description State of the gateway and its parts. */
    Health: {
      /**
       * @description State of the gateway.
       * @enum {string}
       */
      status: 'ok';
      /** @description The parts that work. */
      info?: {
        [key: string]: {
          /**
           * @description State of the part.
           * @enum {string}
           */
          status: 'up' | 'down';
        } & {
          [key: string]: unknown;
        };
      };
      /** @description The parts that do not work and that readiness does not need. */
      error?: {
        [key: string]: {
          /**
           * @description State of the part.
           * @enum {string}
           */
          status: 'up' | 'down';
        } & {
          [key: string]: unknown;
        };
      };
      /** @description All parts. */
      details?: {
        [key: string]: {
          /**
           * @description State of the part.
           * @enum {string}
           */
          status: 'up' | 'down';
        } & {
          [key: string]: unknown;
        };
      };
    } & {
      [key: string]: unknown;
    };
    DomainAnswer: {
      success: components['schemas']['Success'];
      domain: components['schemas']['Domain'];
    };
    DisposableKeyAnswer: {
      success: components['schemas']['Success'];
      disposableKey: components['schemas']['DetailedDisposableKey'];
    };
    AgentAnswer: {
      success: components['schemas']['Success'];
      agent: components['schemas']['Agent'];
    };
    AiCredentialAnswer: {
      success: components['schemas']['Success'];
      aiCredential: components['schemas']['AiCredential'];
    };
    EventsSettingAnswer: {
      success: components['schemas']['Success'];
      eventsSetting: components['schemas']['EventsSetting'];
    };
    RecordingSettingAnswer: {
      success: components['schemas']['Success'];
      recordingSetting: components['schemas']['RecordingSetting'];
    };
    SipConfigAnswer: {
      success: components['schemas']['Success'];
      sipConfig: components['schemas']['SipConfig'];
    };
    TranslationConfigAnswer: {
      success: components['schemas']['Success'];
      translationConfig: components['schemas']['TranslationConfig'];
    };
    RoomAnswer: {
      success: components['schemas']['Success'];
      room: components['schemas']['Room'];
    };
    ExternalSessionAnswer: {
      success: components['schemas']['Success'];
      externalSession: components['schemas']['ExternalSession'];
    };
    PlaybackAnswer: {
      success: components['schemas']['Success'];
      playback: components['schemas']['Playback'];
    };
    BroadcastAnswer: {
      success: components['schemas']['Success'];
      broadcast: components['schemas']['Broadcast'];
    };
    RecordingAnswer: {
      success: components['schemas']['Success'];
      recording: components['schemas']['Recording'];
    };
    RestreamAnswer: {
      success: components['schemas']['Success'];
      restream: components['schemas']['Restream'];
    };
    /** @description The entries of this page. */
    List: (
      | components['schemas']['RoomLog']
      | components['schemas']['RecordingLog']
      | components['schemas']['MessageLog']
    )[];
    WebhookAnswer: {
      success: components['schemas']['Success'];
      webhook: components['schemas']['Webhook'];
    };
    WebhookAnswer2: {
      success: components['schemas']['Success'];
      webhook: components['schemas']['IssuedWebhook'];
    };
    DeliveryAnswer: {
      success: components['schemas']['Success'];
      delivery: components['schemas']['DetailedWebhookDelivery'];
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
