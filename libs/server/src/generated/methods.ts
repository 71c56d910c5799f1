/** Made from the gateway's OpenAPI document by `npm run build`; do not edit. */
import type { Answer, Body, CallOptions, Item, Listing, ListQuery, MethodTable, One, Query } from '../methods.js';

/** The operations of the API as methods. An answer is that of the API reference without `success`. */
export interface Api {
  /**
   * AI agents. Stored only: the service does not run them.
   */
  agents: {
    /**
     * Create an agent.
     *
     * The key needs the operation `manageAgents`.
     */
    create(body: Body<'createAgent'>, options?: CallOptions): Promise<Answer<'createAgent'>>;
    /**
     * Change an agent.
     *
     * Changes only the fields that are sent. The key needs the operation `manageAgents`.
     */
    update(body: Body<'updateAgent'>, options?: CallOptions): Promise<Answer<'updateAgent'>>;
    /**
     * Delete an agent.
     *
     * Remove the agent from all SIP configurations first. Repeating the deletion gives the same answer. The key needs the operation `manageAgents`.
     */
    delete(body: Body<'deleteAgent'>, options?: CallOptions): Promise<Answer<'deleteAgent'>>;
    /**
     * Read one agent or list agents.
     *
     * With `agentID`, answers that agent. Without it, lists all agents, newest first. The key needs the operation `manageAgents`.
     */
    get(agentID: string, options?: CallOptions): Promise<One<'getAgents'>>;
    /**
     * Read one agent or list agents.
     *
     * With `agentID`, answers that agent. Without it, lists all agents, newest first. The key needs the operation `manageAgents`.
     */
    list(query?: ListQuery<'getAgents'>, options?: CallOptions): Listing<Item<'getAgents', 'agents'>>;
  };
  /**
   * The account’s own keys of AI providers. Stored only: the service does not call them.
   */
  aiCredentials: {
    /**
     * Create an AI credential.
     *
     * Answers contain the masked key only. The key needs the operation `manageAiCredentials`.
     */
    create(body: Body<'createAiCredential'>, options?: CallOptions): Promise<Answer<'createAiCredential'>>;
    /**
     * Change an AI credential.
     *
     * Changes only the fields that are sent. The key needs the operation `manageAiCredentials`.
     */
    update(body: Body<'updateAiCredential'>, options?: CallOptions): Promise<Answer<'updateAiCredential'>>;
    /**
     * Delete an AI credential.
     *
     * Remove the credential from translation configurations and agents first. Repeating the deletion gives the same answer. The key needs the operation `manageAiCredentials`.
     */
    delete(body: Body<'deleteAiCredential'>, options?: CallOptions): Promise<Answer<'deleteAiCredential'>>;
    /**
     * Read one AI credential or list them.
     *
     * With `aiCredentialID`, answers that credential. Without it, lists all credentials, newest first. The key needs the operation `manageAiCredentials`.
     */
    get(aiCredentialID: string, options?: CallOptions): Promise<One<'getAiCredentials'>>;
    /**
     * Read one AI credential or list them.
     *
     * With `aiCredentialID`, answers that credential. Without it, lists all credentials, newest first. The key needs the operation `manageAiCredentials`.
     */
    list(
      query?: ListQuery<'getAiCredentials'>,
      options?: CallOptions,
    ): Listing<Item<'getAiCredentials', 'aiCredentials'>>;
  };
  /**
   * Remaining minutes of the account.
   */
  balance: {
    /**
     * Read the remaining minutes.
     *
     * The key needs the operation `readBalance`.
     */
    get(options?: CallOptions): Promise<Answer<'getBalance'>>;
  };
  /**
   * HLS broadcasts for large audiences.
   */
  broadcasts: {
    /**
     * List the HLS viewers of a broadcast with their quality.
     *
     * Samples of each player that sends CMCD (CTA-5004), every ten seconds, and the part that causes its stalls. Samples are kept for 24 hours. A node samples 1,000 viewers of an account at most. A CDN hides the requests that it answers itself. The key needs the operation `broadcastMedia` or `readRooms`.
     */
    listViewers(
      meetingID: string,
      broadcastID: string,
      query?: ListQuery<'listBroadcastViewers'>,
      options?: CallOptions,
    ): Listing<Item<'listBroadcastViewers', 'viewers'>>;
    /**
     * Start an HLS broadcast.
     *
     * The source is a member or an external session with video. With `layout` it is the whole room. The key needs the operation `broadcastMedia`.
     */
    create(
      meetingID: string,
      body?: Body<'createBroadcast'>,
      options?: CallOptions,
    ): Promise<Answer<'createBroadcast'>>;
    /**
     * List the broadcasts of a room.
     *
     * Newest first. The key needs the operation `broadcastMedia` or `readRooms`.
     */
    list(
      meetingID: string,
      query?: ListQuery<'listBroadcasts'>,
      options?: CallOptions,
    ): Listing<Item<'listBroadcasts', 'broadcasts'>>;
    /**
     * Read a broadcast.
     *
     * `playbackUrl` is present while the broadcast is active. The key needs the operation `broadcastMedia` or `readRooms`.
     */
    get(meetingID: string, broadcastID: string, options?: CallOptions): Promise<Answer<'getBroadcast'>>;
    /**
     * End a broadcast.
     *
     * Repeating the deletion is safe. The key needs the operation `broadcastMedia`.
     */
    delete(
      meetingID: string,
      broadcastID: string,
      body?: Body<'deleteBroadcast'>,
      options?: CallOptions,
    ): Promise<Answer<'deleteBroadcast'>>;
  };
  /**
   * Keys that are limited to some operations, hosts or rooms.
   */
  disposableKeys: {
    /**
     * Create a disposable key.
     *
     * This answer alone contains the key itself. Store it. The key needs the operation `manageKeys`.
     */
    create(body: Body<'createDisposableKey'>, options?: CallOptions): Promise<Answer<'createDisposableKey'>>;
    /**
     * Change a disposable key.
     *
     * Changes only the fields that are sent. The key needs the operation `manageKeys`.
     */
    update(body: Body<'updateDisposableKey'>, options?: CallOptions): Promise<Answer<'updateDisposableKey'>>;
    /**
     * Revoke a disposable key.
     *
     * The service refuses the key from the next request on. The record of the key remains. The key needs the operation `manageKeys`.
     */
    delete(body: Body<'deleteDisposableKey'>, options?: CallOptions): Promise<Answer<'deleteDisposableKey'>>;
    /**
     * Read one disposable key or list them.
     *
     * With `keyID`, answers that key and its usage for each operation. Without it, lists the keys, newest first. The key needs the operation `manageKeys`.
     */
    get(keyID: string, options?: CallOptions): Promise<One<'getDisposableKeys'>>;
    /**
     * Read one disposable key or list them.
     *
     * With `keyID`, answers that key and its usage for each operation. Without it, lists the keys, newest first. The key needs the operation `manageKeys`.
     */
    list(
      query?: ListQuery<'getDisposableKeys'>,
      options?: CallOptions,
    ): Listing<Item<'getDisposableKeys', 'disposableKeys'>>;
  };
  /**
   * Hosts from which browsers may send requests with production keys.
   */
  domains: {
    /**
     * Register a domain.
     *
     * The key needs the operation `manageDomains`.
     */
    create(body: Body<'createDomain'>, options?: CallOptions): Promise<Answer<'createDomain'>>;
    /**
     * Change a domain.
     *
     * Changes only the fields that are sent. The key needs the operation `manageDomains`.
     */
    update(body: Body<'updateDomain'>, options?: CallOptions): Promise<Answer<'updateDomain'>>;
    /**
     * Delete a domain.
     *
     * Repeating the deletion gives the same answer. The key needs the operation `manageDomains`.
     */
    delete(body: Body<'deleteDomain'>, options?: CallOptions): Promise<Answer<'deleteDomain'>>;
    /**
     * Read one domain or list domains.
     *
     * With `domainID`, answers that domain. Without it, lists all domains, newest first. The key needs the operation `manageDomains`.
     */
    get(domainID: string, options?: CallOptions): Promise<One<'getDomains'>>;
    /**
     * Read one domain or list domains.
     *
     * With `domainID`, answers that domain. Without it, lists all domains, newest first. The key needs the operation `manageDomains`.
     */
    list(query?: ListQuery<'getDomains'>, options?: CallOptions): Listing<Item<'getDomains', 'domains'>>;
  };
  /**
   * Defaults of new rooms, one record for each room type.
   */
  eventSettings: {
    /**
     * Create event settings for a room type.
     *
     * The key needs the operation `manageSettings`.
     */
    create(body: Body<'createEventSetting'>, options?: CallOptions): Promise<Answer<'createEventSetting'>>;
    /**
     * Change event settings.
     *
     * Changes only the fields that are sent. Existing rooms keep their settings. The key needs the operation `manageSettings`.
     */
    update(body: Body<'updateEventSetting'>, options?: CallOptions): Promise<Answer<'updateEventSetting'>>;
    /**
     * Delete event settings.
     *
     * New rooms of that type use the defaults again. Repeating the deletion gives the same answer. The key needs the operation `manageSettings`.
     */
    delete(body: Body<'deleteEventSetting'>, options?: CallOptions): Promise<Answer<'deleteEventSetting'>>;
    /**
     * Read one record of event settings or list them.
     *
     * With `eventsSettingID`, answers that record. Without it, lists all records, newest first. The key needs the operation `readSettings`.
     */
    get(eventsSettingID: string, options?: CallOptions): Promise<One<'getEventSettings'>>;
    /**
     * Read one record of event settings or list them.
     *
     * With `eventsSettingID`, answers that record. Without it, lists all records, newest first. The key needs the operation `readSettings`.
     */
    list(
      query?: ListQuery<'getEventSettings'>,
      options?: CallOptions,
    ): Listing<Item<'getEventSettings', 'eventsSettings'>>;
  };
  /**
   * The event log of the account: every change of state, in order.
   */
  events: {
    /**
     * Read the event log.
     *
     * Answers events behind `after`, oldest first, those of a resource in the order of its changes. Events come at least once: ignore a known `eventID`. With `wait`, the answer waits for an event (long poll). With `Accept: text/event-stream`, the answer is a stream of server-sent events: `id` is a cursor, `event` the type, `data` the event as JSON. `Last-Event-ID` continues a stream and takes precedence over `after`. The stream ends when the key ends or the gateway stops; connect again. The key needs the operation `readLogs`.
     */
    list(query?: ListQuery<'listEvents'>, options?: CallOptions): Listing<Item<'listEvents', 'events'>>;
  };
  /**
   * Publishers outside the room, such as cameras and encoders (WHIP).
   */
  externalSessions: {
    /**
     * Read an external session as a participant.
     *
     * Answers its media, recent chat, polls, and its breakout room and whiteboard. The key needs the operation `ingestMedia`.
     */
    getParticipantState(
      meetingID: string,
      sessionID: string,
      options?: CallOptions,
    ): Promise<Answer<'getParticipantState'>>;
    /**
     * Vote in a poll as the external session.
     *
     * The key needs the operation `ingestMedia`.
     */
    votePoll(
      meetingID: string,
      sessionID: string,
      body: Body<'votePoll'>,
      options?: CallOptions,
    ): Promise<Answer<'votePoll'>>;
    /**
     * Send a chat message as the external session.
     *
     * The key needs the operation `ingestMedia`.
     */
    sendChatMessage(
      meetingID: string,
      sessionID: string,
      body: Body<'sendChatMessage'>,
      options?: CallOptions,
    ): Promise<Answer<'sendChatMessage'>>;
    /**
     * Send a request to the host as the external session.
     *
     * The key needs the operation `ingestMedia`.
     */
    sendParticipantRequest(
      meetingID: string,
      sessionID: string,
      body: Body<'sendParticipantRequest'>,
      options?: CallOptions,
    ): Promise<Answer<'sendParticipantRequest'>>;
    /**
     * Create an external session.
     *
     * With `whip`, answers the ingest URL and a short-lived ingest token. With `srt`, `rtmp` and `rtmps`, answers an address and a secret. Used before `tokenExpiresAt`, the secret is valid as long as the session. The key needs the operation `ingestMedia`.
     */
    create(
      meetingID: string,
      body: Body<'createExternalSession'>,
      options?: CallOptions,
    ): Promise<Answer<'createExternalSession'>>;
    /**
     * List the external sessions of a room.
     *
     * Newest first. The key needs the operation `ingestMedia` or `readRooms`.
     */
    list(
      meetingID: string,
      query?: ListQuery<'listExternalSessions'>,
      options?: CallOptions,
    ): Listing<Item<'listExternalSessions', 'externalSessions'>>;
    /**
     * Read an external session.
     *
     * Read the session until it is `active` and lists the expected tracks, then create a playback or a broadcast. The key needs the operation `ingestMedia` or `readRooms`.
     */
    get(meetingID: string, sessionID: string, options?: CallOptions): Promise<Answer<'getExternalSession'>>;
    /**
     * End an external session.
     *
     * End the playbacks, broadcasts and restreams of the session first. Repeating the deletion is safe. The key needs the operation `ingestMedia`.
     */
    delete(
      meetingID: string,
      sessionID: string,
      body?: Body<'deleteExternalSession'>,
      options?: CallOptions,
    ): Promise<Answer<'deleteExternalSession'>>;
    /**
     * Issue a new ingest token or stream key.
     *
     * With `whip`, call this before the current ingest token expires. With `srt`, `rtmp` and `rtmps`, replaces address and key. The key needs the operation `ingestMedia`.
     */
    renewIngestToken(meetingID: string, sessionID: string, options?: CallOptions): Promise<Answer<'renewIngestToken'>>;
    /**
     * Pause a track.
     *
     * Viewers receive no media of the track until it is resumed. The key needs the operation `ingestMedia`.
     */
    pauseTrack(
      meetingID: string,
      sessionID: string,
      trackID: string,
      options?: CallOptions,
    ): Promise<Answer<'pauseTrack'>>;
    /**
     * Resume a track.
     *
     * The key needs the operation `ingestMedia`.
     */
    resumeTrack(
      meetingID: string,
      sessionID: string,
      trackID: string,
      options?: CallOptions,
    ): Promise<Answer<'resumeTrack'>>;
    /**
     * Request a keyframe of a video track.
     *
     * The key needs the operation `ingestMedia`.
     */
    requestTrackKeyframe(
      meetingID: string,
      sessionID: string,
      trackID: string,
      options?: CallOptions,
    ): Promise<Answer<'requestTrackKeyframe'>>;
    /**
     * Close a track.
     *
     * Closing is final. The key needs the operation `ingestMedia`.
     */
    closeTrack(
      meetingID: string,
      sessionID: string,
      trackID: string,
      options?: CallOptions,
    ): Promise<Answer<'closeTrack'>>;
    /**
     * Read the history of an external session.
     *
     * Samples of bit rate, loss, jitter, round-trip time and frame rate every ten seconds, and the changes of state. Samples are kept until a day after the session. The key needs the operation `ingestMedia` or `readRooms`.
     */
    getHistory(
      meetingID: string,
      sessionID: string,
      query?: Query<'getExternalSessionHistory'>,
      options?: CallOptions,
    ): Promise<Answer<'getExternalSessionHistory'>>;
  };
  /**
   * History of rooms, calls and administrative actions.
   */
  logs: {
    /**
     * List administrative actions of the account.
     *
     * Newest first: the actor, the action, the time and the address. The key needs the operation `readLogs`.
     */
    listAuditLog(query?: ListQuery<'listAuditLog'>, options?: CallOptions): Listing<Item<'listAuditLog', 'entries'>>;
    /**
     * List the logs of rooms.
     *
     * Rooms, recordings and messages, newest first. The answer is a plain array unless the envelope is requested. The key needs the operation `readLogs`.
     */
    listRoomLogs(query?: ListQuery<'listRoomLogs'>, options?: CallOptions): Listing<Item<'listRoomLogs', 'data'>>;
    /**
     * List the logs of SIP calls.
     *
     * Transcripts, summaries and callback states, newest first. The answer is a plain array unless the envelope is requested. The key needs the operation `readLogs`.
     */
    listSipCallLogs(
      query?: ListQuery<'listSipCallLogs'>,
      options?: CallOptions,
    ): Listing<Item<'listSipCallLogs', 'data'>>;
  };
  /**
   * WHEP playbacks of external sessions.
   */
  playbacks: {
    /**
     * Create a WHEP playback.
     *
     * Answers the WHEP endpoint and a short-lived playback token. The key needs the operation `playMedia`.
     */
    create(meetingID: string, body: Body<'createPlayback'>, options?: CallOptions): Promise<Answer<'createPlayback'>>;
    /**
     * List the playbacks of a room.
     *
     * Newest first. The key needs the operation `playMedia` or `readRooms`.
     */
    list(
      meetingID: string,
      query?: ListQuery<'listPlaybacks'>,
      options?: CallOptions,
    ): Listing<Item<'listPlaybacks', 'playbacks'>>;
    /**
     * Read a playback.
     *
     * The key needs the operation `playMedia` or `readRooms`.
     */
    get(meetingID: string, playbackID: string, options?: CallOptions): Promise<Answer<'getPlayback'>>;
    /**
     * End a playback.
     *
     * Disconnects all viewers of the playback. Repeating the deletion is safe. The key needs the operation `playMedia`.
     */
    delete(
      meetingID: string,
      playbackID: string,
      body?: Body<'deletePlayback'>,
      options?: CallOptions,
    ): Promise<Answer<'deletePlayback'>>;
    /**
     * List the viewers of a playback with their quality.
     *
     * Samples of each viewer every ten seconds, and a verdict whose fault a poor picture is. Samples are kept for 24 hours. A node samples 1,000 viewers of an account at most. A viewer has its first sample 20 seconds after it connects. The key needs the operation `playMedia` or `readRooms`.
     */
    listViewers(
      meetingID: string,
      playbackID: string,
      query?: ListQuery<'listPlaybackViewers'>,
      options?: CallOptions,
    ): Listing<Item<'listPlaybackViewers', 'viewers'>>;
  };
  /**
   * Recording defaults. mediaOptions, maxDurationSeconds, pausesLimit and retentionDays are for every recording. The other fields are for recordings of whole rooms.
   */
  recordingSettings: {
    /**
     * Create the recording settings.
     *
     * An account has one record at most. The key needs the operation `manageSettings`.
     */
    create(body: Body<'createRecordingSetting'>, options?: CallOptions): Promise<Answer<'createRecordingSetting'>>;
    /**
     * Change the recording settings.
     *
     * Changes only the fields that are sent. The key needs the operation `manageSettings`.
     */
    update(body: Body<'updateRecordingSetting'>, options?: CallOptions): Promise<Answer<'updateRecordingSetting'>>;
    /**
     * Read or list the recording settings.
     *
     * With `recordingSettingID`, answers that record. Without it, answers a list of at most one record. The key needs the operation `readSettings`.
     */
    get(recordingSettingID: string, options?: CallOptions): Promise<One<'getRecordingSettings'>>;
    /**
     * Read or list the recording settings.
     *
     * With `recordingSettingID`, answers that record. Without it, answers a list of at most one record. The key needs the operation `readSettings`.
     */
    list(
      query?: ListQuery<'getRecordingSettings'>,
      options?: CallOptions,
    ): Listing<Item<'getRecordingSettings', 'recordingSettings'>>;
  };
  /**
   * Recordings of rooms, participants and external sessions, and their files.
   */
  recordings: {
    /**
     * Read one recording or list recordings.
     *
     * With `recordingID`, answers that recording and a download URL. Without it, lists recordings, newest first. The key needs the operation `readRecordings`.
     */
    get(recordingID: string, options?: CallOptions): Promise<One<'getRecordings'>>;
    /**
     * Read one recording or list recordings.
     *
     * With `recordingID`, answers that recording and a download URL. Without it, lists recordings, newest first. The key needs the operation `readRecordings`.
     */
    list(query?: ListQuery<'getRecordings'>, options?: CallOptions): Listing<Item<'getRecordings', 'recordings'>>;
    /**
     * Start a recording.
     *
     * Records the whole room in one picture, or one participant or external session. Uses the recording settings of the account. The key needs the operation `manageRecordings`.
     */
    start(body: Body<'startRecording'>, options?: CallOptions): Promise<Answer<'startRecording'>>;
    /**
     * Compose recordings of single sources.
     *
     * Makes one new recording from the files of recordings of one room, each at the time at which it was recorded. Uses the recording settings of the account. The key needs the operation `manageRecordings`.
     */
    compose(body: Body<'composeRecording'>, options?: CallOptions): Promise<Answer<'composeRecording'>>;
    /**
     * Stop a recording.
     *
     * The file is available when the recording is `ready`. The key needs the operation `manageRecordings`.
     */
    stop(body: Body<'stopRecording'>, options?: CallOptions): Promise<Answer<'stopRecording'>>;
    /**
     * Delete a recording and its file.
     *
     * Repeating the deletion gives the same answer. The key needs the operation `manageRecordings`.
     */
    delete(body: Body<'deleteRecording'>, options?: CallOptions): Promise<Answer<'deleteRecording'>>;
  };
  /**
   * Sending media to other services by RTMP, RTMPS, SRT or WHIP.
   */
  restreams: {
    /**
     * Send an external session or a broadcast to another service.
     *
     * The platform connects to the target until the restream or its source ends. The key needs the operation `broadcastMedia`.
     */
    create(meetingID: string, body: Body<'createRestream'>, options?: CallOptions): Promise<Answer<'createRestream'>>;
    /**
     * List the restreams of a room.
     *
     * Newest first. The key needs the operation `broadcastMedia` or `readRooms`.
     */
    list(
      meetingID: string,
      query?: ListQuery<'listRestreams'>,
      options?: CallOptions,
    ): Listing<Item<'listRestreams', 'restreams'>>;
    /**
     * Read a restream.
     *
     * The key needs the operation `broadcastMedia` or `readRooms`.
     */
    get(meetingID: string, restreamID: string, options?: CallOptions): Promise<Answer<'getRestream'>>;
    /**
     * End a restream.
     *
     * Repeating the deletion is safe. The key needs the operation `broadcastMedia`.
     */
    delete(
      meetingID: string,
      restreamID: string,
      body?: Body<'deleteRestream'>,
      options?: CallOptions,
    ): Promise<Answer<'deleteRestream'>>;
  };
  /**
   * Rooms, in which members meet and external sessions publish.
   */
  rooms: {
    /**
     * Create a room.
     *
     * Answers the room and the join ticket of its host. The key needs the operation `createRoom`.
     */
    create(body: Body<'createRoom'>, options?: CallOptions): Promise<Answer<'createRoom'>>;
    /**
     * Join a room.
     *
     * Answers the participant and the ticket with which the participant connects to the room. The key needs the operation `joinRoom`.
     */
    join(body: Body<'joinRoom'>, options?: CallOptions): Promise<Answer<'joinRoom'>>;
    /**
     * Change a room.
     *
     * Changes only the fields that are sent. The key needs the operation `manageRooms`.
     */
    update(body: Body<'updateRoom'>, options?: CallOptions): Promise<Answer<'updateRoom'>>;
    /**
     * End a room.
     *
     * Disconnects the participants and ends all media of the room. Ending an ended room changes nothing. The key needs the operation `manageRooms`.
     */
    end(body: Body<'endRoom'>, options?: CallOptions): Promise<Answer<'endRoom'>>;
    /**
     * End a room (same as `end`).
     *
     * The key needs the operation `manageRooms`.
     */
    delete(body: Body<'deleteRoom'>, options?: CallOptions): Promise<Answer<'deleteRoom'>>;
    /**
     * Read one room or list rooms.
     *
     * With `meetingID`, answers that room. Without it, lists the rooms of the key’s environment, newest first. The key needs the operation `readRooms`.
     */
    get(meetingID: string, options?: CallOptions): Promise<One<'getRooms'>>;
    /**
     * Read one room or list rooms.
     *
     * With `meetingID`, answers that room. Without it, lists the rooms of the key’s environment, newest first. The key needs the operation `readRooms`.
     */
    list(query?: ListQuery<'getRooms'>, options?: CallOptions): Listing<Item<'getRooms', 'rooms'>>;
  };
  /**
   * The account’s own telephone numbers. Stored only: the service answers and places no calls.
   */
  sipConfigurations: {
    /**
     * Create a SIP configuration.
     *
     * Answers contain no password. The key needs the operation `manageSip`.
     */
    create(body: Body<'createSipConfig'>, options?: CallOptions): Promise<Answer<'createSipConfig'>>;
    /**
     * Change a SIP configuration.
     *
     * Changes only the fields that are sent. The key needs the operation `manageSip`.
     */
    update(body: Body<'updateSipConfig'>, options?: CallOptions): Promise<Answer<'updateSipConfig'>>;
    /**
     * Delete a SIP configuration.
     *
     * Repeating the deletion gives the same answer. The key needs the operation `manageSip`.
     */
    delete(body: Body<'deleteSipConfig'>, options?: CallOptions): Promise<Answer<'deleteSipConfig'>>;
    /**
     * Read one SIP configuration or list them.
     *
     * With `sipConfigID`, answers that configuration. Without it, lists all configurations, newest first. The key needs the operation `manageSip`.
     */
    get(sipConfigID: string, options?: CallOptions): Promise<One<'getSipConfigs'>>;
    /**
     * Read one SIP configuration or list them.
     *
     * With `sipConfigID`, answers that configuration. Without it, lists all configurations, newest first. The key needs the operation `manageSip`.
     */
    list(query?: ListQuery<'getSipConfigs'>, options?: CallOptions): Listing<Item<'getSipConfigs', 'sipConfigs'>>;
  };
  /**
   * Holders of keys that share the account and its balance. They do not sign in to the dashboard.
   */
  subUsers: {
    /**
     * Create a sub-user.
     *
     * This answer alone contains the keys of the sub-user. Store them. The key needs the operation `manageSubUsers`.
     */
    create(body: Body<'createSubUser'>, options?: CallOptions): Promise<Answer<'createSubUser'>>;
    /**
     * Change a sub-user.
     *
     * Changes only the fields that are sent. The key needs the operation `manageSubUsers`.
     */
    update(body: Body<'updateSubUser'>, options?: CallOptions): Promise<Answer<'updateSubUser'>>;
    /**
     * Replace a key of a sub-user.
     *
     * This answer alone contains the new key. Store it. The key needs the operation `manageSubUsers`.
     */
    rotateKey(body: Body<'rotateSubUserKey'>, options?: CallOptions): Promise<Answer<'rotateSubUserKey'>>;
    /**
     * Disable a key of a sub-user.
     *
     * The service refuses the key from the next request on, until the key is enabled again. The key needs the operation `manageSubUsers`.
     */
    disableKey(body: Body<'disableSubUserKey'>, options?: CallOptions): Promise<Answer<'disableSubUserKey'>>;
    /**
     * Enable a key of a sub-user.
     *
     * The key needs the operation `manageSubUsers`.
     */
    enableKey(body: Body<'enableSubUserKey'>, options?: CallOptions): Promise<Answer<'enableSubUserKey'>>;
    /**
     * Revoke a key of a sub-user.
     *
     * Revocation is final. The record of the key remains for the retention time. Revoking the key again changes nothing. The key needs the operation `manageSubUsers`.
     */
    deleteKey(body: Body<'deleteSubUserKey'>, options?: CallOptions): Promise<Answer<'deleteSubUserKey'>>;
    /**
     * Delete a sub-user.
     *
     * The service refuses all keys of the sub-user from the next request on. Repeating the deletion gives the same answer. The key needs the operation `manageSubUsers`.
     */
    delete(body: Body<'deleteSubUser'>, options?: CallOptions): Promise<Answer<'deleteSubUser'>>;
    /**
     * Read one sub-user or list sub-users.
     *
     * With `subUserID`, answers that sub-user and its keys. Without it, lists all sub-users, newest first. The key needs the operation `manageSubUsers`.
     */
    get(subUserID: string, options?: CallOptions): Promise<One<'getSubUsers'>>;
    /**
     * Read one sub-user or list sub-users.
     *
     * With `subUserID`, answers that sub-user and its keys. Without it, lists all sub-users, newest first. The key needs the operation `manageSubUsers`.
     */
    list(query?: ListQuery<'getSubUsers'>, options?: CallOptions): Listing<Item<'getSubUsers', 'subUsers'>>;
  };
  /**
   * Named presets of AI notes and translation. Stored only: the service does neither.
   */
  translationConfigurations: {
    /**
     * Create a translation configuration.
     *
     * The key needs the operation `manageTranslation`.
     */
    create(body: Body<'createTranslationConfig'>, options?: CallOptions): Promise<Answer<'createTranslationConfig'>>;
    /**
     * Change a translation configuration.
     *
     * Changes only the fields that are sent. The key needs the operation `manageTranslation`.
     */
    update(body: Body<'updateTranslationConfig'>, options?: CallOptions): Promise<Answer<'updateTranslationConfig'>>;
    /**
     * Delete a translation configuration.
     *
     * Remove the configuration from event settings first. Repeating the deletion gives the same answer. The key needs the operation `manageTranslation`.
     */
    delete(body: Body<'deleteTranslationConfig'>, options?: CallOptions): Promise<Answer<'deleteTranslationConfig'>>;
    /**
     * Read one translation configuration or list them.
     *
     * With `translationConfigID`, answers that configuration. Without it, lists all configurations, newest first. The key needs the operation `manageTranslation`.
     */
    get(translationConfigID: string, options?: CallOptions): Promise<One<'getTranslationConfigs'>>;
    /**
     * Read one translation configuration or list them.
     *
     * With `translationConfigID`, answers that configuration. Without it, lists all configurations, newest first. The key needs the operation `manageTranslation`.
     */
    list(
      query?: ListQuery<'getTranslationConfigs'>,
      options?: CallOptions,
    ): Listing<Item<'getTranslationConfigs', 'translationConfigs'>>;
  };
  /**
   * Addresses of yours that receive the events of the account, signed by Standard Webhooks.
   */
  webhooks: {
    /**
     * Create a webhook.
     *
     * This answer alone contains the secret. Events come at least once, those of a resource in order. The key needs the operation `manageWebhooks`.
     */
    create(body: Body<'createWebhook'>, options?: CallOptions): Promise<Answer<'createWebhook'>>;
    /**
     * Change, disable or enable a webhook.
     *
     * Changes only the fields that are sent. The key needs the operation `manageWebhooks`.
     */
    update(body: Body<'updateWebhook'>, options?: CallOptions): Promise<Answer<'updateWebhook'>>;
    /**
     * Give a webhook a new secret.
     *
     * This answer alone contains the secret. The former secret signs too for 24 hours. The key needs the operation `manageWebhooks`.
     */
    rotateSecret(body: Body<'rotateWebhookSecret'>, options?: CallOptions): Promise<Answer<'rotateWebhookSecret'>>;
    /**
     * Send a test event.
     *
     * Sends `webhook.test` once, also to a disabled webhook. The delivery tells the result. The key needs the operation `manageWebhooks`.
     */
    test(body: Body<'testWebhook'>, options?: CallOptions): Promise<Answer<'testWebhook'>>;
    /**
     * Send a delivery again.
     *
     * Makes a new delivery of the same event, which has the same identifier. The key needs the operation `manageWebhooks`.
     */
    resend(body: Body<'resendWebhookDelivery'>, options?: CallOptions): Promise<Answer<'resendWebhookDelivery'>>;
    /**
     * Send a range of events again.
     *
     * Sends matching events of the log beside new events, at most five ranges at a time. The key needs the operation `manageWebhooks`.
     */
    replay(body: Body<'replayWebhookEvents'>, options?: CallOptions): Promise<Answer<'replayWebhookEvents'>>;
    /**
     * Delete a webhook.
     *
     * Waiting deliveries are dropped. Repeating the deletion gives the same answer. The key needs the operation `manageWebhooks`.
     */
    delete(body: Body<'deleteWebhook'>, options?: CallOptions): Promise<Answer<'deleteWebhook'>>;
    /**
     * Read one webhook or list webhooks.
     *
     * With `webhookID`, answers that webhook. Without it, lists all webhooks, newest first. The key needs the operation `manageWebhooks`.
     */
    get(webhookID: string, options?: CallOptions): Promise<One<'getWebhooks'>>;
    /**
     * Read one webhook or list webhooks.
     *
     * With `webhookID`, answers that webhook. Without it, lists all webhooks, newest first. The key needs the operation `manageWebhooks`.
     */
    list(query?: ListQuery<'getWebhooks'>, options?: CallOptions): Listing<Item<'getWebhooks', 'webhooks'>>;
    /**
     * List deliveries.
     *
     * Newest first. The key needs the operation `manageWebhooks`.
     */
    listDeliveries(
      webhookID: string,
      query?: ListQuery<'listWebhookDeliveries'>,
      options?: CallOptions,
    ): Listing<Item<'listWebhookDeliveries', 'deliveries'>>;
    /**
     * Read a delivery with its requests.
     *
     * The key needs the operation `manageWebhooks`.
     */
    getDelivery(webhookID: string, deliveryID: string, options?: CallOptions): Promise<Answer<'getWebhookDelivery'>>;
  };
}

/** The request of each method. */
export const methodTable = {
  agents: {
    create: {
      operationId: 'createAgent',
      method: 'POST',
      path: '/v1/agents',
      action: 'create',
      kind: 'call',
      hasBody: true,
    },
    update: {
      operationId: 'updateAgent',
      method: 'POST',
      path: '/v1/agents',
      action: 'update',
      kind: 'call',
      hasBody: true,
    },
    delete: {
      operationId: 'deleteAgent',
      method: 'POST',
      path: '/v1/agents',
      action: 'delete',
      kind: 'call',
      hasBody: true,
    },
    get: { operationId: 'getAgents', method: 'GET', path: '/v1/agents', action: 'get', kind: 'one', id: 'agentID' },
    list: {
      operationId: 'getAgents',
      method: 'GET',
      path: '/v1/agents',
      action: 'get',
      kind: 'list',
      items: 'agents',
      hasQuery: true,
    },
  },
  aiCredentials: {
    create: {
      operationId: 'createAiCredential',
      method: 'POST',
      path: '/v1/aicredentials',
      action: 'create',
      kind: 'call',
      hasBody: true,
    },
    update: {
      operationId: 'updateAiCredential',
      method: 'POST',
      path: '/v1/aicredentials',
      action: 'update',
      kind: 'call',
      hasBody: true,
    },
    delete: {
      operationId: 'deleteAiCredential',
      method: 'POST',
      path: '/v1/aicredentials',
      action: 'delete',
      kind: 'call',
      hasBody: true,
    },
    get: {
      operationId: 'getAiCredentials',
      method: 'GET',
      path: '/v1/aicredentials',
      action: 'get',
      kind: 'one',
      id: 'aiCredentialID',
    },
    list: {
      operationId: 'getAiCredentials',
      method: 'GET',
      path: '/v1/aicredentials',
      action: 'get',
      kind: 'list',
      items: 'aiCredentials',
      hasQuery: true,
    },
  },
  balance: {
    get: { operationId: 'getBalance', method: 'GET', path: '/v1/balance', action: 'get', kind: 'call' },
  },
  broadcasts: {
    listViewers: {
      operationId: 'listBroadcastViewers',
      method: 'GET',
      path: '/v1/meetings/{meetingID}/broadcasts/{broadcastID}/viewers',
      kind: 'list',
      items: 'viewers',
      hasQuery: true,
    },
    create: {
      operationId: 'createBroadcast',
      method: 'POST',
      path: '/v1/meetings/{meetingID}/broadcasts',
      kind: 'call',
      hasBody: true,
    },
    list: {
      operationId: 'listBroadcasts',
      method: 'GET',
      path: '/v1/meetings/{meetingID}/broadcasts',
      kind: 'list',
      items: 'broadcasts',
      hasQuery: true,
    },
    get: {
      operationId: 'getBroadcast',
      method: 'GET',
      path: '/v1/meetings/{meetingID}/broadcasts/{broadcastID}',
      kind: 'call',
    },
    delete: {
      operationId: 'deleteBroadcast',
      method: 'DELETE',
      path: '/v1/meetings/{meetingID}/broadcasts/{broadcastID}',
      kind: 'call',
      hasBody: true,
    },
  },
  disposableKeys: {
    create: {
      operationId: 'createDisposableKey',
      method: 'POST',
      path: '/v1/disposable-keys',
      action: 'create',
      kind: 'call',
      hasBody: true,
    },
    update: {
      operationId: 'updateDisposableKey',
      method: 'POST',
      path: '/v1/disposable-keys',
      action: 'update',
      kind: 'call',
      hasBody: true,
    },
    delete: {
      operationId: 'deleteDisposableKey',
      method: 'POST',
      path: '/v1/disposable-keys',
      action: 'delete',
      kind: 'call',
      hasBody: true,
    },
    get: {
      operationId: 'getDisposableKeys',
      method: 'GET',
      path: '/v1/disposable-keys',
      action: 'get',
      kind: 'one',
      id: 'keyID',
    },
    list: {
      operationId: 'getDisposableKeys',
      method: 'GET',
      path: '/v1/disposable-keys',
      action: 'get',
      kind: 'list',
      items: 'disposableKeys',
      hasQuery: true,
    },
  },
  domains: {
    create: {
      operationId: 'createDomain',
      method: 'POST',
      path: '/v1/domains',
      action: 'create',
      kind: 'call',
      hasBody: true,
    },
    update: {
      operationId: 'updateDomain',
      method: 'POST',
      path: '/v1/domains',
      action: 'update',
      kind: 'call',
      hasBody: true,
    },
    delete: {
      operationId: 'deleteDomain',
      method: 'POST',
      path: '/v1/domains',
      action: 'delete',
      kind: 'call',
      hasBody: true,
    },
    get: { operationId: 'getDomains', method: 'GET', path: '/v1/domains', action: 'get', kind: 'one', id: 'domainID' },
    list: {
      operationId: 'getDomains',
      method: 'GET',
      path: '/v1/domains',
      action: 'get',
      kind: 'list',
      items: 'domains',
      hasQuery: true,
    },
  },
  eventSettings: {
    create: {
      operationId: 'createEventSetting',
      method: 'POST',
      path: '/v1/eventssettings',
      action: 'create',
      kind: 'call',
      hasBody: true,
    },
    update: {
      operationId: 'updateEventSetting',
      method: 'POST',
      path: '/v1/eventssettings',
      action: 'update',
      kind: 'call',
      hasBody: true,
    },
    delete: {
      operationId: 'deleteEventSetting',
      method: 'POST',
      path: '/v1/eventssettings',
      action: 'delete',
      kind: 'call',
      hasBody: true,
    },
    get: {
      operationId: 'getEventSettings',
      method: 'GET',
      path: '/v1/eventssettings',
      action: 'get',
      kind: 'one',
      id: 'eventsSettingID',
    },
    list: {
      operationId: 'getEventSettings',
      method: 'GET',
      path: '/v1/eventssettings',
      action: 'get',
      kind: 'list',
      items: 'eventsSettings',
      hasQuery: true,
    },
  },
  events: {
    list: {
      operationId: 'listEvents',
      method: 'GET',
      path: '/v1/events',
      kind: 'list',
      items: 'events',
      hasQuery: true,
    },
  },
  externalSessions: {
    getParticipantState: {
      operationId: 'getParticipantState',
      method: 'GET',
      path: '/v1/meetings/{meetingID}/external-sessions/{sessionID}/participant-state',
      kind: 'call',
    },
    votePoll: {
      operationId: 'votePoll',
      method: 'POST',
      path: '/v1/meetings/{meetingID}/external-sessions/{sessionID}/participant-actions',
      action: 'poll.vote',
      kind: 'call',
      hasBody: true,
    },
    sendChatMessage: {
      operationId: 'sendChatMessage',
      method: 'POST',
      path: '/v1/meetings/{meetingID}/external-sessions/{sessionID}/participant-actions',
      action: 'chat.send',
      kind: 'call',
      hasBody: true,
    },
    sendParticipantRequest: {
      operationId: 'sendParticipantRequest',
      method: 'POST',
      path: '/v1/meetings/{meetingID}/external-sessions/{sessionID}/participant-actions',
      action: 'participant.request',
      kind: 'call',
      hasBody: true,
    },
    create: {
      operationId: 'createExternalSession',
      method: 'POST',
      path: '/v1/meetings/{meetingID}/external-sessions',
      kind: 'call',
      hasBody: true,
    },
    list: {
      operationId: 'listExternalSessions',
      method: 'GET',
      path: '/v1/meetings/{meetingID}/external-sessions',
      kind: 'list',
      items: 'externalSessions',
      hasQuery: true,
    },
    get: {
      operationId: 'getExternalSession',
      method: 'GET',
      path: '/v1/meetings/{meetingID}/external-sessions/{sessionID}',
      kind: 'call',
    },
    delete: {
      operationId: 'deleteExternalSession',
      method: 'DELETE',
      path: '/v1/meetings/{meetingID}/external-sessions/{sessionID}',
      kind: 'call',
      hasBody: true,
    },
    renewIngestToken: {
      operationId: 'renewIngestToken',
      method: 'POST',
      path: '/v1/meetings/{meetingID}/external-sessions/{sessionID}',
      action: 'renewToken',
      kind: 'call',
    },
    pauseTrack: {
      operationId: 'pauseTrack',
      method: 'POST',
      path: '/v1/meetings/{meetingID}/external-sessions/{sessionID}/tracks/{trackID}',
      action: 'pause',
      kind: 'call',
    },
    resumeTrack: {
      operationId: 'resumeTrack',
      method: 'POST',
      path: '/v1/meetings/{meetingID}/external-sessions/{sessionID}/tracks/{trackID}',
      action: 'resume',
      kind: 'call',
    },
    requestTrackKeyframe: {
      operationId: 'requestTrackKeyframe',
      method: 'POST',
      path: '/v1/meetings/{meetingID}/external-sessions/{sessionID}/tracks/{trackID}',
      action: 'requestKeyframe',
      kind: 'call',
    },
    closeTrack: {
      operationId: 'closeTrack',
      method: 'POST',
      path: '/v1/meetings/{meetingID}/external-sessions/{sessionID}/tracks/{trackID}',
      action: 'close',
      kind: 'call',
    },
    getHistory: {
      operationId: 'getExternalSessionHistory',
      method: 'GET',
      path: '/v1/meetings/{meetingID}/external-sessions/{sessionID}/history',
      kind: 'call',
      hasQuery: true,
    },
  },
  logs: {
    listAuditLog: {
      operationId: 'listAuditLog',
      method: 'GET',
      path: '/v1/audit-log',
      kind: 'list',
      items: 'entries',
      hasQuery: true,
    },
    listRoomLogs: {
      operationId: 'listRoomLogs',
      method: 'GET',
      path: '/v1/room/logs',
      kind: 'list',
      items: 'data',
      hasQuery: true,
    },
    listSipCallLogs: {
      operationId: 'listSipCallLogs',
      method: 'GET',
      path: '/v1/sipcall/logs',
      kind: 'list',
      items: 'data',
      hasQuery: true,
    },
  },
  playbacks: {
    create: {
      operationId: 'createPlayback',
      method: 'POST',
      path: '/v1/meetings/{meetingID}/playbacks',
      kind: 'call',
      hasBody: true,
    },
    list: {
      operationId: 'listPlaybacks',
      method: 'GET',
      path: '/v1/meetings/{meetingID}/playbacks',
      kind: 'list',
      items: 'playbacks',
      hasQuery: true,
    },
    get: {
      operationId: 'getPlayback',
      method: 'GET',
      path: '/v1/meetings/{meetingID}/playbacks/{playbackID}',
      kind: 'call',
    },
    delete: {
      operationId: 'deletePlayback',
      method: 'DELETE',
      path: '/v1/meetings/{meetingID}/playbacks/{playbackID}',
      kind: 'call',
      hasBody: true,
    },
    listViewers: {
      operationId: 'listPlaybackViewers',
      method: 'GET',
      path: '/v1/meetings/{meetingID}/playbacks/{playbackID}/viewers',
      kind: 'list',
      items: 'viewers',
      hasQuery: true,
    },
  },
  recordingSettings: {
    create: {
      operationId: 'createRecordingSetting',
      method: 'POST',
      path: '/v1/recordingsettings',
      action: 'create',
      kind: 'call',
      hasBody: true,
    },
    update: {
      operationId: 'updateRecordingSetting',
      method: 'POST',
      path: '/v1/recordingsettings',
      action: 'update',
      kind: 'call',
      hasBody: true,
    },
    get: {
      operationId: 'getRecordingSettings',
      method: 'GET',
      path: '/v1/recordingsettings',
      action: 'get',
      kind: 'one',
      id: 'recordingSettingID',
    },
    list: {
      operationId: 'getRecordingSettings',
      method: 'GET',
      path: '/v1/recordingsettings',
      action: 'get',
      kind: 'list',
      items: 'recordingSettings',
      hasQuery: true,
    },
  },
  recordings: {
    get: {
      operationId: 'getRecordings',
      method: 'GET',
      path: '/v1/recordings',
      action: 'get',
      kind: 'one',
      id: 'recordingID',
    },
    list: {
      operationId: 'getRecordings',
      method: 'GET',
      path: '/v1/recordings',
      action: 'get',
      kind: 'list',
      items: 'recordings',
      hasQuery: true,
    },
    start: {
      operationId: 'startRecording',
      method: 'POST',
      path: '/v1/recordings',
      action: 'start',
      kind: 'call',
      hasBody: true,
    },
    compose: {
      operationId: 'composeRecording',
      method: 'POST',
      path: '/v1/recordings',
      action: 'compose',
      kind: 'call',
      hasBody: true,
    },
    stop: {
      operationId: 'stopRecording',
      method: 'POST',
      path: '/v1/recordings',
      action: 'stop',
      kind: 'call',
      hasBody: true,
    },
    delete: {
      operationId: 'deleteRecording',
      method: 'POST',
      path: '/v1/recordings',
      action: 'delete',
      kind: 'call',
      hasBody: true,
    },
  },
  restreams: {
    create: {
      operationId: 'createRestream',
      method: 'POST',
      path: '/v1/meetings/{meetingID}/restreams',
      kind: 'call',
      hasBody: true,
    },
    list: {
      operationId: 'listRestreams',
      method: 'GET',
      path: '/v1/meetings/{meetingID}/restreams',
      kind: 'list',
      items: 'restreams',
      hasQuery: true,
    },
    get: {
      operationId: 'getRestream',
      method: 'GET',
      path: '/v1/meetings/{meetingID}/restreams/{restreamID}',
      kind: 'call',
    },
    delete: {
      operationId: 'deleteRestream',
      method: 'DELETE',
      path: '/v1/meetings/{meetingID}/restreams/{restreamID}',
      kind: 'call',
      hasBody: true,
    },
  },
  rooms: {
    create: {
      operationId: 'createRoom',
      method: 'POST',
      path: '/v1/rooms',
      action: 'create',
      kind: 'call',
      hasBody: true,
    },
    join: { operationId: 'joinRoom', method: 'POST', path: '/v1/rooms', action: 'join', kind: 'call', hasBody: true },
    update: {
      operationId: 'updateRoom',
      method: 'POST',
      path: '/v1/rooms',
      action: 'update',
      kind: 'call',
      hasBody: true,
    },
    end: { operationId: 'endRoom', method: 'POST', path: '/v1/rooms', action: 'end', kind: 'call', hasBody: true },
    delete: {
      operationId: 'deleteRoom',
      method: 'POST',
      path: '/v1/rooms',
      action: 'delete',
      kind: 'call',
      hasBody: true,
    },
    get: { operationId: 'getRooms', method: 'GET', path: '/v1/rooms', action: 'get', kind: 'one', id: 'meetingID' },
    list: {
      operationId: 'getRooms',
      method: 'GET',
      path: '/v1/rooms',
      action: 'get',
      kind: 'list',
      items: 'rooms',
      hasQuery: true,
    },
  },
  sipConfigurations: {
    create: {
      operationId: 'createSipConfig',
      method: 'POST',
      path: '/v1/sipconfigs',
      action: 'create',
      kind: 'call',
      hasBody: true,
    },
    update: {
      operationId: 'updateSipConfig',
      method: 'POST',
      path: '/v1/sipconfigs',
      action: 'update',
      kind: 'call',
      hasBody: true,
    },
    delete: {
      operationId: 'deleteSipConfig',
      method: 'POST',
      path: '/v1/sipconfigs',
      action: 'delete',
      kind: 'call',
      hasBody: true,
    },
    get: {
      operationId: 'getSipConfigs',
      method: 'GET',
      path: '/v1/sipconfigs',
      action: 'get',
      kind: 'one',
      id: 'sipConfigID',
    },
    list: {
      operationId: 'getSipConfigs',
      method: 'GET',
      path: '/v1/sipconfigs',
      action: 'get',
      kind: 'list',
      items: 'sipConfigs',
      hasQuery: true,
    },
  },
  subUsers: {
    create: {
      operationId: 'createSubUser',
      method: 'POST',
      path: '/v1/subusers',
      action: 'create',
      kind: 'call',
      hasBody: true,
    },
    update: {
      operationId: 'updateSubUser',
      method: 'POST',
      path: '/v1/subusers',
      action: 'update',
      kind: 'call',
      hasBody: true,
    },
    rotateKey: {
      operationId: 'rotateSubUserKey',
      method: 'POST',
      path: '/v1/subusers',
      action: 'rotateKey',
      kind: 'call',
      hasBody: true,
    },
    disableKey: {
      operationId: 'disableSubUserKey',
      method: 'POST',
      path: '/v1/subusers',
      action: 'disableKey',
      kind: 'call',
      hasBody: true,
    },
    enableKey: {
      operationId: 'enableSubUserKey',
      method: 'POST',
      path: '/v1/subusers',
      action: 'enableKey',
      kind: 'call',
      hasBody: true,
    },
    deleteKey: {
      operationId: 'deleteSubUserKey',
      method: 'POST',
      path: '/v1/subusers',
      action: 'deleteKey',
      kind: 'call',
      hasBody: true,
    },
    delete: {
      operationId: 'deleteSubUser',
      method: 'POST',
      path: '/v1/subusers',
      action: 'delete',
      kind: 'call',
      hasBody: true,
    },
    get: {
      operationId: 'getSubUsers',
      method: 'GET',
      path: '/v1/subusers',
      action: 'get',
      kind: 'one',
      id: 'subUserID',
    },
    list: {
      operationId: 'getSubUsers',
      method: 'GET',
      path: '/v1/subusers',
      action: 'get',
      kind: 'list',
      items: 'subUsers',
      hasQuery: true,
    },
  },
  translationConfigurations: {
    create: {
      operationId: 'createTranslationConfig',
      method: 'POST',
      path: '/v1/translationconfigs',
      action: 'create',
      kind: 'call',
      hasBody: true,
    },
    update: {
      operationId: 'updateTranslationConfig',
      method: 'POST',
      path: '/v1/translationconfigs',
      action: 'update',
      kind: 'call',
      hasBody: true,
    },
    delete: {
      operationId: 'deleteTranslationConfig',
      method: 'POST',
      path: '/v1/translationconfigs',
      action: 'delete',
      kind: 'call',
      hasBody: true,
    },
    get: {
      operationId: 'getTranslationConfigs',
      method: 'GET',
      path: '/v1/translationconfigs',
      action: 'get',
      kind: 'one',
      id: 'translationConfigID',
    },
    list: {
      operationId: 'getTranslationConfigs',
      method: 'GET',
      path: '/v1/translationconfigs',
      action: 'get',
      kind: 'list',
      items: 'translationConfigs',
      hasQuery: true,
    },
  },
  webhooks: {
    create: {
      operationId: 'createWebhook',
      method: 'POST',
      path: '/v1/webhooks',
      action: 'create',
      kind: 'call',
      hasBody: true,
    },
    update: {
      operationId: 'updateWebhook',
      method: 'POST',
      path: '/v1/webhooks',
      action: 'update',
      kind: 'call',
      hasBody: true,
    },
    rotateSecret: {
      operationId: 'rotateWebhookSecret',
      method: 'POST',
      path: '/v1/webhooks',
      action: 'rotateSecret',
      kind: 'call',
      hasBody: true,
    },
    test: {
      operationId: 'testWebhook',
      method: 'POST',
      path: '/v1/webhooks',
      action: 'test',
      kind: 'call',
      hasBody: true,
    },
    resend: {
      operationId: 'resendWebhookDelivery',
      method: 'POST',
      path: '/v1/webhooks',
      action: 'resend',
      kind: 'call',
      hasBody: true,
    },
    replay: {
      operationId: 'replayWebhookEvents',
      method: 'POST',
      path: '/v1/webhooks',
      action: 'replay',
      kind: 'call',
      hasBody: true,
    },
    delete: {
      operationId: 'deleteWebhook',
      method: 'POST',
      path: '/v1/webhooks',
      action: 'delete',
      kind: 'call',
      hasBody: true,
    },
    get: {
      operationId: 'getWebhooks',
      method: 'GET',
      path: '/v1/webhooks',
      action: 'get',
      kind: 'one',
      id: 'webhookID',
    },
    list: {
      operationId: 'getWebhooks',
      method: 'GET',
      path: '/v1/webhooks',
      action: 'get',
      kind: 'list',
      items: 'webhooks',
      hasQuery: true,
    },
    listDeliveries: {
      operationId: 'listWebhookDeliveries',
      method: 'GET',
      path: '/v1/webhooks/{webhookID}/deliveries',
      kind: 'list',
      items: 'deliveries',
      hasQuery: true,
    },
    getDelivery: {
      operationId: 'getWebhookDelivery',
      method: 'GET',
      path: '/v1/webhooks/{webhookID}/deliveries/{deliveryID}',
      kind: 'call',
    },
  },
} as const satisfies MethodTable;
