/** Made from the gateway's OpenAPI document by `npm run build`; do not edit. */
export interface paths {
  '/v1/domains#create': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Register a domain
     * @description The key needs the operation `manageDomains`.
     */
    post: operations['createDomain'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains#update': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Change a domain
     * @description Changes only the fields that are sent. The key needs the operation `manageDomains`.
     */
    post: operations['updateDomain'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains#delete': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Delete a domain
     * @description Repeating the deletion gives the same answer. The key needs the operation `manageDomains`.
     */
    post: operations['deleteDomain'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains#get': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read one domain or list domains
     * @description With `domainID`, answers that domain. Without it, lists all domains, newest first. The key needs the operation `manageDomains`.
     */
    get: operations['getDomains'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subusers#create': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a sub-user
     * @description This answer alone contains the keys of the sub-user. Store them. The key needs the operation `manageSubUsers`.
     */
    post: operations['createSubUser'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subusers#update': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Change a sub-user
     * @description Changes only the fields that are sent. The key needs the operation `manageSubUsers`.
     */
    post: operations['updateSubUser'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subusers#rotateKey': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Replace a key of a sub-user
     * @description This answer alone contains the new key. Store it. The key needs the operation `manageSubUsers`.
     */
    post: operations['rotateSubUserKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subusers#disableKey': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Disable a key of a sub-user
     * @description The service refuses the key from the next request on, until the key is enabled again. The key needs the operation `manageSubUsers`.
     */
    post: operations['disableSubUserKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subusers#enableKey': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Enable a key of a sub-user
     * @description The key needs the operation `manageSubUsers`.
     */
    post: operations['enableSubUserKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subusers#deleteKey': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Revoke a key of a sub-user
     * @description Revocation is final. The record of the key remains for the retention time. Revoking the key again changes nothing. The key needs the operation `manageSubUsers`.
     */
    post: operations['deleteSubUserKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subusers#delete': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Delete a sub-user
     * @description The service refuses all keys of the sub-user from the next request on. Repeating the deletion gives the same answer. The key needs the operation `manageSubUsers`.
     */
    post: operations['deleteSubUser'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subusers#get': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read one sub-user or list sub-users
     * @description With `subUserID`, answers that sub-user and its keys. Without it, lists all sub-users, newest first. The key needs the operation `manageSubUsers`.
     */
    get: operations['getSubUsers'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/disposable-keys#create': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a disposable key
     * @description This answer alone contains the key itself. Store it. The key needs the operation `manageKeys`.
     */
    post: operations['createDisposableKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/disposable-keys#update': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Change a disposable key
     * @description Changes only the fields that are sent. The key needs the operation `manageKeys`.
     */
    post: operations['updateDisposableKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/disposable-keys#delete': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Revoke a disposable key
     * @description The service refuses the key from the next request on. The record of the key remains. The key needs the operation `manageKeys`.
     */
    post: operations['deleteDisposableKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/disposable-keys#get': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read one disposable key or list them
     * @description With `keyID`, answers that key and its usage for each operation. Without it, lists the keys, newest first. The key needs the operation `manageKeys`.
     */
    get: operations['getDisposableKeys'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/balance#get': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the remaining minutes
     * @description The key needs the operation `readBalance`.
     */
    get: operations['getBalance'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/audit-log': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List administrative actions of the account
     * @description Newest first: the actor, the action, the time and the address. The key needs the operation `readLogs`.
     */
    get: operations['listAuditLog'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/agents#create': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create an agent
     * @description The key needs the operation `manageAgents`.
     */
    post: operations['createAgent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/agents#update': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Change an agent
     * @description Changes only the fields that are sent. The key needs the operation `manageAgents`.
     */
    post: operations['updateAgent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/agents#delete': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Delete an agent
     * @description Remove the agent from all SIP configurations first. Repeating the deletion gives the same answer. The key needs the operation `manageAgents`.
     */
    post: operations['deleteAgent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/agents#get': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read one agent or list agents
     * @description With `agentID`, answers that agent. Without it, lists all agents, newest first. The key needs the operation `manageAgents`.
     */
    get: operations['getAgents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/aicredentials#create': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create an AI credential
     * @description Answers contain the masked key only. The key needs the operation `manageAiCredentials`.
     */
    post: operations['createAiCredential'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/aicredentials#update': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Change an AI credential
     * @description Changes only the fields that are sent. The key needs the operation `manageAiCredentials`.
     */
    post: operations['updateAiCredential'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/aicredentials#delete': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Delete an AI credential
     * @description Remove the credential from translation configurations and agents first. Repeating the deletion gives the same answer. The key needs the operation `manageAiCredentials`.
     */
    post: operations['deleteAiCredential'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/aicredentials#get': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read one AI credential or list them
     * @description With `aiCredentialID`, answers that credential. Without it, lists all credentials, newest first. The key needs the operation `manageAiCredentials`.
     */
    get: operations['getAiCredentials'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/eventssettings#create': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create event settings for a room type
     * @description The key needs the operation `manageSettings`.
     */
    post: operations['createEventSetting'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/eventssettings#update': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Change event settings
     * @description Changes only the fields that are sent. Existing rooms keep their settings. The key needs the operation `manageSettings`.
     */
    post: operations['updateEventSetting'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/eventssettings#delete': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Delete event settings
     * @description New rooms of that type use the defaults again. Repeating the deletion gives the same answer. The key needs the operation `manageSettings`.
     */
    post: operations['deleteEventSetting'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/eventssettings#get': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read one record of event settings or list them
     * @description With `eventsSettingID`, answers that record. Without it, lists all records, newest first. The key needs the operation `readSettings`.
     */
    get: operations['getEventSettings'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/recordingsettings#create': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create the recording settings
     * @description An account has one record at most. The key needs the operation `manageSettings`.
     */
    post: operations['createRecordingSetting'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/recordingsettings#update': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Change the recording settings
     * @description Changes only the fields that are sent. The key needs the operation `manageSettings`.
     */
    post: operations['updateRecordingSetting'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/recordingsettings#get': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read or list the recording settings
     * @description With `recordingSettingID`, answers that record. Without it, answers a list of at most one record. The key needs the operation `readSettings`.
     */
    get: operations['getRecordingSettings'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sipconfigs#create': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a SIP configuration
     * @description Answers contain no password. The key needs the operation `manageSip`.
     */
    post: operations['createSipConfig'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sipconfigs#update': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Change a SIP configuration
     * @description Changes only the fields that are sent. The key needs the operation `manageSip`.
     */
    post: operations['updateSipConfig'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sipconfigs#delete': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Delete a SIP configuration
     * @description Repeating the deletion gives the same answer. The key needs the operation `manageSip`.
     */
    post: operations['deleteSipConfig'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sipconfigs#get': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read one SIP configuration or list them
     * @description With `sipConfigID`, answers that configuration. Without it, lists all configurations, newest first. The key needs the operation `manageSip`.
     */
    get: operations['getSipConfigs'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/translationconfigs#create': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a translation configuration
     * @description The key needs the operation `manageTranslation`.
     */
    post: operations['createTranslationConfig'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/translationconfigs#update': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Change a translation configuration
     * @description Changes only the fields that are sent. The key needs the operation `manageTranslation`.
     */
    post: operations['updateTranslationConfig'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/translationconfigs#delete': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Delete a translation configuration
     * @description Remove the configuration from event settings first. Repeating the deletion gives the same answer. The key needs the operation `manageTranslation`.
     */
    post: operations['deleteTranslationConfig'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/translationconfigs#get': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read one translation configuration or list them
     * @description With `translationConfigID`, answers that configuration. Without it, lists all configurations, newest first. The key needs the operation `manageTranslation`.
     */
    get: operations['getTranslationConfigs'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/rooms#create': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a room
     * @description Answers the room and the join ticket of its host. The key needs the operation `createRoom`.
     */
    post: operations['createRoom'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/rooms#join': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Join a room
     * @description Answers the participant and the ticket with which the participant connects to the room. The key needs the operation `joinRoom`.
     */
    post: operations['joinRoom'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/rooms#update': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Change a room
     * @description Changes only the fields that are sent. The key needs the operation `manageRooms`.
     */
    post: operations['updateRoom'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/rooms#end': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * End a room
     * @description Disconnects the participants and ends all media of the room. Ending an ended room changes nothing. The key needs the operation `manageRooms`.
     */
    post: operations['endRoom'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/rooms#delete': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * End a room (same as `end`)
     * @description The key needs the operation `manageRooms`.
     */
    post: operations['deleteRoom'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/rooms#get': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read one room or list rooms
     * @description With `meetingID`, answers that room. Without it, lists the rooms of the key’s environment, newest first. The key needs the operation `readRooms`.
     */
    get: operations['getRooms'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/meetings/{meetingID}/external-sessions/{sessionID}/participant-state': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read an external session as a participant
     * @description Answers its media, recent chat, polls, and its breakout room and whiteboard. The key needs the operation `ingestMedia`.
     */
    get: operations['getParticipantState'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/meetings/{meetingID}/external-sessions/{sessionID}/participant-actions#poll.vote': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Vote in a poll as the external session
     * @description The key needs the operation `ingestMedia`.
     */
    post: operations['votePoll'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/meetings/{meetingID}/external-sessions/{sessionID}/participant-actions#chat.send': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a chat message as the external session
     * @description The key needs the operation `ingestMedia`.
     */
    post: operations['sendChatMessage'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/meetings/{meetingID}/external-sessions/{sessionID}/participant-actions#participant.request': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a request to the host as the external session
     * @description The key needs the operation `ingestMedia`.
     */
    post: operations['sendParticipantRequest'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/meetings/{meetingID}/external-sessions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the external sessions of a room
     * @description Newest first. The key needs the operation `ingestMedia` or `readRooms`.
     */
    get: operations['listExternalSessions'];
    put?: never;
    /**
     * Create an external session
     * @description With `whip`, answers the ingest URL and a short-lived ingest token. With `srt`, `rtmp` and `rtmps`, answers an address and a secret. Used before `tokenExpiresAt`, the secret is valid as long as the session. The key needs the operation `ingestMedia`.
     */
    post: operations['createExternalSession'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/meetings/{meetingID}/external-sessions/{sessionID}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read an external session
     * @description Read the session until it is `active` and lists the expected tracks, then create a playback or a broadcast. The key needs the operation `ingestMedia` or `readRooms`.
     */
    get: operations['getExternalSession'];
    put?: never;
    post?: never;
    /**
     * End an external session
     * @description End the playbacks, broadcasts and restreams of the session first. Repeating the deletion is safe. The key needs the operation `ingestMedia`.
     */
    delete: operations['deleteExternalSession'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/meetings/{meetingID}/external-sessions/{sessionID}#renewToken': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Issue a new ingest token or stream key
     * @description With `whip`, call this before the current ingest token expires. With `srt`, `rtmp` and `rtmps`, replaces address and key. The key needs the operation `ingestMedia`.
     */
    post: operations['renewIngestToken'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/meetings/{meetingID}/external-sessions/{sessionID}/tracks/{trackID}#pause': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Pause a track
     * @description Viewers receive no media of the track until it is resumed. The key needs the operation `ingestMedia`.
     */
    post: operations['pauseTrack'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/meetings/{meetingID}/external-sessions/{sessionID}/tracks/{trackID}#resume': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Resume a track
     * @description The key needs the operation `ingestMedia`.
     */
    post: operations['resumeTrack'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/meetings/{meetingID}/external-sessions/{sessionID}/tracks/{trackID}#requestKeyframe': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Request a keyframe of a video track
     * @description The key needs the operation `ingestMedia`.
     */
    post: operations['requestTrackKeyframe'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/meetings/{meetingID}/external-sessions/{sessionID}/tracks/{trackID}#close': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Close a track
     * @description Closing is final. The key needs the operation `ingestMedia`.
     */
    post: operations['closeTrack'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/meetings/{meetingID}/external-sessions/{sessionID}/history': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the history of an external session
     * @description Samples of bit rate, loss, jitter, round-trip time and frame rate every ten seconds, and the changes of state. Samples are kept until a day after the session. The key needs the operation `ingestMedia` or `readRooms`.
     */
    get: operations['getExternalSessionHistory'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/meetings/{meetingID}/playbacks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the playbacks of a room
     * @description Newest first. The key needs the operation `playMedia` or `readRooms`.
     */
    get: operations['listPlaybacks'];
    put?: never;
    /**
     * Create a WHEP playback
     * @description Answers the WHEP endpoint and a short-lived playback token. The key needs the operation `playMedia`.
     */
    post: operations['createPlayback'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/meetings/{meetingID}/playbacks/{playbackID}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a playback
     * @description The key needs the operation `playMedia` or `readRooms`.
     */
    get: operations['getPlayback'];
    put?: never;
    post?: never;
    /**
     * End a playback
     * @description Disconnects all viewers of the playback. Repeating the deletion is safe. The key needs the operation `playMedia`.
     */
    delete: operations['deletePlayback'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/meetings/{meetingID}/playbacks/{playbackID}/viewers': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the viewers of a playback with their quality
     * @description Samples of each viewer every ten seconds, and a verdict whose fault a poor picture is. Samples are kept for 24 hours. A node samples 1,000 viewers of an account at most. A viewer has its first sample 20 seconds after it connects. The key needs the operation `playMedia` or `readRooms`.
     */
    get: operations['listPlaybackViewers'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/meetings/{meetingID}/broadcasts/{broadcastID}/viewers': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the HLS viewers of a broadcast with their quality
     * @description Samples of each player that sends CMCD (CTA-5004), every ten seconds, and the part that causes its stalls. Samples are kept for 24 hours. A node samples 1,000 viewers of an account at most. A CDN hides the requests that it answers itself. The key needs the operation `broadcastMedia` or `readRooms`.
     */
    get: operations['listBroadcastViewers'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/meetings/{meetingID}/broadcasts': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the broadcasts of a room
     * @description Newest first. The key needs the operation `broadcastMedia` or `readRooms`.
     */
    get: operations['listBroadcasts'];
    put?: never;
    /**
     * Start an HLS broadcast
     * @description The source is a member or an external session with video. With `layout` it is the whole room. The key needs the operation `broadcastMedia`.
     */
    post: operations['createBroadcast'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/meetings/{meetingID}/broadcasts/{broadcastID}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a broadcast
     * @description `playbackUrl` is present while the broadcast is active. The key needs the operation `broadcastMedia` or `readRooms`.
     */
    get: operations['getBroadcast'];
    put?: never;
    post?: never;
    /**
     * End a broadcast
     * @description Repeating the deletion is safe. The key needs the operation `broadcastMedia`.
     */
    delete: operations['deleteBroadcast'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/recordings#get': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read one recording or list recordings
     * @description With `recordingID`, answers that recording and a download URL. Without it, lists recordings, newest first. The key needs the operation `readRecordings`.
     */
    get: operations['getRecordings'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/recordings#start': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Start a recording
     * @description Records the whole room in one picture, or one participant or external session. Uses the recording settings of the account. The key needs the operation `manageRecordings`.
     */
    post: operations['startRecording'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/recordings#compose': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Compose recordings of single sources
     * @description Makes one new recording from the files of recordings of one room, each at the time at which it was recorded. Uses the recording settings of the account. The key needs the operation `manageRecordings`.
     */
    post: operations['composeRecording'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/recordings#stop': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Stop a recording
     * @description The file is available when the recording is `ready`. The key needs the operation `manageRecordings`.
     */
    post: operations['stopRecording'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/recordings#delete': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Delete a recording and its file
     * @description Repeating the deletion gives the same answer. The key needs the operation `manageRecordings`.
     */
    post: operations['deleteRecording'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/meetings/{meetingID}/restreams': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the restreams of a room
     * @description Newest first. The key needs the operation `broadcastMedia` or `readRooms`.
     */
    get: operations['listRestreams'];
    put?: never;
    /**
     * Send an external session or a broadcast to another service
     * @description The platform connects to the target until the restream or its source ends. The key needs the operation `broadcastMedia`.
     */
    post: operations['createRestream'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/meetings/{meetingID}/restreams/{restreamID}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a restream
     * @description The key needs the operation `broadcastMedia` or `readRooms`.
     */
    get: operations['getRestream'];
    put?: never;
    post?: never;
    /**
     * End a restream
     * @description Repeating the deletion is safe. The key needs the operation `broadcastMedia`.
     */
    delete: operations['deleteRestream'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/room/logs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the logs of rooms
     * @description Rooms, recordings and messages, newest first. The answer is a plain array unless the envelope is requested. The key needs the operation `readLogs`.
     */
    get: operations['listRoomLogs'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sipcall/logs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the logs of SIP calls
     * @description Transcripts, summaries and callback states, newest first. The answer is a plain array unless the envelope is requested. The key needs the operation `readLogs`.
     */
    get: operations['listSipCallLogs'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the event log
     * @description Answers events behind `after`, oldest first, those of a resource in the order of its changes. Events come at least once: ignore a known `eventID`. With `wait`, the answer waits for an event (long poll). With `Accept: text/event-stream`, the answer is a stream of server-sent events: `id` is a cursor, `event` the type, `data` the event as JSON. `Last-Event-ID` continues a stream and takes precedence over `after`. The stream ends when the key ends or the gateway stops; connect again. The key needs the operation `readLogs`.
     */
    get: operations['listEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks#create': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a webhook
     * @description This answer alone contains the secret. Events come at least once, those of a resource in order. The key needs the operation `manageWebhooks`.
     */
    post: operations['createWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks#update': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Change, disable or enable a webhook
     * @description Changes only the fields that are sent. The key needs the operation `manageWebhooks`.
     */
    post: operations['updateWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks#rotateSecret': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give a webhook a new secret
     * @description This answer alone contains the secret. The former secret signs too for 24 hours. The key needs the operation `manageWebhooks`.
     */
    post: operations['rotateWebhookSecret'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks#test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a test event
     * @description Sends `webhook.test` once, also to a disabled webhook. The delivery tells the result. The key needs the operation `manageWebhooks`.
     */
    post: operations['testWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks#resend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a delivery again
     * @description Makes a new delivery of the same event, which has the same identifier. The key needs the operation `manageWebhooks`.
     */
    post: operations['resendWebhookDelivery'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks#replay': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a range of events again
     * @description Sends matching events of the log beside new events, at most five ranges at a time. The key needs the operation `manageWebhooks`.
     */
    post: operations['replayWebhookEvents'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks#delete': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Delete a webhook
     * @description Waiting deliveries are dropped. Repeating the deletion gives the same answer. The key needs the operation `manageWebhooks`.
     */
    post: operations['deleteWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks#get': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read one webhook or list webhooks
     * @description With `webhookID`, answers that webhook. Without it, lists all webhooks, newest first. The key needs the operation `manageWebhooks`.
     */
    get: operations['getWebhooks'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks/{webhookID}/deliveries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List deliveries
     * @description Newest first. The key needs the operation `manageWebhooks`.
     */
    get: operations['listWebhookDeliveries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks/{webhookID}/deliveries/{deliveryID}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a delivery with its requests
     * @description The key needs the operation `manageWebhooks`.
     */
    get: operations['getWebhookDelivery'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
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
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
    UpdateDomainBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      action: 'delete';
      /** @description Identifier of a domain. */
      domainID: string;
    };
    /** @description Number of matching records on all pages. */
    Total: number;
    /** @description Number of records before this page. */
    StartIndex: number;
    /** @description Greatest number of records on a page. */
    PageSize: number;
    CreateSubUserBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
    UpdateSubUserBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
    RotateSubUserKeyBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
    DisableSubUserKeyBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      action: 'disableKey';
      /** @description Identifier of a sub-user. */
      subUserID: string;
      /** @description Identifier of a key of the sub-user. */
      keyID: string;
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
    EnableSubUserKeyBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      action: 'enableKey';
      /** @description Identifier of a sub-user. */
      subUserID: string;
      /** @description Identifier of a key of the sub-user. */
      keyID: string;
    };
    DeleteSubUserKeyBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      action: 'deleteKey';
      /** @description Identifier of a sub-user. */
      subUserID: string;
      /** @description Identifier of a key of the sub-user. */
      keyID: string;
    };
    DeleteSubUserBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      action: 'delete';
      /** @description Identifier of a sub-user. */
      subUserID: string;
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
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
    UpdateDisposableKeyBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
    DeleteDisposableKeyBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      action: 'delete';
      /** @description Identifier of a disposable key. */
      keyID: string;
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
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
    UpdateAgentBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      action: 'delete';
      /** @description Identifier of an agent. */
      agentID: string;
    };
    CreateAiCredentialBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
    UpdateAiCredentialBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      action: 'delete';
      /** @description Identifier of an AI credential. */
      aiCredentialID: string;
    };
    CreateEventSettingBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
    UpdateEventSettingBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
    CreateRecordingSettingBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
    UpdateRecordingSettingBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
    CreateSipConfigBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
    UpdateSipConfigBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      action: 'delete';
      /** @description Identifier of a SIP configuration. */
      sipConfigID: string;
    };
    CreateTranslationConfigBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
    UpdateTranslationConfigBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      action: 'delete';
      /** @description Identifier of a translation config. */
      translationConfigID: string;
    };
    CreateRoomBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
    JoinRoomBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
    UpdateRoomBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      action: 'end';
      /** @description Identifier of a room. */
      meetingID: string;
    };
    DeleteRoomBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      action: 'delete';
      /** @description Identifier of a room. */
      meetingID: string;
    };
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
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      action: 'poll.vote';
      /** @description Identifier of a poll. */
      pollID: string;
      /** @description Index of the option, from 0. */
      choice: number;
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
    SendChatMessageBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      action: 'chat.send';
      /** @description Text of the message. */
      message: string;
      /** @description The only reader. Default: everyone in the room. */
      recipientID?: string | null;
    };
    SendParticipantRequestBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      action: 'renewToken';
    };
    DeleteExternalSessionBody: {
      /** @description Note of the application, kept with the resource and in its log. */
      reason?: string | null;
    };
    PauseTrackBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      action: 'pause';
    };
    ResumeTrackBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      action: 'resume';
    };
    RequestTrackKeyframeBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      action: 'requestKeyframe';
    };
    CloseTrackBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      action: 'stop';
      /** @description Identifier of a recording. */
      recordingID: string;
    };
    DeleteRecordingBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
    UpdateWebhookBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
    RotateWebhookSecretBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      action: 'rotateSecret';
      /** @description Identifier of a webhook. */
      webhookID: string;
    };
    TestWebhookBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      action: 'test';
      /** @description Identifier of a webhook. */
      webhookID: string;
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
    ResendWebhookDeliveryBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      action: 'resend';
      /** @description Identifier of a webhook. */
      webhookID: string;
      /** @description Identifier of a delivery. */
      deliveryID: string;
    };
    ReplayWebhookEventsBody: {
      /**
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
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
       * @description The requested action. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      action: 'delete';
      /** @description Identifier of a webhook. */
      webhookID: string;
    };
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
    KeyAnswer: {
      success: components['schemas']['Success'];
      key: components['schemas']['Key'];
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
    OutcomeAnswer: {
      success: components['schemas']['Success'];
      outcome: components['schemas']['ParticipantActionOutcome'];
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
      webhook: components['schemas']['IssuedWebhook'];
    };
    WebhookAnswer2: {
      success: components['schemas']['Success'];
      webhook: components['schemas']['Webhook'];
    };
    DeliveryAnswer: {
      success: components['schemas']['Success'];
      delivery: components['schemas']['DetailedWebhookDelivery'];
    };
  };
  responses: never;
  parameters: {
    /** @description Number of records to skip, newest first. */
    startIndex: number;
    /** @description Greatest number of records in the answer. */
    pageSize: number;
    /** @description Identifier of the record: meetingID. */
    meetingID: string;
    /** @description Identifier of the record: sessionID. */
    sessionID: string;
    /** @description Identifier of the record: trackID. */
    trackID: string;
    /** @description Identifier of the record: playbackID. */
    playbackID: string;
    /** @description Identifier of the record: broadcastID. */
    broadcastID: string;
    /** @description Identifier of the record: restreamID. */
    restreamID: string;
    /** @description Identifier of the record: webhookID. */
    webhookID: string;
    /** @description Identifier of the record: deliveryID. */
    deliveryID: string;
    /** @description The requested action. */
    actionQuery: 'get';
    /** @description Answers only records with this value. */
    nickNameQuery: string;
    /** @description Answers only records with this value. */
    meetingIDQuery: string;
    /** @description Answers only records of this external session. */
    sourceSessionIDQuery: string;
    /** @description Answers only viewers behind this `nextCursor`. */
    afterQuery: string;
    /** @description Greatest number of records in the answer. Default: 100. */
    pageSizeQuery: string;
    /** @description Start of the period, at most an hour before its end. Default: ten minutes before its end. */
    fromQuery: string;
    /** @description End of the period. Default: now. */
    toQuery: string;
    /** @description Answers only entries from this time on. */
    fromQuery2: string;
    /** @description Answers only entries before this time. */
    toQuery2: string;
    /** @description With `1`, the answer is `{ success, data, total, startIndex, pageSize }` instead of a plain array. */
    envelope: string;
    /** @description With `envelope`, the answer is `{ success, data, total, startIndex, pageSize }` instead of a plain array. */
    'X-Service-Response': string;
    /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
    'Idempotency-Key': string;
    /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
    'X-Request-Id': string;
  };
  requestBodies: never;
  headers: {
    /** @description Identifier of the request in the logs. */
    'X-Request-Id': string;
    /** @description Authentication scheme, with status 401. */
    'WWW-Authenticate': string;
    /** @description Methods of the path, with status 405. */
    Allow: string;
    /** @description Limits of the request: requests (`q`) in seconds (`w`), as in draft-ietf-httpapi-ratelimit-headers. */
    'RateLimit-Policy': string;
    /** @description Remaining requests (`r`) of each limit, for the next seconds (`t`). */
    RateLimit: string;
    /** @description The answer is the kept answer of an earlier request. */
    'Idempotent-Replayed': 'true';
    /** @description Number of matching entries on all pages. */
    'X-Total-Count': string;
    /** @description The `next` and `prev` page (RFC 8288). */
    Link: string;
    /** @description Seconds to wait before a retry, with status 429 and 503. */
    'Retry-After': string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  createDomain: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateDomainBody'];
      };
    };
    responses: {
      /** @description Created: create */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DomainAnswer'];
        };
      };
    };
  };
  updateDomain: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateDomainBody'];
      };
    };
    responses: {
      /** @description OK: update */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DomainAnswer'];
        };
      };
    };
  };
  deleteDomain: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DeleteDomainBody'];
      };
    };
    responses: {
      /** @description OK: delete */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            success: components['schemas']['Success'];
            /**
             * @description `true`, also when the record was deleted before.
             * @constant
             */
            deleted: true;
            /** @description The value that named the record. */
            domainID: string;
          };
        };
      };
    };
  };
  getDomains: {
    parameters: {
      query?: {
        /** @description The requested action. */
        action?: components['parameters']['actionQuery'];
        /** @description Answers only records with this value. */
        domainID?: string;
        /** @description Number of records to skip, newest first. */
        startIndex?: components['parameters']['startIndex'];
        /** @description Greatest number of records in the answer. */
        pageSize?: components['parameters']['pageSize'];
      };
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK: get */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | components['schemas']['DomainAnswer']
            | {
                success: components['schemas']['Success'];
                /** @description The records of this page. */
                domains: components['schemas']['Domain'][];
                total: components['schemas']['Total'];
                startIndex: components['schemas']['StartIndex'];
                pageSize: components['schemas']['PageSize'];
              };
        };
      };
    };
  };
  createSubUser: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateSubUserBody'];
      };
    };
    responses: {
      /** @description Created: create */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            success: components['schemas']['Success'];
            subUser: components['schemas']['IssuedSubUser'];
          };
        };
      };
    };
  };
  updateSubUser: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateSubUserBody'];
      };
    };
    responses: {
      /** @description OK: update */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            success: components['schemas']['Success'];
            subUser: components['schemas']['SubUser'];
          };
        };
      };
    };
  };
  rotateSubUserKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RotateSubUserKeyBody'];
      };
    };
    responses: {
      /** @description OK: rotateKey */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            success: components['schemas']['Success'];
            key: components['schemas']['IssuedKey'];
          };
        };
      };
    };
  };
  disableSubUserKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DisableSubUserKeyBody'];
      };
    };
    responses: {
      /** @description OK: disableKey */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['KeyAnswer'];
        };
      };
    };
  };
  enableSubUserKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['EnableSubUserKeyBody'];
      };
    };
    responses: {
      /** @description OK: enableKey */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['KeyAnswer'];
        };
      };
    };
  };
  deleteSubUserKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DeleteSubUserKeyBody'];
      };
    };
    responses: {
      /** @description OK: deleteKey */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['KeyAnswer'];
        };
      };
    };
  };
  deleteSubUser: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DeleteSubUserBody'];
      };
    };
    responses: {
      /** @description OK: delete */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            success: components['schemas']['Success'];
            /**
             * @description `true`, also when the record was deleted before.
             * @constant
             */
            deleted: true;
            /** @description The value that named the record. */
            subUserID: string;
          };
        };
      };
    };
  };
  getSubUsers: {
    parameters: {
      query?: {
        /** @description The requested action. */
        action?: components['parameters']['actionQuery'];
        /** @description Answers only records with this value. */
        subUserID?: string;
        /** @description Number of records to skip, newest first. */
        startIndex?: components['parameters']['startIndex'];
        /** @description Greatest number of records in the answer. */
        pageSize?: components['parameters']['pageSize'];
      };
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK: get */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | {
                success: components['schemas']['Success'];
                subUser: components['schemas']['DetailedSubUser'];
              }
            | {
                success: components['schemas']['Success'];
                /** @description The records of this page. */
                subUsers: components['schemas']['SubUser'][];
                total: components['schemas']['Total'];
                startIndex: components['schemas']['StartIndex'];
                pageSize: components['schemas']['PageSize'];
              };
        };
      };
    };
  };
  createDisposableKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateDisposableKeyBody'];
      };
    };
    responses: {
      /** @description Created: create */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            success: components['schemas']['Success'];
            disposableKey: components['schemas']['IssuedDisposableKey'];
          };
        };
      };
    };
  };
  updateDisposableKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateDisposableKeyBody'];
      };
    };
    responses: {
      /** @description OK: update */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DisposableKeyAnswer'];
        };
      };
    };
  };
  deleteDisposableKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DeleteDisposableKeyBody'];
      };
    };
    responses: {
      /** @description OK: delete */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DisposableKeyAnswer'];
        };
      };
    };
  };
  getDisposableKeys: {
    parameters: {
      query?: {
        /** @description The requested action. */
        action?: components['parameters']['actionQuery'];
        /** @description Answers only records with this value. */
        keyID?: string;
        /** @description Number of records to skip, newest first. */
        startIndex?: components['parameters']['startIndex'];
        /** @description Greatest number of records in the answer. */
        pageSize?: components['parameters']['pageSize'];
      };
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK: get */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | components['schemas']['DisposableKeyAnswer']
            | {
                success: components['schemas']['Success'];
                /** @description The records of this page. */
                disposableKeys: components['schemas']['DisposableKey'][];
                total: components['schemas']['Total'];
                startIndex: components['schemas']['StartIndex'];
                pageSize: components['schemas']['PageSize'];
              };
        };
      };
    };
  };
  getBalance: {
    parameters: {
      query?: {
        /** @description The requested action. */
        action?: components['parameters']['actionQuery'];
      };
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK: get */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            success: components['schemas']['Success'];
            balance: components['schemas']['Balance'];
          };
        };
      };
    };
  };
  listAuditLog: {
    parameters: {
      query?: {
        /** @description Answers only actions with this result. */
        outcome?: 'unknown' | 'succeeded' | 'failed' | 'repeated';
        /** @description Answers only actions of the user with this email address, or of the keys with this API username. */
        actor?: string;
        /** @description Answers only actions at this time or later. */
        from?: string;
        /** @description Answers only actions before this time. */
        to?: string;
        /** @description Number of records to skip, newest first. */
        startIndex?: components['parameters']['startIndex'];
        /** @description Greatest number of records in the answer. */
        pageSize?: components['parameters']['pageSize'];
      };
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            success: components['schemas']['Success'];
            /** @description The records of this page. */
            entries: components['schemas']['AuditEntry'][];
            total: components['schemas']['Total'];
            startIndex: components['schemas']['StartIndex'];
            pageSize: components['schemas']['PageSize'];
          };
        };
      };
    };
  };
  createAgent: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateAgentBody'];
      };
    };
    responses: {
      /** @description Created: create */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AgentAnswer'];
        };
      };
    };
  };
  updateAgent: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateAgentBody'];
      };
    };
    responses: {
      /** @description OK: update */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AgentAnswer'];
        };
      };
    };
  };
  deleteAgent: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DeleteAgentBody'];
      };
    };
    responses: {
      /** @description OK: delete */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            success: components['schemas']['Success'];
            /**
             * @description `true`, also when the record was deleted before.
             * @constant
             */
            deleted: true;
            /** @description The value that named the record. */
            agentID: string;
          };
        };
      };
    };
  };
  getAgents: {
    parameters: {
      query?: {
        /** @description The requested action. */
        action?: components['parameters']['actionQuery'];
        /** @description Answers only records with this value. */
        agentID?: string;
        /** @description Answers only records with this value. */
        name?: string;
        /** @description Number of records to skip, newest first. */
        startIndex?: components['parameters']['startIndex'];
        /** @description Greatest number of records in the answer. */
        pageSize?: components['parameters']['pageSize'];
      };
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK: get */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | components['schemas']['AgentAnswer']
            | {
                success: components['schemas']['Success'];
                /** @description The records of this page. */
                agents: components['schemas']['Agent'][];
                total: components['schemas']['Total'];
                startIndex: components['schemas']['StartIndex'];
                pageSize: components['schemas']['PageSize'];
              };
        };
      };
    };
  };
  createAiCredential: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateAiCredentialBody'];
      };
    };
    responses: {
      /** @description Created: create */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AiCredentialAnswer'];
        };
      };
    };
  };
  updateAiCredential: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateAiCredentialBody'];
      };
    };
    responses: {
      /** @description OK: update */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AiCredentialAnswer'];
        };
      };
    };
  };
  deleteAiCredential: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DeleteAiCredentialBody'];
      };
    };
    responses: {
      /** @description OK: delete */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            success: components['schemas']['Success'];
            /**
             * @description `true`, also when the record was deleted before.
             * @constant
             */
            deleted: true;
            /** @description The value that named the record. */
            aiCredentialID: string;
          };
        };
      };
    };
  };
  getAiCredentials: {
    parameters: {
      query?: {
        /** @description The requested action. */
        action?: components['parameters']['actionQuery'];
        /** @description Answers only records with this value. */
        aiCredentialID?: string;
        /** @description Answers only records with this value. */
        nickName?: components['parameters']['nickNameQuery'];
        /** @description Kind of AI service. */
        kind?: 'stt' | 'llm' | 'tts' | 'realtime';
        /** @description Number of records to skip, newest first. */
        startIndex?: components['parameters']['startIndex'];
        /** @description Greatest number of records in the answer. */
        pageSize?: components['parameters']['pageSize'];
      };
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK: get */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | components['schemas']['AiCredentialAnswer']
            | {
                success: components['schemas']['Success'];
                /** @description The records of this page. */
                aiCredentials: components['schemas']['AiCredential'][];
                total: components['schemas']['Total'];
                startIndex: components['schemas']['StartIndex'];
                pageSize: components['schemas']['PageSize'];
              };
        };
      };
    };
  };
  createEventSetting: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateEventSettingBody'];
      };
    };
    responses: {
      /** @description Created: create */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EventsSettingAnswer'];
        };
      };
    };
  };
  updateEventSetting: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateEventSettingBody'];
      };
    };
    responses: {
      /** @description OK: update */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EventsSettingAnswer'];
        };
      };
    };
  };
  deleteEventSetting: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DeleteEventSettingBody'];
      };
    };
    responses: {
      /** @description OK: delete */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | {
                success: components['schemas']['Success'];
                /**
                 * @description `true`, also when the record was deleted before.
                 * @constant
                 */
                deleted: true;
                /** @description The value that named the record. */
                eventsSettingID: string;
              }
            | {
                success: components['schemas']['Success'];
                /**
                 * @description `true`, also when the record was deleted before.
                 * @constant
                 */
                deleted: true;
                /** @description The value that named the record. */
                type: string;
              };
        };
      };
    };
  };
  getEventSettings: {
    parameters: {
      query?: {
        /** @description The requested action. */
        action?: components['parameters']['actionQuery'];
        /** @description Answers only records with this value. */
        eventsSettingID?: string;
        /** @description The room type that the settings apply to. */
        type?: 'conference' | 'webinar' | 'broadcast' | 'chat';
        /** @description Number of records to skip, newest first. */
        startIndex?: components['parameters']['startIndex'];
        /** @description Greatest number of records in the answer. */
        pageSize?: components['parameters']['pageSize'];
      };
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK: get */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | components['schemas']['EventsSettingAnswer']
            | {
                success: components['schemas']['Success'];
                /** @description The records of this page. */
                eventsSettings: components['schemas']['EventsSetting'][];
                total: components['schemas']['Total'];
                startIndex: components['schemas']['StartIndex'];
                pageSize: components['schemas']['PageSize'];
              };
        };
      };
    };
  };
  createRecordingSetting: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateRecordingSettingBody'];
      };
    };
    responses: {
      /** @description Created: create */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RecordingSettingAnswer'];
        };
      };
    };
  };
  updateRecordingSetting: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateRecordingSettingBody'];
      };
    };
    responses: {
      /** @description OK: update */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RecordingSettingAnswer'];
        };
      };
    };
  };
  getRecordingSettings: {
    parameters: {
      query?: {
        /** @description The requested action. */
        action?: components['parameters']['actionQuery'];
        /** @description Answers only records with this value. */
        recordingSettingID?: string;
        /** @description Number of records to skip, newest first. */
        startIndex?: components['parameters']['startIndex'];
        /** @description Greatest number of records in the answer. */
        pageSize?: components['parameters']['pageSize'];
      };
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK: get */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | components['schemas']['RecordingSettingAnswer']
            | {
                success: components['schemas']['Success'];
                /** @description The records of this page. */
                recordingSettings: components['schemas']['RecordingSetting'][];
                total: components['schemas']['Total'];
                startIndex: components['schemas']['StartIndex'];
                pageSize: components['schemas']['PageSize'];
              };
        };
      };
    };
  };
  createSipConfig: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateSipConfigBody'];
      };
    };
    responses: {
      /** @description Created: create */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SipConfigAnswer'];
        };
      };
    };
  };
  updateSipConfig: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateSipConfigBody'];
      };
    };
    responses: {
      /** @description OK: update */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SipConfigAnswer'];
        };
      };
    };
  };
  deleteSipConfig: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DeleteSipConfigBody'];
      };
    };
    responses: {
      /** @description OK: delete */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            success: components['schemas']['Success'];
            /**
             * @description `true`, also when the record was deleted before.
             * @constant
             */
            deleted: true;
            /** @description The value that named the record. */
            sipConfigID: string;
          };
        };
      };
    };
  };
  getSipConfigs: {
    parameters: {
      query?: {
        /** @description The requested action. */
        action?: components['parameters']['actionQuery'];
        /** @description Answers only records with this value. */
        sipConfigID?: string;
        /** @description Answers only records with this value. */
        contactNumber?: string;
        /** @description Number of records to skip, newest first. */
        startIndex?: components['parameters']['startIndex'];
        /** @description Greatest number of records in the answer. */
        pageSize?: components['parameters']['pageSize'];
      };
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK: get */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | components['schemas']['SipConfigAnswer']
            | {
                success: components['schemas']['Success'];
                /** @description The records of this page. */
                sipConfigs: components['schemas']['SipConfig'][];
                total: components['schemas']['Total'];
                startIndex: components['schemas']['StartIndex'];
                pageSize: components['schemas']['PageSize'];
              };
        };
      };
    };
  };
  createTranslationConfig: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateTranslationConfigBody'];
      };
    };
    responses: {
      /** @description Created: create */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TranslationConfigAnswer'];
        };
      };
    };
  };
  updateTranslationConfig: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateTranslationConfigBody'];
      };
    };
    responses: {
      /** @description OK: update */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TranslationConfigAnswer'];
        };
      };
    };
  };
  deleteTranslationConfig: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DeleteTranslationConfigBody'];
      };
    };
    responses: {
      /** @description OK: delete */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            success: components['schemas']['Success'];
            /**
             * @description `true`, also when the record was deleted before.
             * @constant
             */
            deleted: true;
            /** @description The value that named the record. */
            translationConfigID: string;
          };
        };
      };
    };
  };
  getTranslationConfigs: {
    parameters: {
      query?: {
        /** @description The requested action. */
        action?: components['parameters']['actionQuery'];
        /** @description Answers only records with this value. */
        translationConfigID?: string;
        /** @description Answers only records with this value. */
        nickName?: components['parameters']['nickNameQuery'];
        /** @description Number of records to skip, newest first. */
        startIndex?: components['parameters']['startIndex'];
        /** @description Greatest number of records in the answer. */
        pageSize?: components['parameters']['pageSize'];
      };
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK: get */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | components['schemas']['TranslationConfigAnswer']
            | {
                success: components['schemas']['Success'];
                /** @description The records of this page. */
                translationConfigs: components['schemas']['TranslationConfig'][];
                total: components['schemas']['Total'];
                startIndex: components['schemas']['StartIndex'];
                pageSize: components['schemas']['PageSize'];
              };
        };
      };
    };
  };
  createRoom: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateRoomBody'];
      };
    };
    responses: {
      /** @description Created: create */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            success: components['schemas']['Success'];
            room: components['schemas']['Room'];
            join: components['schemas']['JoinTicket'];
          };
        };
      };
    };
  };
  joinRoom: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['JoinRoomBody'];
      };
    };
    responses: {
      /** @description Created: join */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            success: components['schemas']['Success'];
            participant: components['schemas']['Participant'];
            join: components['schemas']['JoinTicket'];
          };
        };
      };
    };
  };
  updateRoom: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateRoomBody'];
      };
    };
    responses: {
      /** @description OK: update */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RoomAnswer'];
        };
      };
    };
  };
  endRoom: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['EndRoomBody'];
      };
    };
    responses: {
      /** @description OK: end */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RoomAnswer'];
        };
      };
    };
  };
  deleteRoom: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DeleteRoomBody'];
      };
    };
    responses: {
      /** @description OK: delete */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RoomAnswer'];
        };
      };
    };
  };
  getRooms: {
    parameters: {
      query?: {
        /** @description The requested action. */
        action?: components['parameters']['actionQuery'];
        /** @description Answers only records with this value. */
        meetingID?: components['parameters']['meetingIDQuery'];
        /** @description Answers only rooms in this state. */
        state?: 'active' | 'ended';
        /** @description Room type. */
        eventType?: 'conference' | 'webinar' | 'broadcast' | 'chat';
        /** @description Answers only records with this value. */
        roomName?: string;
        /** @description Number of records to skip, newest first. */
        startIndex?: components['parameters']['startIndex'];
        /** @description Greatest number of records in the answer. */
        pageSize?: components['parameters']['pageSize'];
      };
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK: get */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | components['schemas']['RoomAnswer']
            | {
                success: components['schemas']['Success'];
                /** @description The records of this page. */
                rooms: components['schemas']['Room'][];
                total: components['schemas']['Total'];
                startIndex: components['schemas']['StartIndex'];
                pageSize: components['schemas']['PageSize'];
              };
        };
      };
    };
  };
  getParticipantState: {
    parameters: {
      query?: never;
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: meetingID. */
        meetingID: components['parameters']['meetingID'];
        /** @description Identifier of the record: sessionID. */
        sessionID: components['parameters']['sessionID'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            success: components['schemas']['Success'];
            participantState: components['schemas']['ParticipantState'];
          };
        };
      };
    };
  };
  votePoll: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: meetingID. */
        meetingID: components['parameters']['meetingID'];
        /** @description Identifier of the record: sessionID. */
        sessionID: components['parameters']['sessionID'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['VotePollBody'];
      };
    };
    responses: {
      /** @description OK: poll.vote */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OutcomeAnswer'];
        };
      };
    };
  };
  sendChatMessage: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: meetingID. */
        meetingID: components['parameters']['meetingID'];
        /** @description Identifier of the record: sessionID. */
        sessionID: components['parameters']['sessionID'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SendChatMessageBody'];
      };
    };
    responses: {
      /** @description OK: chat.send */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OutcomeAnswer'];
        };
      };
    };
  };
  sendParticipantRequest: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: meetingID. */
        meetingID: components['parameters']['meetingID'];
        /** @description Identifier of the record: sessionID. */
        sessionID: components['parameters']['sessionID'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SendParticipantRequestBody'];
      };
    };
    responses: {
      /** @description OK: participant.request */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OutcomeAnswer'];
        };
      };
    };
  };
  listExternalSessions: {
    parameters: {
      query?: {
        /** @description Number of records to skip, newest first. */
        startIndex?: components['parameters']['startIndex'];
        /** @description Greatest number of records in the answer. */
        pageSize?: components['parameters']['pageSize'];
      };
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: meetingID. */
        meetingID: components['parameters']['meetingID'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            success: components['schemas']['Success'];
            /** @description The records of this page. */
            externalSessions: components['schemas']['ExternalSession'][];
            total: components['schemas']['Total'];
            startIndex: components['schemas']['StartIndex'];
            pageSize: components['schemas']['PageSize'];
          };
        };
      };
    };
  };
  createExternalSession: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: meetingID. */
        meetingID: components['parameters']['meetingID'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateExternalSessionBody'];
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ExternalSessionAnswer'];
        };
      };
    };
  };
  getExternalSession: {
    parameters: {
      query?: never;
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: meetingID. */
        meetingID: components['parameters']['meetingID'];
        /** @description Identifier of the record: sessionID. */
        sessionID: components['parameters']['sessionID'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ExternalSessionAnswer'];
        };
      };
    };
  };
  deleteExternalSession: {
    parameters: {
      query?: never;
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: meetingID. */
        meetingID: components['parameters']['meetingID'];
        /** @description Identifier of the record: sessionID. */
        sessionID: components['parameters']['sessionID'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['DeleteExternalSessionBody'];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ExternalSessionAnswer'];
        };
      };
    };
  };
  renewIngestToken: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: meetingID. */
        meetingID: components['parameters']['meetingID'];
        /** @description Identifier of the record: sessionID. */
        sessionID: components['parameters']['sessionID'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RenewIngestTokenBody'];
      };
    };
    responses: {
      /** @description OK: renewToken */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ExternalSessionAnswer'];
        };
      };
    };
  };
  pauseTrack: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: meetingID. */
        meetingID: components['parameters']['meetingID'];
        /** @description Identifier of the record: sessionID. */
        sessionID: components['parameters']['sessionID'];
        /** @description Identifier of the record: trackID. */
        trackID: components['parameters']['trackID'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PauseTrackBody'];
      };
    };
    responses: {
      /** @description OK: pause */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ExternalSessionAnswer'];
        };
      };
    };
  };
  resumeTrack: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: meetingID. */
        meetingID: components['parameters']['meetingID'];
        /** @description Identifier of the record: sessionID. */
        sessionID: components['parameters']['sessionID'];
        /** @description Identifier of the record: trackID. */
        trackID: components['parameters']['trackID'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ResumeTrackBody'];
      };
    };
    responses: {
      /** @description OK: resume */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ExternalSessionAnswer'];
        };
      };
    };
  };
  requestTrackKeyframe: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: meetingID. */
        meetingID: components['parameters']['meetingID'];
        /** @description Identifier of the record: sessionID. */
        sessionID: components['parameters']['sessionID'];
        /** @description Identifier of the record: trackID. */
        trackID: components['parameters']['trackID'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RequestTrackKeyframeBody'];
      };
    };
    responses: {
      /** @description OK: requestKeyframe */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ExternalSessionAnswer'];
        };
      };
    };
  };
  closeTrack: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: meetingID. */
        meetingID: components['parameters']['meetingID'];
        /** @description Identifier of the record: sessionID. */
        sessionID: components['parameters']['sessionID'];
        /** @description Identifier of the record: trackID. */
        trackID: components['parameters']['trackID'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CloseTrackBody'];
      };
    };
    responses: {
      /** @description OK: close */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ExternalSessionAnswer'];
        };
      };
    };
  };
  getExternalSessionHistory: {
    parameters: {
      query?: {
        /** @description Start of the period. Default: an hour before its end. */
        from?: string;
        /** @description End of the period. Default: the end of the session, or now. */
        to?: string;
      };
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: meetingID. */
        meetingID: components['parameters']['meetingID'];
        /** @description Identifier of the record: sessionID. */
        sessionID: components['parameters']['sessionID'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            success: components['schemas']['Success'];
            history: components['schemas']['SessionHistory'];
          };
        };
      };
    };
  };
  listPlaybacks: {
    parameters: {
      query?: {
        /** @description Answers only records of this external session. */
        sourceSessionID?: components['parameters']['sourceSessionIDQuery'];
        /** @description Number of records to skip, newest first. */
        startIndex?: components['parameters']['startIndex'];
        /** @description Greatest number of records in the answer. */
        pageSize?: components['parameters']['pageSize'];
      };
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: meetingID. */
        meetingID: components['parameters']['meetingID'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            success: components['schemas']['Success'];
            /** @description The records of this page. */
            playbacks: components['schemas']['Playback'][];
            total: components['schemas']['Total'];
            startIndex: components['schemas']['StartIndex'];
            pageSize: components['schemas']['PageSize'];
          };
        };
      };
    };
  };
  createPlayback: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: meetingID. */
        meetingID: components['parameters']['meetingID'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreatePlaybackBody'];
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PlaybackAnswer'];
        };
      };
    };
  };
  getPlayback: {
    parameters: {
      query?: never;
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: meetingID. */
        meetingID: components['parameters']['meetingID'];
        /** @description Identifier of the record: playbackID. */
        playbackID: components['parameters']['playbackID'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PlaybackAnswer'];
        };
      };
    };
  };
  deletePlayback: {
    parameters: {
      query?: never;
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: meetingID. */
        meetingID: components['parameters']['meetingID'];
        /** @description Identifier of the record: playbackID. */
        playbackID: components['parameters']['playbackID'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['DeletePlaybackBody'];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PlaybackAnswer'];
        };
      };
    };
  };
  listPlaybackViewers: {
    parameters: {
      query?: {
        /** @description Answers only viewers behind this `nextCursor`. */
        after?: components['parameters']['afterQuery'];
        /** @description Greatest number of records in the answer. Default: 100. */
        pageSize?: components['parameters']['pageSizeQuery'];
        /** @description Start of the period, at most an hour before its end. Default: ten minutes before its end. */
        from?: components['parameters']['fromQuery'];
        /** @description End of the period. Default: now. */
        to?: components['parameters']['toQuery'];
      };
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: meetingID. */
        meetingID: components['parameters']['meetingID'];
        /** @description Identifier of the record: playbackID. */
        playbackID: components['parameters']['playbackID'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            success: components['schemas']['Success'];
            /** @description Seconds between two samples. Periods above ten minutes have longer steps. */
            stepSeconds: number;
            /** @description The `after` of the next page; null: this is the last one. */
            nextCursor: string | null;
            /** @description Whether there is a next page. */
            hasMore: boolean;
            /** @description The viewers of this page, in the order of their identifiers. */
            viewers: components['schemas']['ViewerQuality'][];
          };
        };
      };
    };
  };
  listBroadcastViewers: {
    parameters: {
      query?: {
        /** @description Answers only viewers behind this `nextCursor`. */
        after?: components['parameters']['afterQuery'];
        /** @description Greatest number of records in the answer. Default: 100. */
        pageSize?: components['parameters']['pageSizeQuery'];
        /** @description Start of the period, at most an hour before its end. Default: ten minutes before its end. */
        from?: components['parameters']['fromQuery'];
        /** @description End of the period. Default: now. */
        to?: components['parameters']['toQuery'];
      };
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: meetingID. */
        meetingID: components['parameters']['meetingID'];
        /** @description Identifier of the record: broadcastID. */
        broadcastID: components['parameters']['broadcastID'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            success: components['schemas']['Success'];
            /** @description Seconds between two samples. Periods above ten minutes have longer steps. */
            stepSeconds: number;
            /** @description The `after` of the next page; null: this is the last one. */
            nextCursor: string | null;
            /** @description Whether there is a next page. */
            hasMore: boolean;
            /** @description The viewers of this page, in the order of their identifiers. */
            viewers: components['schemas']['HlsViewerQuality'][];
          };
        };
      };
    };
  };
  listBroadcasts: {
    parameters: {
      query?: {
        /** @description Answers only records of this external session. */
        sourceSessionID?: components['parameters']['sourceSessionIDQuery'];
        /** @description Number of records to skip, newest first. */
        startIndex?: components['parameters']['startIndex'];
        /** @description Greatest number of records in the answer. */
        pageSize?: components['parameters']['pageSize'];
      };
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: meetingID. */
        meetingID: components['parameters']['meetingID'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            success: components['schemas']['Success'];
            /** @description The records of this page. */
            broadcasts: components['schemas']['Broadcast'][];
            total: components['schemas']['Total'];
            startIndex: components['schemas']['StartIndex'];
            pageSize: components['schemas']['PageSize'];
          };
        };
      };
    };
  };
  createBroadcast: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: meetingID. */
        meetingID: components['parameters']['meetingID'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['CreateBroadcastBody'];
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BroadcastAnswer'];
        };
      };
    };
  };
  getBroadcast: {
    parameters: {
      query?: never;
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: meetingID. */
        meetingID: components['parameters']['meetingID'];
        /** @description Identifier of the record: broadcastID. */
        broadcastID: components['parameters']['broadcastID'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BroadcastAnswer'];
        };
      };
    };
  };
  deleteBroadcast: {
    parameters: {
      query?: never;
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: meetingID. */
        meetingID: components['parameters']['meetingID'];
        /** @description Identifier of the record: broadcastID. */
        broadcastID: components['parameters']['broadcastID'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['DeleteBroadcastBody'];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BroadcastAnswer'];
        };
      };
    };
  };
  getRecordings: {
    parameters: {
      query?: {
        /** @description The requested action. */
        action?: components['parameters']['actionQuery'];
        /** @description Answers only records with this value. */
        recordingID?: string;
        /** @description Answers only records with this value. */
        meetingID?: components['parameters']['meetingIDQuery'];
        /** @description Answers only recordings of this external session. */
        sourceSessionID?: string;
        /** @description Answers only recordings in this state. */
        state?: 'starting' | 'recording' | 'processing' | 'ready' | 'failed';
        /** @description Number of records to skip, newest first. */
        startIndex?: components['parameters']['startIndex'];
        /** @description Greatest number of records in the answer. */
        pageSize?: components['parameters']['pageSize'];
      };
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK: get */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | components['schemas']['RecordingAnswer']
            | {
                success: components['schemas']['Success'];
                /** @description The records of this page. */
                recordings: components['schemas']['Recording'][];
                total: components['schemas']['Total'];
                startIndex: components['schemas']['StartIndex'];
                pageSize: components['schemas']['PageSize'];
              };
        };
      };
    };
  };
  startRecording: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['StartRecordingBody'];
      };
    };
    responses: {
      /** @description OK: start */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RecordingAnswer'];
        };
      };
    };
  };
  composeRecording: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ComposeRecordingBody'];
      };
    };
    responses: {
      /** @description OK: compose */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RecordingAnswer'];
        };
      };
    };
  };
  stopRecording: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['StopRecordingBody'];
      };
    };
    responses: {
      /** @description OK: stop */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RecordingAnswer'];
        };
      };
    };
  };
  deleteRecording: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DeleteRecordingBody'];
      };
    };
    responses: {
      /** @description OK: delete */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            success: components['schemas']['Success'];
            /**
             * @description `true`, also when the record was deleted before.
             * @constant
             */
            deleted: true;
            /** @description The value that named the record. */
            recordingID: string;
          };
        };
      };
    };
  };
  listRestreams: {
    parameters: {
      query?: {
        /** @description Answers only records of this external session. */
        sourceSessionID?: components['parameters']['sourceSessionIDQuery'];
        /** @description Number of records to skip, newest first. */
        startIndex?: components['parameters']['startIndex'];
        /** @description Greatest number of records in the answer. */
        pageSize?: components['parameters']['pageSize'];
      };
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: meetingID. */
        meetingID: components['parameters']['meetingID'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            success: components['schemas']['Success'];
            /** @description The records of this page. */
            restreams: components['schemas']['Restream'][];
            total: components['schemas']['Total'];
            startIndex: components['schemas']['StartIndex'];
            pageSize: components['schemas']['PageSize'];
          };
        };
      };
    };
  };
  createRestream: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: meetingID. */
        meetingID: components['parameters']['meetingID'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateRestreamBody'];
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RestreamAnswer'];
        };
      };
    };
  };
  getRestream: {
    parameters: {
      query?: never;
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: meetingID. */
        meetingID: components['parameters']['meetingID'];
        /** @description Identifier of the record: restreamID. */
        restreamID: components['parameters']['restreamID'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RestreamAnswer'];
        };
      };
    };
  };
  deleteRestream: {
    parameters: {
      query?: never;
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: meetingID. */
        meetingID: components['parameters']['meetingID'];
        /** @description Identifier of the record: restreamID. */
        restreamID: components['parameters']['restreamID'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['DeleteRestreamBody'];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RestreamAnswer'];
        };
      };
    };
  };
  listRoomLogs: {
    parameters: {
      query?: {
        /** @description Answers only records with this value. */
        meetingID?: components['parameters']['meetingIDQuery'];
        /** @description Answers only entries from this time on. */
        from?: components['parameters']['fromQuery2'];
        /** @description Answers only entries before this time. */
        to?: components['parameters']['toQuery2'];
        /** @description Answers only entries of this kind. */
        kind?: 'room' | 'recording' | 'message';
        /** @description Number of records to skip, newest first. */
        startIndex?: components['parameters']['startIndex'];
        /** @description Greatest number of records in the answer. */
        pageSize?: components['parameters']['pageSize'];
        /** @description With `1`, the answer is `{ success, data, total, startIndex, pageSize }` instead of a plain array. */
        envelope?: components['parameters']['envelope'];
      };
      header?: {
        /** @description With `envelope`, the answer is `{ success, data, total, startIndex, pageSize }` instead of a plain array. */
        'X-Service-Response'?: components['parameters']['X-Service-Response'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Total-Count': components['headers']['X-Total-Count'];
          Link: components['headers']['Link'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | components['schemas']['List']
            | {
                success: components['schemas']['Success'];
                data: components['schemas']['List'];
                total: components['schemas']['Total'];
                startIndex: components['schemas']['StartIndex'];
                pageSize: components['schemas']['PageSize'];
              };
        };
      };
    };
  };
  listSipCallLogs: {
    parameters: {
      query?: {
        /** @description Answers only records with this value. */
        meetingID?: components['parameters']['meetingIDQuery'];
        /** @description Answers only entries from this time on. */
        from?: components['parameters']['fromQuery2'];
        /** @description Answers only entries before this time. */
        to?: components['parameters']['toQuery2'];
        /** @description Number of records to skip, newest first. */
        startIndex?: components['parameters']['startIndex'];
        /** @description Greatest number of records in the answer. */
        pageSize?: components['parameters']['pageSize'];
        /** @description With `1`, the answer is `{ success, data, total, startIndex, pageSize }` instead of a plain array. */
        envelope?: components['parameters']['envelope'];
      };
      header?: {
        /** @description With `envelope`, the answer is `{ success, data, total, startIndex, pageSize }` instead of a plain array. */
        'X-Service-Response'?: components['parameters']['X-Service-Response'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'X-Total-Count': components['headers']['X-Total-Count'];
          Link: components['headers']['Link'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | components['schemas']['SipCallLog'][]
            | {
                success: components['schemas']['Success'];
                /** @description The entries of this page. */
                data: components['schemas']['SipCallLog'][];
                total: components['schemas']['Total'];
                startIndex: components['schemas']['StartIndex'];
                pageSize: components['schemas']['PageSize'];
              };
        };
      };
    };
  };
  listEvents: {
    parameters: {
      query?: {
        /** @description Answers only events after this `nextCursor` or streamed `id`; `latest`: only events from now on. Default: the oldest kept event. */
        after?: string;
        /** @description Answers only these types, with commas between them. `room.*` stands for all types of rooms. */
        types?: string;
        /** @description Answers only events of this room and its resources. */
        meetingID?: string;
        /** @description Greatest number of records in the answer. Default: 100. */
        pageSize?: components['parameters']['pageSizeQuery'];
        /** @description Seconds to wait for an event if there is none. Default: 0. */
        wait?: string;
      };
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            success: components['schemas']['Success'];
            /** @description The events in their order, oldest first. `data` is the resource after the change; before it for `deleted`. */
            events: (
              | components['schemas']['RoomEvent']
              | components['schemas']['ExternalSessionEvent']
              | components['schemas']['TrackEvent']
              | components['schemas']['ParticipantEvent']
              | components['schemas']['PlaybackEvent']
              | components['schemas']['BroadcastEvent']
              | components['schemas']['RecordingEvent']
              | components['schemas']['RestreamEvent']
              | components['schemas']['BalanceEvent']
              | components['schemas']['KeyEvent']
              | components['schemas']['DomainEvent']
              | components['schemas']['SubUserEvent']
              | components['schemas']['SettingsEvent']
              | components['schemas']['AiCredentialEvent']
              | components['schemas']['AgentEvent']
              | components['schemas']['SipConfigEvent']
              | components['schemas']['TranslationConfigEvent']
              | components['schemas']['WebhookEvent']
            )[];
            /** @description The `after` of the next request, also when there is no event. */
            nextCursor: string;
            /** @description Whether more events may follow already. Ask again without a pause. */
            hasMore: boolean;
          };
        };
      };
    };
  };
  createWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateWebhookBody'];
      };
    };
    responses: {
      /** @description Created: create */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookAnswer'];
        };
      };
    };
  };
  updateWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateWebhookBody'];
      };
    };
    responses: {
      /** @description OK: update */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookAnswer2'];
        };
      };
    };
  };
  rotateWebhookSecret: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RotateWebhookSecretBody'];
      };
    };
    responses: {
      /** @description OK: rotateSecret */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookAnswer'];
        };
      };
    };
  };
  testWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['TestWebhookBody'];
      };
    };
    responses: {
      /** @description OK: test */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeliveryAnswer'];
        };
      };
    };
  };
  resendWebhookDelivery: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ResendWebhookDeliveryBody'];
      };
    };
    responses: {
      /** @description OK: resend */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeliveryAnswer'];
        };
      };
    };
  };
  replayWebhookEvents: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ReplayWebhookEventsBody'];
      };
    };
    responses: {
      /** @description OK: replay */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookAnswer2'];
        };
      };
    };
  };
  deleteWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DeleteWebhookBody'];
      };
    };
    responses: {
      /** @description OK: delete */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            success: components['schemas']['Success'];
            /**
             * @description `true`, also when the record was deleted before.
             * @constant
             */
            deleted: true;
            /** @description The value that named the record. */
            webhookID: string;
          };
        };
      };
    };
  };
  getWebhooks: {
    parameters: {
      query?: {
        /** @description The requested action. */
        action?: components['parameters']['actionQuery'];
        /** @description Answers only records with this value. */
        webhookID?: string;
        /** @description Number of records to skip, newest first. */
        startIndex?: components['parameters']['startIndex'];
        /** @description Greatest number of records in the answer. */
        pageSize?: components['parameters']['pageSize'];
      };
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK: get */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | components['schemas']['WebhookAnswer2']
            | {
                success: components['schemas']['Success'];
                /** @description The records of this page. */
                webhooks: components['schemas']['Webhook'][];
                total: components['schemas']['Total'];
                startIndex: components['schemas']['StartIndex'];
                pageSize: components['schemas']['PageSize'];
              };
        };
      };
    };
  };
  listWebhookDeliveries: {
    parameters: {
      query?: {
        /** @description Answers only deliveries in this state. */
        state?: 'pending' | 'delivered' | 'failed';
        /** @description Answers only deliveries behind this `nextCursor`. */
        after?: string;
        /** @description Greatest number of records in the answer. Default: 100. */
        pageSize?: components['parameters']['pageSizeQuery'];
      };
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: webhookID. */
        webhookID: components['parameters']['webhookID'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            success: components['schemas']['Success'];
            /** @description Newest first. */
            deliveries: components['schemas']['WebhookDelivery'][];
            /** @description The `after` of the next page; null: this is the last one. */
            nextCursor: string | null;
            /** @description Whether there is a next page. */
            hasMore: boolean;
          };
        };
      };
    };
  };
  getWebhookDelivery: {
    parameters: {
      query?: never;
      header?: {
        /** @description Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value. */
        'X-Request-Id'?: components['parameters']['X-Request-Id'];
      };
      path: {
        /** @description Identifier of the record: webhookID. */
        webhookID: components['parameters']['webhookID'];
        /** @description Identifier of the record: deliveryID. */
        deliveryID: components['parameters']['deliveryID'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeliveryAnswer'];
        };
      };
    };
  };
}
