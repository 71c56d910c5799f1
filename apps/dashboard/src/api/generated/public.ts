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
    DomainsCreateBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'create';
      /** @description domain. */
      domain: string;
      /**
       * @description enabled must be true or false.
       * @default true
       */
      enabled?: boolean | null;
    };
    DomainsUpdateBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'update';
      /** @description domainID must be the identifier of a domain. */
      domainID: string;
      /** @description domain. */
      domain?: string | null;
      /** @description enabled must be true or false. */
      enabled?: boolean | null;
    };
    DomainsDeleteBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'delete';
      /** @description domainID must be the identifier of a domain. */
      domainID: string;
    };
    Domain: {
      domainID: string;
      domain: string;
      enabled: boolean;
      /** Format: date-time */
      createdAt: string;
    };
    SubusersCreateBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'create';
      /** @description name must be text of 1 to 64 characters. */
      name: string;
      /**
       * Format: email
       * @description email must be an e-mail address of at most 254 characters.
       */
      email: string;
      /**
       * @description role must be one of: parent, member.
       * @default member
       * @enum {string|null}
       */
      role?: 'parent' | 'member' | null;
      /**
       * @description permissions must be a list of these, none twice: createRoom, joinRoom, readRooms, manageRooms, ingestMedia, playMedia, broadcastMedia, readRecordings, manageRecordings, readSettings, manageSettings, readBalance, readLogs, manageSubUsers, manageDomains, manageKeys, manageAiCredentials, manageSip, manageTranslation, manageAgents, manageWebhooks.
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
    SubusersUpdateBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'update';
      /** @description subUserID must be the identifier of a sub-user. */
      subUserID: string;
      /** @description name must be text of 1 to 64 characters. */
      name?: string | null;
      /**
       * Format: email
       * @description email must be an e-mail address of at most 254 characters.
       */
      email?: string | null;
      /**
       * @description role must be one of: parent, member.
       * @enum {string|null}
       */
      role?: 'parent' | 'member' | null;
      /** @description permissions must be a list of these, none twice: createRoom, joinRoom, readRooms, manageRooms, ingestMedia, playMedia, broadcastMedia, readRecordings, manageRecordings, readSettings, manageSettings, readBalance, readLogs, manageSubUsers, manageDomains, manageKeys, manageAiCredentials, manageSip, manageTranslation, manageAgents, manageWebhooks. */
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
       * @description state must be one of: active, disabled.
       * @enum {string|null}
       */
      state?: 'active' | 'disabled' | null;
    };
    SubusersRotateKeyBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'rotateKey';
      /**
       * @description type must be one of: sandbox, production.
       * @enum {string}
       */
      type: 'sandbox' | 'production';
      /** @description overlapHours must be a whole number from 0 to 72. How long the former key stays valid; left out: it ends at once. */
      overlapHours?: number | null;
      /** @description subUserID must be the identifier of a sub-user. */
      subUserID: string;
    };
    SubusersDisableKeyBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'disableKey';
      /** @description keyID must be the identifier of a key of the sub-user. */
      keyID: string;
      /** @description subUserID must be the identifier of a sub-user. */
      subUserID: string;
    };
    SubusersEnableKeyBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'enableKey';
      /** @description keyID must be the identifier of a key of the sub-user. */
      keyID: string;
      /** @description subUserID must be the identifier of a sub-user. */
      subUserID: string;
    };
    SubusersDeleteKeyBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'deleteKey';
      /** @description keyID must be the identifier of a key of the sub-user. */
      keyID: string;
      /** @description subUserID must be the identifier of a sub-user. */
      subUserID: string;
    };
    SubusersDeleteBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'delete';
      /** @description subUserID must be the identifier of a sub-user. */
      subUserID: string;
    };
    IssuedSubUser: {
      subUserID: string;
      name: string;
      email: string;
      /** @enum {string} */
      role: 'parent' | 'member';
      permissions: (
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
      /** @enum {string} */
      state: 'active' | 'disabled';
      apiUserName: string;
      /** Format: date-time */
      createdAt: string;
      /** @description Shown once. A key makes a key of its own environment; rotateKey with a key of the other one makes the other. */
      apiKeys: {
        sandbox?: string;
        production?: string;
      };
    };
    SubUser: {
      subUserID: string;
      name: string;
      email: string;
      /** @enum {string} */
      role: 'parent' | 'member';
      permissions: (
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
      /** @enum {string} */
      state: 'active' | 'disabled';
      apiUserName: string;
      /** Format: date-time */
      createdAt: string;
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
    DetailedSubUser: {
      subUserID: string;
      name: string;
      email: string;
      /** @enum {string} */
      role: 'parent' | 'member';
      permissions: (
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
      /** @enum {string} */
      state: 'active' | 'disabled';
      apiUserName: string;
      /** Format: date-time */
      createdAt: string;
      /** @description At most 100: first the keys that work or are disabled, then the newest that ended. */
      keys: components['schemas']['Key'][];
    };
    RoomsCreateBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'create';
      /** @description userName must be text of 1 to 64 characters. */
      userName: string;
      /**
       * @description Duration must be a whole number of minutes from 1 to 1440.
       * @default 60
       */
      duration?: number | null;
      /**
       * @description Capacity must be a whole number of participants from 2 to 100000.
       * @default 20
       */
      capacity?: number | null;
      /**
       * @description eventType must be one of: conference, webinar, broadcast, chat.
       * @enum {string|null}
       */
      eventType?: 'conference' | 'webinar' | 'broadcast' | 'chat' | null;
      /** @description roomName must be text of 1 to 64 characters. */
      roomName?: string | null;
      /** @description secureCode must be text of 5 to 64 characters. */
      secureCode?: string | null;
      /** @description metadata must be an object of at most 4 KiB. */
      metadata?: Record<string, never> | null;
      /**
       * @description recordOnStart must be true or false.
       * @default false
       */
      recordOnStart?: boolean | null;
    };
    RoomsJoinBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'join';
      /** @description meetingID must be the identifier of a room. */
      meetingID: string;
      /** @description userName must be text of 1 to 64 characters. */
      userName: string;
      /** @description secureCode must be text of 5 to 64 characters. */
      secureCode?: string | null;
      /**
       * @description role must be one of: host, cohost, participant, viewer.
       * @enum {string|null}
       */
      role?: 'host' | 'cohost' | 'participant' | 'viewer' | null;
      /** @description participantID must be the identifier of a participant. Takes the same place as before. Needs `ticket`; userName, role and secureCode do not change anything then. */
      participantID?: string | null;
      /** @description ticket must be the join token of the participant. The `join.token` that this participant got before. */
      ticket?: string | null;
    };
    RoomsUpdateBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'update';
      /** @description meetingID must be the identifier of a room. */
      meetingID: string;
      /** @description Duration must be a whole number of minutes from 1 to 1440. */
      duration?: number | null;
      /** @description Capacity must be a whole number of participants from 2 to 100000. */
      capacity?: number | null;
      /** @description metadata must be an object of at most 4 KiB. */
      metadata?: Record<string, never> | null;
    };
    RoomsEndBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'end';
      /** @description meetingID must be the identifier of a room. */
      meetingID: string;
    };
    RoomsDeleteBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'delete';
      /** @description meetingID must be the identifier of a room. */
      meetingID: string;
    };
    Room: {
      meetingID: string;
      roomName: string | null;
      /** @enum {string} */
      eventType: 'conference' | 'webinar' | 'broadcast' | 'chat';
      /** @enum {string} */
      state: 'active' | 'ended';
      /** @enum {string} */
      keyType: 'sandbox' | 'production';
      hostName: string;
      duration: number;
      capacity: number;
      /** @description Connected members and active external sessions. */
      participantCount: number;
      /** @description Places of those who are not connected yet or may come back, the creator included. */
      reservedCount: number;
      externalSessionCount: number;
      settings: components['schemas']['EventOptions'];
      metadata: {
        [key: string]: unknown;
      };
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      expiresAt: string;
      endedAt: string | null;
      endReason:
        | (
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
          )
        | null;
    };
    EventOptions: {
      /** @enum {string} */
      type: 'conference' | 'webinar' | 'broadcast' | 'chat';
      /** @enum {string} */
      audioSetting: 'allow' | 'approval' | 'disallow';
      /** @enum {string} */
      videoSetting: 'allow' | 'approval' | 'disallow';
      /** @enum {string} */
      screenshareSetting: 'allow' | 'approval' | 'disallow';
      /** @enum {string} */
      chatSetting: 'allow' | 'disallow';
      /** @enum {string} */
      targetResolution: 'sd' | 'hd' | 'fhd' | 'qhd' | 'QnHD';
      addCoHost: boolean;
      enableAiNotes: boolean;
      translationConfigNickName: string | null;
    };
    JoinTicket: {
      url: string;
      token: string;
      /** Format: date-time */
      expiresAt: string;
    };
    Participant: {
      participantID: string;
      meetingID: string;
      userName: string;
      /** @enum {string} */
      role: 'host' | 'cohost' | 'participant' | 'viewer';
      /** @enum {string} */
      state: 'joined' | 'left';
      /** Format: date-time */
      joinedAt: string;
      leftAt: string | null;
      leaveReason:
        | (
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
          )
        | null;
    };
    ParticipantState: {
      sessionID: string;
      participantID: string;
      /** @enum {string} */
      state: 'pending' | 'active' | 'ended' | 'failed';
      media: {
        isConnected: boolean;
        tracks: {
          trackID: string;
          /** @enum {string} */
          kind: 'video' | 'audio';
          /** @enum {string} */
          source: 'microphone' | 'camera' | 'screen' | 'screenAudio';
          codec: string;
          /** @enum {string} */
          state: 'live' | 'paused' | 'ended';
        }[];
        health: (
          | 'b_frames'
          | 'long_keyframe_interval'
          | 'no_keyframe_requests'
          | 'profile_mismatch'
          | 'silence'
          | 'high_loss'
          | 'clock_drift'
          | 'picture_too_large'
        )[];
      };
      chat: {
        messageID: string;
        senderID: string;
        senderName: string;
        recipientID: string | null;
        message: string;
        /** Format: date-time */
        sentAt: string;
      }[];
      polls: {
        pollID: string;
        question: string;
        options: string[];
        /** @enum {string} */
        state: 'open' | 'ended';
        results: number[] | null;
        createdBy: string;
      }[];
      requests: ('audio' | 'video' | 'screenshare' | 'raiseHand')[];
      breakout: string | null;
      whiteboard: ('view' | 'draw') | null;
    };
    'MeetingsExternalSessionsParticipantActionsPoll.voteBody': {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'poll.vote';
      /** @description pollID must be the identifier of a poll. */
      pollID: string;
      /** @description choice must be the place of an option, from 0. */
      choice: number;
    };
    'MeetingsExternalSessionsParticipantActionsChat.sendBody': {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'chat.send';
      /** @description message must be text of 1 to 2000 characters. */
      message: string;
      /** @description recipientID must be the identifier of a participant. */
      recipientID?: string | null;
    };
    'MeetingsExternalSessionsParticipantActionsParticipant.requestBody': {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'participant.request';
      /**
       * @description request must be one of: audio, video, screenshare, raiseHand.
       * @enum {string}
       */
      request: 'audio' | 'video' | 'screenshare' | 'raiseHand';
      /** @description active must be true or false. */
      active?: boolean | null;
    };
    ParticipantActionOutcome: {
      /** @enum {string} */
      action: 'poll.vote' | 'chat.send' | 'participant.request';
      /** @enum {string} */
      status: 'accepted' | 'pending' | 'rejected';
      messageID?: string;
    };
    EventssettingsCreateBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'create';
      /**
       * @description type must be one of: conference, webinar, broadcast, chat.
       * @default conference
       * @enum {string|null}
       */
      type?: 'conference' | 'webinar' | 'broadcast' | 'chat' | null;
      /**
       * @description audioSetting must be one of: allow, approval, disallow.
       * @default allow
       * @enum {string|null}
       */
      audioSetting?: 'allow' | 'approval' | 'disallow' | null;
      /**
       * @description videoSetting must be one of: allow, approval, disallow.
       * @default allow
       * @enum {string|null}
       */
      videoSetting?: 'allow' | 'approval' | 'disallow' | null;
      /**
       * @description screenshareSetting must be one of: allow, approval, disallow.
       * @default allow
       * @enum {string|null}
       */
      screenshareSetting?: 'allow' | 'approval' | 'disallow' | null;
      /**
       * @description chatSetting must be one of: allow, disallow.
       * @default allow
       * @enum {string|null}
       */
      chatSetting?: 'allow' | 'disallow' | null;
      /**
       * @description targetResolution must be one of: sd, hd, fhd, qhd, QnHD.
       * @default hd
       * @enum {string|null}
       */
      targetResolution?: 'sd' | 'hd' | 'fhd' | 'qhd' | 'QnHD' | null;
      /**
       * @description addCoHost must be true or false.
       * @default false
       */
      addCoHost?: boolean | null;
      /**
       * @description enableAiNotes must be true or false.
       * @default false
       */
      enableAiNotes?: boolean | null;
      /** @description translationConfigNickName must be text of 1 to 64 characters. */
      translationConfigNickName?: string | null;
    };
    EventssettingsUpdateBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'update';
      /** @description eventsSettingID must be the identifier of event settings. */
      eventsSettingID?: string | null;
      /**
       * @description type must be one of: conference, webinar, broadcast, chat.
       * @enum {string|null}
       */
      type?: 'conference' | 'webinar' | 'broadcast' | 'chat' | null;
      /**
       * @description audioSetting must be one of: allow, approval, disallow.
       * @enum {string|null}
       */
      audioSetting?: 'allow' | 'approval' | 'disallow' | null;
      /**
       * @description videoSetting must be one of: allow, approval, disallow.
       * @enum {string|null}
       */
      videoSetting?: 'allow' | 'approval' | 'disallow' | null;
      /**
       * @description screenshareSetting must be one of: allow, approval, disallow.
       * @enum {string|null}
       */
      screenshareSetting?: 'allow' | 'approval' | 'disallow' | null;
      /**
       * @description chatSetting must be one of: allow, disallow.
       * @enum {string|null}
       */
      chatSetting?: 'allow' | 'disallow' | null;
      /**
       * @description targetResolution must be one of: sd, hd, fhd, qhd, QnHD.
       * @enum {string|null}
       */
      targetResolution?: 'sd' | 'hd' | 'fhd' | 'qhd' | 'QnHD' | null;
      /** @description addCoHost must be true or false. */
      addCoHost?: boolean | null;
      /** @description enableAiNotes must be true or false. */
      enableAiNotes?: boolean | null;
      /** @description translationConfigNickName must be text of 1 to 64 characters. */
      translationConfigNickName?: string | null;
    };
    EventssettingsDeleteBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'delete';
      /** @description eventsSettingID must be the identifier of event settings. */
      eventsSettingID?: string | null;
      /**
       * @description type must be one of: conference, webinar, broadcast, chat.
       * @enum {string|null}
       */
      type?: 'conference' | 'webinar' | 'broadcast' | 'chat' | null;
    };
    EventsSetting: {
      eventsSettingID: string;
      /** @enum {string} */
      type: 'conference' | 'webinar' | 'broadcast' | 'chat';
      /** @enum {string} */
      audioSetting: 'allow' | 'approval' | 'disallow';
      /** @enum {string} */
      videoSetting: 'allow' | 'approval' | 'disallow';
      /** @enum {string} */
      screenshareSetting: 'allow' | 'approval' | 'disallow';
      /** @enum {string} */
      chatSetting: 'allow' | 'disallow';
      /** @enum {string} */
      targetResolution: 'sd' | 'hd' | 'fhd' | 'qhd' | 'QnHD';
      addCoHost: boolean;
      enableAiNotes: boolean;
      translationConfigNickName: string | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
    };
    RecordingsettingsCreateBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'create';
      /**
       * @description mediaOptions must be one of: video, audio.
       * @default video
       * @enum {string|null}
       */
      mediaOptions?: 'video' | 'audio' | null;
      /**
       * @description audioOptions must be one of: all, onScreen, host.
       * @default all
       * @enum {string|null}
       */
      audioOptions?: 'all' | 'onScreen' | 'host' | null;
      /**
       * @description videoOptions must be one of: all, mainScreen.
       * @default all
       * @enum {string|null}
       */
      videoOptions?: 'all' | 'mainScreen' | null;
      /**
       * @description videoType must be one of: fullDisplay, bestDisplay, all.
       * @default fullDisplay
       * @enum {string|null}
       */
      videoType?: 'fullDisplay' | 'bestDisplay' | 'all' | null;
      /**
       * @description videoOptimized must be true or false.
       * @default false
       */
      videoOptimized?: boolean | null;
      /**
       * @description recordingDisplayType must be one of: video, media, all.
       * @default media
       * @enum {string|null}
       */
      recordingDisplayType?: 'video' | 'media' | 'all' | null;
      /**
       * @description addHLS must be true or false.
       * @default false
       */
      addHLS?: boolean | null;
      /**
       * @description nameTags must be true or false.
       * @default true
       */
      nameTags?: boolean | null;
      /**
       * @description backgroundColor must be a colour such as #1a2b3c.
       * @default #000000
       */
      backgroundColor?: string | null;
      /**
       * @description nameTagsColor must be a colour such as #1a2b3c.
       * @default #ffffff
       */
      nameTagsColor?: string | null;
      /**
       * @description orientation must be one of: landscape, portrait, all.
       * @default landscape
       * @enum {string|null}
       */
      orientation?: 'landscape' | 'portrait' | 'all' | null;
      /**
       * @description maxDurationSeconds must be a whole number of seconds from 60 to 86400.
       * @default 86400
       */
      maxDurationSeconds?: number | null;
      /**
       * @description pausesLimit must be a whole number of pauses from 0 to 100.
       * @default 10
       */
      pausesLimit?: number | null;
      /**
       * @description retentionDays must be a whole number of days from 1 to 3650.
       * @default 30
       */
      retentionDays?: number | null;
    };
    RecordingsettingsUpdateBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'update';
      /** @description recordingSettingID must be the identifier of recording settings. */
      recordingSettingID?: string | null;
      /**
       * @description mediaOptions must be one of: video, audio.
       * @enum {string|null}
       */
      mediaOptions?: 'video' | 'audio' | null;
      /**
       * @description audioOptions must be one of: all, onScreen, host.
       * @enum {string|null}
       */
      audioOptions?: 'all' | 'onScreen' | 'host' | null;
      /**
       * @description videoOptions must be one of: all, mainScreen.
       * @enum {string|null}
       */
      videoOptions?: 'all' | 'mainScreen' | null;
      /**
       * @description videoType must be one of: fullDisplay, bestDisplay, all.
       * @enum {string|null}
       */
      videoType?: 'fullDisplay' | 'bestDisplay' | 'all' | null;
      /** @description videoOptimized must be true or false. */
      videoOptimized?: boolean | null;
      /**
       * @description recordingDisplayType must be one of: video, media, all.
       * @enum {string|null}
       */
      recordingDisplayType?: 'video' | 'media' | 'all' | null;
      /** @description addHLS must be true or false. */
      addHLS?: boolean | null;
      /** @description nameTags must be true or false. */
      nameTags?: boolean | null;
      /** @description backgroundColor must be a colour such as #1a2b3c. */
      backgroundColor?: string | null;
      /** @description nameTagsColor must be a colour such as #1a2b3c. */
      nameTagsColor?: string | null;
      /**
       * @description orientation must be one of: landscape, portrait, all.
       * @enum {string|null}
       */
      orientation?: 'landscape' | 'portrait' | 'all' | null;
      /** @description maxDurationSeconds must be a whole number of seconds from 60 to 86400. */
      maxDurationSeconds?: number | null;
      /** @description pausesLimit must be a whole number of pauses from 0 to 100. */
      pausesLimit?: number | null;
      /** @description retentionDays must be a whole number of days from 1 to 3650. */
      retentionDays?: number | null;
    };
    RecordingSetting: {
      recordingSettingID: string;
      /** @enum {string} */
      mediaOptions: 'video' | 'audio';
      /** @enum {string} */
      audioOptions: 'all' | 'onScreen' | 'host';
      /** @enum {string} */
      videoOptions: 'all' | 'mainScreen';
      /** @enum {string} */
      videoType: 'fullDisplay' | 'bestDisplay' | 'all';
      videoOptimized: boolean;
      /** @enum {string} */
      recordingDisplayType: 'video' | 'media' | 'all';
      addHLS: boolean;
      nameTags: boolean;
      backgroundColor: string;
      nameTagsColor: string;
      /** @enum {string} */
      orientation: 'landscape' | 'portrait' | 'all';
      maxDurationSeconds: number;
      pausesLimit: number;
      retentionDays: number;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
    };
    MeetingsExternalSessionsCreateBody: {
      /** @description displayName must be text of 1 to 64 characters. */
      displayName: string;
      /** @description ingest must be an object with protocol and tracks. */
      ingest: {
        /**
         * @description protocol must be one of: whip, service-webrtc.
         * @enum {string}
         */
        protocol: 'whip' | 'service-webrtc';
        /** @description tracks must be a list of video, audio or both, each at most once. */
        tracks: ('video' | 'audio')[];
      };
    };
    ExternalSession: {
      sessionID: string;
      meetingID: string;
      participantID: string;
      displayName: string;
      /** @enum {string} */
      state: 'pending' | 'active' | 'ended' | 'failed';
      ingest: {
        /** @enum {string} */
        protocol: 'whip' | 'service-webrtc';
        tracks: ('video' | 'audio')[];
        url?: string | null;
        token?: string;
        /** Format: date-time */
        tokenExpiresAt?: string;
        join?: components['schemas']['JoinTicket'];
      };
      tracks: {
        trackID: string;
        /** @enum {string} */
        kind: 'video' | 'audio';
        codec: string;
        /** @enum {string} */
        state: 'live' | 'paused' | 'ended';
      }[];
      health: (
        | 'b_frames'
        | 'long_keyframe_interval'
        | 'no_keyframe_requests'
        | 'profile_mismatch'
        | 'silence'
        | 'high_loss'
        | 'clock_drift'
        | 'picture_too_large'
      )[];
      keyframeIntervalSeconds: number | null;
      /** Format: date-time */
      createdAt: string;
      activatedAt: string | null;
      endedAt: string | null;
      endReason:
        | (
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
          )
        | null;
      /** @description The `reason` that the DELETE had, null when it had none. */
      reason: string | null;
    };
    MeetingsExternalSessionsRenewTokenBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'renewToken';
    };
    MeetingsExternalSessionsEndBody: {
      /** @description reason must be text of at most 256 characters. */
      reason?: string | null;
    };
    MeetingsExternalSessionsTracksPauseBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'pause';
    };
    MeetingsExternalSessionsTracksResumeBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'resume';
    };
    MeetingsExternalSessionsTracksRequestKeyframeBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'requestKeyframe';
    };
    MeetingsExternalSessionsTracksCloseBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'close';
    };
    MeetingsPlaybacksCreateBody: {
      /** @description sourceSessionID must be the identifier of an external session. */
      sourceSessionID: string;
      /** @description tracks must be a list of video, audio or both, each at most once. */
      tracks: ('video' | 'audio')[];
      /**
       * @description payloadMatching must be one of: fixed, adaptive.
       * @default fixed
       * @enum {string|null}
       */
      payloadMatching?: 'fixed' | 'adaptive' | null;
    };
    Playback: {
      playbackID: string;
      meetingID: string;
      sourceSessionID: string;
      tracks: ('video' | 'audio')[];
      /** @enum {string} */
      state: 'ready' | 'active' | 'ended';
      endpoint: string | null;
      token?: string;
      /** Format: date-time */
      tokenExpiresAt?: string;
      /** @enum {string} */
      payloadMatching: 'fixed' | 'adaptive';
      payloadProfile: {
        codecs: {
          /** @enum {string} */
          kind: 'video' | 'audio';
          mimeType: string;
          payloadType: number;
          clockRate: number;
          channels?: number;
          parameters: {
            [key: string]: string | number;
          };
          rtxPayloadType?: number;
        }[];
      } | null;
      viewerCount: number;
      /** Format: date-time */
      createdAt: string;
      activatedAt: string | null;
      endedAt: string | null;
      endReason:
        | (
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
          )
        | null;
      /** @description The `reason` that the DELETE had, null when it had none. */
      reason: string | null;
    };
    MeetingsPlaybacksEndBody: {
      /** @description reason must be text of at most 256 characters. */
      reason?: string | null;
    };
    MeetingsBroadcastsCreateBody: {
      /** @description sourceSessionID must be the identifier of an external session. */
      sourceSessionID?: string | null;
      /** @description sourceParticipantID must be the identifier of a participant. */
      sourceParticipantID?: string | null;
    };
    Broadcast: {
      broadcastID: string;
      meetingID: string;
      sourceSessionID: string | null;
      sourceParticipantID: string | null;
      /** @enum {string} */
      state: 'starting' | 'active' | 'interrupted' | 'ended' | 'failed';
      renditions: {
        name: string;
        width: number;
        height: number;
        frameRate: number;
        videoBitrate: number;
        audioBitrate: number;
        codecs: string;
      }[];
      playbackUrl: string | null;
      playbackTokenExpiresAt: string | null;
      /** Format: date-time */
      createdAt: string;
      activatedAt: string | null;
      endedAt: string | null;
      endReason:
        | (
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
          )
        | null;
      /** @description The `reason` that the DELETE had, null when it had none. */
      reason: string | null;
    };
    MeetingsBroadcastsEndBody: {
      /** @description reason must be text of at most 256 characters. */
      reason?: string | null;
    };
    Balance: {
      sandbox: components['schemas']['Minutes'];
      production: components['schemas']['Minutes'];
    };
    Minutes: {
      meetingMinutes: number;
      recordingMinutes: number;
    };
    Recording: {
      recordingID: string;
      meetingID: string;
      source: {
        sessionID: string | null;
        participantID: string | null;
      };
      /** @enum {string} */
      state: 'starting' | 'recording' | 'processing' | 'ready' | 'failed';
      /** Format: date-time */
      createdAt: string;
      startedAt: string | null;
      endedAt: string | null;
      endReason:
        | (
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
          )
        | null;
      durationSeconds: number | null;
      sizeBytes: number | null;
      format: string | null;
      width: number | null;
      height: number | null;
      checksumSha256: string | null;
      expiresAt: string | null;
      previousRecordingID: string | null;
      downloadUrl: string | null;
      downloadUrlExpiresAt: string | null;
    };
    RecordingsStartBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'start';
      /** @description meetingID must be the identifier of a room. */
      meetingID: string;
      /** @description sourceSessionID must be the identifier of an external session. */
      sourceSessionID?: string | null;
      /** @description sourceParticipantID must be the identifier of a participant. */
      sourceParticipantID?: string | null;
    };
    RecordingsStopBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'stop';
      /** @description recordingID must be the identifier of a recording. */
      recordingID: string;
    };
    RecordingsDeleteBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'delete';
      /** @description recordingID must be the identifier of a recording. */
      recordingID: string;
    };
    RoomLog: {
      logID: string;
      /** @constant */
      kind: 'room';
      meetingID: string;
      roomName: string | null;
      eventType: string;
      /** @enum {string} */
      keyType: 'sandbox' | 'production';
      hostName: string;
      /** @enum {string} */
      state: 'active' | 'ended';
      /** Format: date-time */
      startedAt: string;
      endedAt: string | null;
      endReason:
        | (
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
          )
        | null;
      durationSeconds: number;
      participantCount: number;
      externalSessionCount: number;
      participantSeconds: number;
      recordingSeconds: number;
    };
    RecordingLog: {
      recordingID: string;
      meetingID: string;
      source: {
        sessionID: string | null;
        participantID: string | null;
      };
      /** @enum {string} */
      state: 'starting' | 'recording' | 'processing' | 'ready' | 'failed';
      /** Format: date-time */
      createdAt: string;
      startedAt: string | null;
      endedAt: string | null;
      endReason:
        | (
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
          )
        | null;
      durationSeconds: number | null;
      sizeBytes: number | null;
      format: string | null;
      width: number | null;
      height: number | null;
      checksumSha256: string | null;
      expiresAt: string | null;
      previousRecordingID: string | null;
      downloadUrl: string | null;
      downloadUrlExpiresAt: string | null;
      logID: string;
      /** @constant */
      kind: 'recording';
      deletedAt: string | null;
    };
    MessageLog: {
      logID: string;
      /** @constant */
      kind: 'message';
      meetingID: string;
      senderID: string;
      recipientID: string | null;
      message: string;
      /** Format: date-time */
      sentAt: string;
    };
    SipCallLog: {
      logID: string;
      meetingID: string | null;
      /** @enum {string} */
      direction: 'incoming' | 'outgoing';
      callerNumber: string;
      calleeNumber: string;
      state: string;
      transcript: {
        speaker: string;
        text: string;
        at: string;
      }[];
      summary: string | null;
      callbackState: string | null;
      /** Format: date-time */
      startedAt: string;
      answeredAt: string | null;
      endedAt: string | null;
    };
    AicredentialsCreateBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'create';
      /** @description nickName must be text of 1 to 64 characters. */
      nickName: string;
      /**
       * @description kind must be one of: stt, llm, tts, realtime.
       * @enum {string}
       */
      kind: 'stt' | 'llm' | 'tts' | 'realtime';
      /** @description provider must be text of 1 to 64 characters. */
      provider: string;
      /** @description model must be text of 1 to 128 characters. */
      model?: string | null;
      /** @description apiKey must be text of 1 to 4096 characters. */
      apiKey: string;
      /** @description baseUrl must be an https address of at most 2048 characters, without a password. */
      baseUrl?: string | null;
      /** @description options must be an object of at most 4 KiB. */
      options?: Record<string, never> | null;
    };
    AicredentialsUpdateBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'update';
      /** @description aiCredentialID must be the identifier of an AI credential. */
      aiCredentialID: string;
      /** @description nickName must be text of 1 to 64 characters. */
      nickName?: string | null;
      /**
       * @description kind must be one of: stt, llm, tts, realtime.
       * @enum {string|null}
       */
      kind?: 'stt' | 'llm' | 'tts' | 'realtime' | null;
      /** @description provider must be text of 1 to 64 characters. */
      provider?: string | null;
      /** @description model must be text of 1 to 128 characters. */
      model?: string | null;
      /** @description apiKey must be text of 1 to 4096 characters. */
      apiKey?: string | null;
      /** @description baseUrl must be an https address of at most 2048 characters, without a password. With another host the apiKey must be given again: the stored one is never sent to a new host. */
      baseUrl?: string | null;
      /** @description options must be an object of at most 4 KiB. */
      options?: Record<string, never> | null;
    };
    AicredentialsDeleteBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'delete';
      /** @description aiCredentialID must be the identifier of an AI credential. */
      aiCredentialID: string;
    };
    AiCredential: {
      aiCredentialID: string;
      nickName: string;
      /** @enum {string} */
      kind: 'stt' | 'llm' | 'tts' | 'realtime';
      provider: string;
      model: string | null;
      maskedApiKey: string;
      baseUrl: string | null;
      options: {
        [key: string]: unknown;
      };
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
    };
    TranslationconfigsCreateBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'create';
      /** @description nickName must be text of 1 to 64 characters. */
      nickName: string;
      /** @description sttNickName must be text of 1 to 64 characters. */
      sttNickName: string;
      /** @description llmNickName must be text of 1 to 64 characters. */
      llmNickName: string;
      /**
       * @description ttsNickName must be text of 1 to 64 characters.
       * @default null
       */
      ttsNickName?: string | null;
      /**
       * @description spokenLanguages must be a list of at most 64 languages such as en or pt-BR.
       * @default []
       */
      spokenLanguages?: string[] | null;
      /**
       * @description listenLanguages must be a list of at most 64 languages such as en or pt-BR.
       * @default []
       */
      listenLanguages?: string[] | null;
      /**
       * @description outputMode must be one of: audio, text. Left out: audio with a ttsNickName, else text.
       * @enum {string|null}
       */
      outputMode?: 'audio' | 'text' | null;
      /** @description autoDetectSpokenLanguage must be true or false. Left out: true without spokenLanguages, else false. */
      autoDetectSpokenLanguage?: boolean | null;
    };
    TranslationconfigsUpdateBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'update';
      /** @description translationConfigID must be the identifier of a translation config. */
      translationConfigID: string;
      /** @description nickName must be text of 1 to 64 characters. */
      nickName?: string | null;
      /** @description sttNickName must be text of 1 to 64 characters. */
      sttNickName?: string | null;
      /** @description llmNickName must be text of 1 to 64 characters. */
      llmNickName?: string | null;
      /** @description ttsNickName must be text of 1 to 64 characters. */
      ttsNickName?: string | null;
      /** @description spokenLanguages must be a list of at most 64 languages such as en or pt-BR. */
      spokenLanguages?: string[] | null;
      /** @description listenLanguages must be a list of at most 64 languages such as en or pt-BR. */
      listenLanguages?: string[] | null;
      /**
       * @description outputMode must be one of: audio, text.
       * @enum {string|null}
       */
      outputMode?: 'audio' | 'text' | null;
      /** @description autoDetectSpokenLanguage must be true or false. */
      autoDetectSpokenLanguage?: boolean | null;
    };
    TranslationconfigsDeleteBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'delete';
      /** @description translationConfigID must be the identifier of a translation config. */
      translationConfigID: string;
    };
    TranslationConfig: {
      translationConfigID: string;
      nickName: string;
      sttNickName: string;
      llmNickName: string;
      ttsNickName: string | null;
      spokenLanguages: string[];
      listenLanguages: string[];
      /** @enum {string} */
      outputMode: 'audio' | 'text';
      autoDetectSpokenLanguage: boolean;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
    };
    AgentsCreateBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'create';
      /** @description name must be text of 1 to 128 characters. */
      name: string;
      /** @description role must be text of 1 to 128 characters. */
      role?: string | null;
      /**
       * @description instructions must be text of at most 4096 characters.
       * @default
       */
      instructions?: string | null;
      /** @description firstMessage must be text of at most 2000 characters. */
      firstMessage?: string | null;
      /**
       * @description speaksFirst must be true or false.
       * @default true
       */
      speaksFirst?: boolean | null;
      /**
       * @description temperature must be a number from 0 to 1.
       * @default 0.7
       */
      temperature?: number | null;
      /** @description responseGuidelines must be text of at most 4096 characters. */
      responseGuidelines?: string | null;
      /**
       * @description maxSessionMinutes must be a whole number of minutes from 1 to 120.
       * @default 30
       */
      maxSessionMinutes?: number | null;
      /** @description webhookUrl must be an https address of at most 2048 characters, without a password. */
      webhookUrl?: string | null;
      /**
       * @description todo must be a list of at most 100 texts.
       * @default []
       */
      todo?: string[] | null;
      /** @description reference must be an object. */
      reference?: {
        /** @description provider must be text of 1 to 128 characters. */
        provider?: string | null;
        /** @description model must be text of 1 to 128 characters. */
        model?: string | null;
        /** @description voice must be text of 1 to 128 characters. */
        voice?: string | null;
        /** @description transcriber must be text of 1 to 128 characters. */
        transcriber?: string | null;
        /** @description language must be text of 1 to 64 characters. */
        language?: string | null;
      } | null;
    };
    AgentsUpdateBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'update';
      /** @description agentID must be the identifier of an agent. */
      agentID: string;
      /** @description name must be text of 1 to 128 characters. */
      name?: string | null;
      /** @description role must be text of 1 to 128 characters. */
      role?: string | null;
      /** @description instructions must be text of at most 4096 characters. */
      instructions?: string | null;
      /** @description firstMessage must be text of at most 2000 characters. */
      firstMessage?: string | null;
      /** @description speaksFirst must be true or false. */
      speaksFirst?: boolean | null;
      /** @description temperature must be a number from 0 to 1. */
      temperature?: number | null;
      /** @description responseGuidelines must be text of at most 4096 characters. */
      responseGuidelines?: string | null;
      /** @description maxSessionMinutes must be a whole number of minutes from 1 to 120. */
      maxSessionMinutes?: number | null;
      /** @description webhookUrl must be an https address of at most 2048 characters, without a password. */
      webhookUrl?: string | null;
      /** @description todo must be a list of at most 100 texts. */
      todo?: string[] | null;
      /** @description reference must be an object. */
      reference?: {
        /** @description provider must be text of 1 to 128 characters. */
        provider?: string | null;
        /** @description model must be text of 1 to 128 characters. */
        model?: string | null;
        /** @description voice must be text of 1 to 128 characters. */
        voice?: string | null;
        /** @description transcriber must be text of 1 to 128 characters. */
        transcriber?: string | null;
        /** @description language must be text of 1 to 64 characters. */
        language?: string | null;
      } | null;
    };
    AgentsDeleteBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'delete';
      /** @description agentID must be the identifier of an agent. */
      agentID: string;
    };
    Agent: {
      agentID: string;
      name: string;
      role: string;
      instructions: string;
      firstMessage: string | null;
      speaksFirst: boolean;
      temperature: number;
      responseGuidelines: string | null;
      maxSessionMinutes: number;
      webhookUrl: string | null;
      todo: string[];
      reference: {
        provider: string | null;
        model: string | null;
        voice: string | null;
        transcriber: string | null;
        language: string | null;
      };
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
    };
    SipconfigsCreateBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'create';
      /** @description contactNumber must be a telephone number such as +14155550100. */
      contactNumber: string;
      /** @description provider must be text of 1 to 64 characters. */
      provider?: string | null;
      /**
       * @description supportSipActive must be true or false.
       * @default true
       */
      supportSipActive?: boolean | null;
      /**
       * @description allowOutgoing must be true or false.
       * @default true
       */
      allowOutgoing?: boolean | null;
      /**
       * @description audioOnly must be true or false.
       * @default false
       */
      audioOnly?: boolean | null;
      /**
       * @description autoRecordSip must be true or false.
       * @default false
       */
      autoRecordSip?: boolean | null;
      /**
       * @description preferPCMA must be true or false.
       * @default false
       */
      preferPCMA?: boolean | null;
      /**
       * @description allowedIPs must be a list of at most 64 networks such as 192.0.2.0/24.
       * @default []
       */
      allowedIPs?: string[] | null;
      /** @description peer must be an object with a host. */
      peer?: {
        /** @description host must be a host name or an IP address. */
        host: string;
        /**
         * @description port must be a whole number from 1 to 65535.
         * @default 5060
         */
        port?: number | null;
        /**
         * @description transport must be one of: UDP, TCP, TLS.
         * @default UDP
         * @enum {string|null}
         */
        transport?: 'UDP' | 'TCP' | 'TLS' | null;
        /**
         * @description register must be true or false.
         * @default false
         */
        register?: boolean | null;
        /** @description username must be text of 1 to 128 characters. */
        username?: string | null;
        /** @description password must be text of 1 to 256 characters. */
        password?: string | null;
      } | null;
      /** @description backupPeer must be an object with a host. */
      backupPeer?: {
        /** @description host must be a host name or an IP address. */
        host: string;
        /**
         * @description port must be a whole number from 1 to 65535.
         * @default 5060
         */
        port?: number | null;
        /**
         * @description transport must be one of: UDP, TCP, TLS.
         * @default UDP
         * @enum {string|null}
         */
        transport?: 'UDP' | 'TCP' | 'TLS' | null;
        /**
         * @description register must be true or false.
         * @default false
         */
        register?: boolean | null;
        /** @description username must be text of 1 to 128 characters. */
        username?: string | null;
        /** @description password must be text of 1 to 256 characters. */
        password?: string | null;
      } | null;
      /** @description agentID must be text of 1 to 64 characters. */
      agentID?: string | null;
    };
    SipconfigsUpdateBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'update';
      /** @description sipConfigID must be the identifier of a SIP configuration. */
      sipConfigID: string;
      /** @description contactNumber must be a telephone number such as +14155550100. */
      contactNumber?: string | null;
      /** @description provider must be text of 1 to 64 characters. */
      provider?: string | null;
      /** @description supportSipActive must be true or false. */
      supportSipActive?: boolean | null;
      /** @description allowOutgoing must be true or false. */
      allowOutgoing?: boolean | null;
      /** @description audioOnly must be true or false. */
      audioOnly?: boolean | null;
      /** @description autoRecordSip must be true or false. */
      autoRecordSip?: boolean | null;
      /** @description preferPCMA must be true or false. */
      preferPCMA?: boolean | null;
      /** @description allowedIPs must be a list of at most 64 networks such as 192.0.2.0/24. */
      allowedIPs?: string[] | null;
      /** @description peer must be an object with a host. */
      peer?: {
        /** @description host must be a host name or an IP address. */
        host: string;
        /** @description port must be a whole number from 1 to 65535. */
        port?: number | null;
        /**
         * @description transport must be one of: UDP, TCP, TLS.
         * @enum {string|null}
         */
        transport?: 'UDP' | 'TCP' | 'TLS' | null;
        /** @description register must be true or false. */
        register?: boolean | null;
        /** @description username must be text of 1 to 128 characters. */
        username?: string | null;
        /** @description password must be text of 1 to 256 characters. */
        password?: string | null;
      } | null;
      /** @description backupPeer must be an object with a host. */
      backupPeer?: {
        /** @description host must be a host name or an IP address. */
        host: string;
        /** @description port must be a whole number from 1 to 65535. */
        port?: number | null;
        /**
         * @description transport must be one of: UDP, TCP, TLS.
         * @enum {string|null}
         */
        transport?: 'UDP' | 'TCP' | 'TLS' | null;
        /** @description register must be true or false. */
        register?: boolean | null;
        /** @description username must be text of 1 to 128 characters. */
        username?: string | null;
        /** @description password must be text of 1 to 256 characters. */
        password?: string | null;
      } | null;
      /** @description agentID must be text of 1 to 64 characters. */
      agentID?: string | null;
    };
    SipconfigsDeleteBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'delete';
      /** @description sipConfigID must be the identifier of a SIP configuration. */
      sipConfigID: string;
    };
    SipConfig: {
      sipConfigID: string;
      contactNumber: string;
      provider: string | null;
      supportSipActive: boolean;
      allowOutgoing: boolean;
      audioOnly: boolean;
      autoRecordSip: boolean;
      preferPCMA: boolean;
      allowedIPs: string[];
      peer: components['schemas']['SipPeer'] | null;
      backupPeer: components['schemas']['SipPeer'] | null;
      agentID: string | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
    };
    SipPeer: {
      host: string;
      port: number;
      /** @enum {string} */
      transport: 'UDP' | 'TCP' | 'TLS';
      register: boolean;
      username: string | null;
      maskedPassword: string | null;
    };
    DisposableKeysCreateBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'create';
      /** @description name must be text of 1 to 64 characters. */
      name: string;
      /**
       * @description type must be one of: sandbox, production.
       * @enum {string}
       */
      type: 'sandbox' | 'production';
      /**
       * @description validityDays must be a whole number of days from 1 to 3650, or null for no end. Null: the key never expires.
       * @default null
       */
      validityDays?: number | null;
      /** @description operations must be a list of at least one of these, none twice: createRoom, joinRoom, readRooms, manageRooms, ingestMedia, playMedia, broadcastMedia, readRecordings, manageRecordings, readSettings, manageSettings, readBalance, readLogs, manageSubUsers, manageDomains, manageKeys, manageAiCredentials, manageSip, manageTranslation, manageAgents, manageWebhooks. */
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
       * @description domains must be a list of 1 to 100 different host names. Null: the key is not narrowed to some of the hosts that its type allows.
       * @default null
       */
      domains?: string[] | null;
      /**
       * @description meetingIDs must be a list of 1 to 100 different identifiers of rooms. The only rooms that the key reaches. Null: all rooms of its environment.
       * @default null
       */
      meetingIDs?: string[] | null;
      /**
       * @description maxRole must be one of: host, cohost, participant, viewer. The highest role that somebody acts with by the key. Below participant, it opens no external session. Null: any role.
       * @default null
       * @enum {string|null}
       */
      maxRole?: 'host' | 'cohost' | 'participant' | 'viewer' | null;
    };
    DisposableKeysUpdateBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'update';
      /** @description keyID must be the identifier of a disposable key. */
      keyID: string;
      /** @description name must be text of 1 to 64 characters. */
      name?: string | null;
      /** @description validityDays must be a whole number of days from 1 to 3650, or null for no end. */
      validityDays?: number | null;
      /** @description operations must be a list of at least one of these, none twice: createRoom, joinRoom, readRooms, manageRooms, ingestMedia, playMedia, broadcastMedia, readRecordings, manageRecordings, readSettings, manageSettings, readBalance, readLogs, manageSubUsers, manageDomains, manageKeys, manageAiCredentials, manageSip, manageTranslation, manageAgents, manageWebhooks. */
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
      /** @description domains must be a list of 1 to 100 different host names. */
      domains?: string[] | null;
      /** @description meetingIDs must be a list of 1 to 100 different identifiers of rooms. The only rooms that the key reaches. Null: all rooms of its environment. */
      meetingIDs?: string[] | null;
      /**
       * @description maxRole must be one of: host, cohost, participant, viewer. The highest role that somebody acts with by the key. Below participant, it opens no external session. Null: any role.
       * @enum {string|null}
       */
      maxRole?: 'host' | 'cohost' | 'participant' | 'viewer' | null;
    };
    DisposableKeysDeleteBody: {
      /**
       * @description Which action is wanted.
       * @constant
       */
      action: 'delete';
      /** @description keyID must be the identifier of a disposable key. */
      keyID: string;
    };
    IssuedDisposableKey: {
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
      usage: {
        /** @enum {string} */
        operation:
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
        requestCount: number;
        /** Format: date-time */
        lastUsedAt: string;
      }[];
      apiUserName: string;
      apiKey: string;
    };
    DetailedDisposableKey: {
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
      usage: {
        /** @enum {string} */
        operation:
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
        requestCount: number;
        /** Format: date-time */
        lastUsedAt: string;
      }[];
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
