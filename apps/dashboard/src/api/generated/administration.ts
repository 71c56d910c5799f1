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
    /**
     * @description `true` in every success.
     * @constant
     */
    Success: true;
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
    CreateAccountBody: {
      /** @description Name of the account for people. */
      name: string;
      /** @description First half of every credential. Default: a random name. */
      apiUserName?: string | null;
    };
    /** @description An account of the platform. */
    Account: {
      accountID: components['schemas']['AccountID'];
      /** @description Name of the account for people. */
      name: string;
      /** @description First half of every credential of the account. */
      apiUserName: string;
      /** @description When the account was created. */
      createdAt: components['schemas']['Time'];
      /** @description When the account was deleted; null: not deleted. */
      deletedAt: components['schemas']['Time'] | null;
      /**
       * @description The service refuses the keys of an account that is not active.
       * @enum {string}
       */
      state: 'active' | 'disabled' | 'deleted';
    };
    /** @description Identifier of the account. */
    AccountID: string;
    RenameAccountBody: {
      /** @description Name of the account for people. */
      name: string;
    };
    CreateDashboardUserBody: {
      /** @description Email address with which the user signs in. */
      email: string;
      /**
       * @description `owner`, `developer` and `viewer`: roles in one account. `administrator`: administrator of the platform.
       * @enum {string}
       */
      role: 'viewer' | 'developer' | 'owner' | 'administrator';
      /** @description Account of the user; leave it out for an administrator. */
      accountID?: string | null;
      /** @description Default: a random password. */
      password?: string | null;
    };
    /** @description A dashboard user with a new password. */
    IssuedDashboardUser: {
      userID: components['schemas']['UserID'];
      /** @description Email address with which the user signs in. */
      email: string;
      /**
       * @description `owner`, `developer` and `viewer`: roles in one account. `administrator`: administrator of the platform.
       * @enum {string}
       */
      role: 'viewer' | 'developer' | 'owner' | 'administrator';
      /** @description Whether signing in needs a second factor. */
      totpEnabled: boolean;
      /** @description Account of the user; null for an administrator. */
      accountID: components['schemas']['AccountID'] | null;
      /** @description When the user was created. */
      createdAt: components['schemas']['Time'];
      /** @description This answer alone contains it. */
      password: string;
    };
    /** @description Identifier of the user. */
    UserID: string;
    /** @description A user who signs in to the dashboard. */
    DashboardUser: {
      userID: components['schemas']['UserID'];
      /** @description Email address with which the user signs in. */
      email: string;
      /**
       * @description `owner`, `developer` and `viewer`: roles in one account. `administrator`: administrator of the platform.
       * @enum {string}
       */
      role: 'viewer' | 'developer' | 'owner' | 'administrator';
      /** @description Whether signing in needs a second factor. */
      totpEnabled: boolean;
      /** @description Account of the user; null for an administrator. */
      accountID: components['schemas']['AccountID'] | null;
      /** @description When the user was created. */
      createdAt: components['schemas']['Time'];
    };
    /** @description A link that sets a new password once. */
    ResetLink: {
      userID: components['schemas']['UserID'];
      /** @description Account of the user; null for an administrator. */
      accountID: components['schemas']['AccountID'] | null;
      /**
       * Format: uri
       * @description Page on which the user sets a new password. This answer alone contains it.
       */
      url: string;
      /** @description When the link stops working. */
      expiresAt: components['schemas']['Time'];
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
    /** @description Identifier of the key. */
    KeyID: string;
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
    /** @description The result of one check. */
    Finding: {
      /** @description Name of the check, as in docs/doctor.md. */
      check: string;
      /** @description The checked node; absent for a check of the platform. */
      nodeID?: string;
      /**
       * @description Result of the check.
       * @enum {string}
       */
      level: 'ok' | 'warn' | 'fail';
      /** @description The finding in words. */
      message: string;
      /** @description The next step for the administrator. */
      advice?: string;
    };
    /** @description Features of the platform or of an account. */
    FeatureStates: {
      /** @description Whether the feature may be used. */
      whip: boolean;
      /** @description Whether the feature may be used. */
      whep: boolean;
      /** @description Whether the feature may be used. */
      hls: boolean;
      /** @description Whether the feature may be used. */
      srt: boolean;
      /** @description Whether the feature may be used. */
      rtmp: boolean;
      /** @description Whether the feature may be used. */
      rtmps: boolean;
    };
    /** @description Live media by feature. It continues when the feature is disabled. */
    FeatureUse: {
      /** @description Live sessions, playbacks with viewers, or broadcasts. */
      whip: number;
      /** @description Live sessions, playbacks with viewers, or broadcasts. */
      whep: number;
      /** @description Live sessions, playbacks with viewers, or broadcasts. */
      hls: number;
      /** @description Live sessions, playbacks with viewers, or broadcasts. */
      srt: number;
      /** @description Live sessions, playbacks with viewers, or broadcasts. */
      rtmp: number;
      /** @description Live sessions, playbacks with viewers, or broadcasts. */
      rtmps: number;
    };
    SetFeatureBody: {
      /**
       * @description The feature.
       * @enum {string}
       */
      feature: 'whip' | 'whep' | 'hls' | 'srt' | 'rtmp' | 'rtmps';
      /** @description Whether the feature may be used. */
      enabled: boolean;
      /** @description The account. Default: the platform. */
      accountID?: string | null;
    };
    SetFeatureByPostBody: {
      /**
       * @description The feature.
       * @enum {string}
       */
      feature: 'whip' | 'whep' | 'hls' | 'srt' | 'rtmp' | 'rtmps';
      /** @description Whether the feature may be used. */
      enabled: boolean;
      /** @description The account. Default: the platform. */
      accountID?: string | null;
    };
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
    CreateKeyBody: {
      /**
       * @description Environment of the key.
       * @enum {string}
       */
      type: 'sandbox' | 'production';
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
    RotateKeyBody: {
      /**
       * @description Environment of the key.
       * @enum {string}
       */
      type: 'sandbox' | 'production';
      /** @description Hours for which the former key stays valid. Default: the former key ends at once. */
      overlapHours?: number | null;
    };
    DisableKeyBody: {
      /** @description Disables the last working main key of its environment too: servers that use the key stop at once. */
      force?: boolean | null;
    };
    /** @description Each limit with its value for the account, and the default of the plan. */
    AccountLimits: {
      /** @description Greatest number of active rooms at a time. */
      activeRooms: {
        /** @description The limit of the account. */
        value: number;
        /** @description The default of the platform. */
        default: number;
      };
      /** @description Greatest number of valid disposable keys and keys of sub-users. */
      keys: {
        /** @description The limit of the account. */
        value: number;
        /** @description The default of the platform. */
        default: number;
      };
      /** @description Greatest number of dashboard users and open invitations. */
      users: {
        /** @description The limit of the account. */
        value: number;
        /** @description The default of the platform. */
        default: number;
      };
      /** @description Greatest number of webhooks. */
      webhooks: {
        /** @description The limit of the account. */
        value: number;
        /** @description The default of the platform. */
        default: number;
      };
      /** @description Greatest number of external sessions of one room at a time. */
      sessionsPerRoom: {
        /** @description The limit of the account. */
        value: number;
        /** @description The default of the platform. */
        default: number;
      };
      /** @description Greatest number of external sessions of the account at a time. */
      sessionsPerAccount: {
        /** @description The limit of the account. */
        value: number;
        /** @description The default of the platform. */
        default: number;
      };
      /** @description Greatest number of places of sessions of SRT, RTMP and RTMPS at a time (three with webrtcRenditions). */
      encoderPlaces: {
        /** @description The limit of the account. */
        value: number;
        /** @description The default of the platform. */
        default: number;
      };
      /** @description Greatest number of viewers of one playback at a time. */
      viewersPerPlayback: {
        /** @description The limit of the account. */
        value: number;
        /** @description The default of the platform. */
        default: number;
      };
      /** @description Greatest number of viewers of all playbacks of the account at a time. */
      viewersPerAccount: {
        /** @description The limit of the account. */
        value: number;
        /** @description The default of the platform. */
        default: number;
      };
      /** @description Greatest number of restreams of one external session or broadcast at a time. */
      restreamsPerSession: {
        /** @description The limit of the account. */
        value: number;
        /** @description The default of the platform. */
        default: number;
      };
      /** @description Greatest number of restreams of the account at a time. */
      restreamsPerAccount: {
        /** @description The limit of the account. */
        value: number;
        /** @description The default of the platform. */
        default: number;
      };
      /** @description Greatest number of recordings and broadcasts of whole rooms at a time. */
      compositionsPerAccount: {
        /** @description The limit of the account. */
        value: number;
        /** @description The default of the platform. */
        default: number;
      };
      /** @description Greatest number of pixels of a picture that is encoded for a broadcast or a recording. */
      sourcePixels: {
        /** @description The limit of the account. */
        value: number;
        /** @description The default of the platform. */
        default: number;
      };
      /** @description Greatest number of pixels a second that are encoded for a broadcast or a recording. */
      sourcePixelsPerSecond: {
        /** @description The limit of the account. */
        value: number;
        /** @description The default of the platform. */
        default: number;
      };
    };
    SetLimitsBody: {
      /** @description `null` restores the default. */
      activeRooms?: number | null;
      /** @description `null` restores the default. */
      keys?: number | null;
      /** @description `null` restores the default. */
      users?: number | null;
      /** @description `null` restores the default. */
      webhooks?: number | null;
      /** @description `null` restores the default. */
      sessionsPerRoom?: number | null;
      /** @description `null` restores the default. */
      sessionsPerAccount?: number | null;
      /** @description `null` restores the default. */
      encoderPlaces?: number | null;
      /** @description `null` restores the default. */
      viewersPerPlayback?: number | null;
      /** @description `null` restores the default. */
      viewersPerAccount?: number | null;
      /** @description `null` restores the default. */
      restreamsPerSession?: number | null;
      /** @description `null` restores the default. */
      restreamsPerAccount?: number | null;
      /** @description `null` restores the default. */
      compositionsPerAccount?: number | null;
      /** @description `null` restores the default. */
      sourcePixels?: number | null;
      /** @description `null` restores the default. */
      sourcePixelsPerSecond?: number | null;
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
    SetAccountBalanceBody: {
      /**
       * @description Environment of the minutes.
       * @enum {string}
       */
      type: 'sandbox' | 'production';
      /** @description Remaining minutes of participants and external sessions. */
      meetingMinutes?: number | null;
      /** @description Remaining minutes of recordings. */
      recordingMinutes?: number | null;
    };
    /** @description Entitlements of an account. */
    Entitlements: {
      /** @description Whether the account has the entitlement. */
      whip: boolean;
      /** @description Whether the account has the entitlement. */
      whep: boolean;
      /** @description Whether the account has the entitlement. */
      hls: boolean;
      /** @description Whether the account has the entitlement. */
      recording: boolean;
    };
    SetAccountEntitlementBody: {
      /**
       * @description The entitlement.
       * @enum {string}
       */
      entitlement: 'whip' | 'whep' | 'hls' | 'recording';
      /** @description Whether the account has the entitlement. */
      granted: boolean;
    };
    /** @description A media node. */
    Node: {
      /** @description Identifier of the node. */
      nodeID: string;
      /**
       * @description Kind of node.
       * @enum {string}
       */
      role: 'sfu' | 'transcoder' | 'ingest';
      /** @description Start of the node in milliseconds since 1970. */
      epoch: number;
      /** @description Address for clients. */
      publicUrl: string;
      /** @description Address for other nodes. */
      internalUrl: string;
      /** @description Current load, in the unit of capacity. */
      load: number;
      /** @description Greatest load. */
      capacity: number;
      /** @description Whether the node receives no new work. */
      draining: boolean;
      /** @description Seconds that running work may continue while the node drains. */
      drainSeconds?: number;
      /** @description Compositions of whole rooms that the transcoder makes. */
      composes?: string[];
      /** @description Version of the node. Absent: older than the versions that report it. */
      version?: string;
      /** @description Whether the node has an older version than the gateway. */
      isOutdated: boolean;
    };
    /** @description The work that a media node has now. */
    NodeWork: {
      /** @description Rooms. */
      rooms: number;
      /** @description External sessions with a live publisher. */
      sessions: number;
      /** @description Members who send or receive media. */
      members: number;
      /** @description Viewers of playbacks in its rooms, also those that other nodes serve. */
      viewers: number;
      /** @description Viewers of rooms of other nodes that this node serves. */
      relayedViewers: number;
      /** @description Broadcasts. */
      broadcasts: number;
      /** @description Recordings, also those that become files. */
      recordings: number;
      /** @description Restreams. */
      restreams: number;
      /** @description Connected encoders of SRT, RTMP and RTMPS. */
      encoders: number;
    };
    DrainNodeBody: {
      /** @description Drains the last node of its kind too: new work is refused until a node takes work. */
      force?: boolean | null;
    };
    /** @description A room that has not ended, with its account. */
    ActiveRoom: {
      accountID: components['schemas']['AccountID'];
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
    /** @description Progress of a re-encryption. */
    SecretRotation: {
      /** @description Secrets that this request encrypted again. */
      reencrypted: number;
      /** @description Secrets that no configured key decrypts. */
      unreadable: number;
      /** @description Whether all readable secrets use the current key. */
      done: boolean;
    };
    /** @description An external session that has not ended, for the administrator. */
    LiveSession: {
      accountID: components['schemas']['AccountID'];
      meetingID: components['schemas']['RoomID'];
      sessionID: components['schemas']['ExternalSessionID'];
      /** @description SFU node of the session; null: none yet. */
      nodeID: string | null;
      /** @description Name of the publisher. */
      displayName: string;
      /**
       * @description How the publisher sends media.
       * @enum {string}
       */
      protocol: 'whip' | 'service-webrtc' | 'srt' | 'rtmp' | 'rtmps';
      /**
       * @description State of the session.
       * @enum {string}
       */
      state: 'pending' | 'active' | 'ended' | 'failed';
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
      /** @description When the session was created. */
      createdAt: components['schemas']['Time'];
      /** @description When media arrived first; null: not yet. */
      activatedAt: components['schemas']['Time'] | null;
    };
    /** @description Identifier of the external session. */
    ExternalSessionID: string;
    /** @description A link that creates the first administrator once. */
    SetupLink: {
      /**
       * Format: uri
       * @description Page that creates the first administrator.
       */
      url: string;
      /** @description When the link stops working. Each request makes another. */
      expiresAt: components['schemas']['Time'];
    };
    /** @description The new signing key. */
    SigningKey: {
      /** @description Identifier of the new key. */
      kid: string;
      /** @description Identifiers of all keys that media nodes accept. */
      publishedKids: string[];
    };
    /** @description The platform at a glance. */
    PlatformStatus: {
      /** @description Version of the gateway that answers. */
      gatewayVersion: string;
      /** @description The database. */
      database: {
        /** @description Whether PostgreSQL answers. */
        isUp: boolean;
        /** @description Time of the answer. */
        milliseconds: number;
      };
      /** @description The bus. */
      bus: {
        /** @description Whether NATS is connected. */
        isUp: boolean;
      };
      /** @description The media nodes. */
      nodes: components['schemas']['Node'][];
      /** @description Numbers of resources that have not ended; null while the database does not answer. */
      live: {
        /** @description Active rooms. */
        rooms: number;
        /** @description External sessions that have not ended. */
        externalSessions: number;
        /** @description Playbacks that have not ended. */
        playbacks: number;
        /** @description Broadcasts that have not ended. */
        broadcasts: number;
        /** @description Unfinished recordings. */
        recordings: number;
      } | null;
    };
    /** @description An account with the numbers of its resources that have not ended. */
    LiveAccount: {
      accountID: components['schemas']['AccountID'];
      /** @description Name of the account. */
      name: string;
      /** @description Active rooms. */
      rooms: number;
      /** @description External sessions that have not ended. */
      externalSessions: number;
      /** @description Playbacks that have not ended. */
      playbacks: number;
      /** @description Broadcasts that have not ended. */
      broadcasts: number;
      /** @description Unfinished recordings. */
      recordings: number;
    };
    AccountAnswer: {
      success: components['schemas']['Success'];
      account: components['schemas']['Account'];
    };
    UserAnswer: {
      success: components['schemas']['Success'];
      user: components['schemas']['IssuedDashboardUser'];
    };
    FeaturesAnswer: {
      success: components['schemas']['Success'];
      features: components['schemas']['FeatureStates'];
    };
    KeyAnswer: {
      success: components['schemas']['Success'];
      key: components['schemas']['IssuedKey'];
    };
    KeyAnswer2: {
      success: components['schemas']['Success'];
      key: components['schemas']['Key'];
    };
    LimitsAnswer: {
      success: components['schemas']['Success'];
      limits: components['schemas']['AccountLimits'];
    };
    BalanceAnswer: {
      success: components['schemas']['Success'];
      balance: components['schemas']['Balance'];
    };
    EntitlementsAnswer: {
      success: components['schemas']['Success'];
      entitlements: components['schemas']['Entitlements'];
    };
    NodeAnswer: {
      success: components['schemas']['Success'];
      node: components['schemas']['Node'];
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
