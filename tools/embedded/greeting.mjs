/**
 * @typedef {object} ReadyFile
 * @property {string} gateway
 * @property {string} sfu
 * @property {string} transcoder
 * @property {string} apiUserName
 * @property {string | undefined} apiKey
 * @property {string} adminToken
 * @property {string} dashboard
 * @property {string | undefined} email of the demo account's user of the dashboard
 * @property {string | undefined} password
 * @property {string | undefined} adminEmail
 * @property {string | undefined} adminPassword
 */

/** Addresses of the services. @param {ReadyFile} ready @param {string} took */
export function readyLines(ready, took) {
  return [
    '',
    `RTMS is ready (${took}).`,
    `  gateway     ${ready.gateway}`,
    `  sfu         ${ready.sfu}`,
    `  transcoder  ${ready.transcoder}`,
    `  dashboard   ${ready.dashboard}`,
  ];
}

/** Shown once, when the dashboard's users are new. @param {ReadyFile} ready */
export function signInLines(ready) {
  return [
    '',
    `Sign in at ${ready.dashboard} (shown this once; kept in the credentials.json of this installation):`,
    `  demo account   ${ready.email ?? ''}  ${ready.password ?? ''}`,
    `  administrator  ${ready.adminEmail ?? ''}  ${ready.adminPassword ?? ''}`,
  ];
}

/**
 * Shown once, when the demo account is new: its credential, and three commands that work as they stand.
 * @param {ReadyFile} ready
 * @param {string | undefined} caFile of a private CA
 */
export function firstStartLines(ready, caFile) {
  const curl = caFile && ready.gateway.startsWith('https:') ? `curl -s --cacert '${caFile}'` : 'curl -s';
  const credential = `${ready.apiUserName}:${ready.apiKey ?? ''}`;
  const authorization = `-H 'Authorization: Bearer ${credential}'`;
  const json = `-H 'Content-Type: application/json'`;
  const room = `{"action":"create","userName":"Ada"}`;
  const session = `{"displayName":"Encoder","ingest":{"protocol":"whip","tracks":["audio","video"]}}`;
  const pickRoom = `grep -o '"meetingID":"[^"]*"' | head -n 1 | cut -d '"' -f 4`;
  return [
    '',
    'Demo account with a sandbox credential (shown this once; kept in the credentials.json of this installation):',
    `  ${credential}`,
    '',
    '1. Create a room:',
    `ROOM=$(${curl} -X POST ${ready.gateway}/v1/rooms ${authorization} ${json} -d '${room}' | ${pickRoom}); echo "$ROOM"`,
    '2. Create an external session in it; the answer holds the WHIP address and its token:',
    `${curl} -X POST "${ready.gateway}/v1/meetings/$ROOM/external-sessions" ${authorization} ${json} -d '${session}'`,
    "3. List the room's external sessions:",
    `${curl} "${ready.gateway}/v1/meetings/$ROOM/external-sessions" ${authorization}`,
    '',
    'Or send a test picture into a new room, and watch it in the dashboard: npm run publish',
  ];
}

/** @param {string} home @param {boolean} keyIsKnown */
export function laterStartLines(home, keyIsKnown) {
  if (keyIsKnown) return ['', `The demo account's credential is in ${home}/credentials.json.`];
  return ['', 'The key of the demo account is not known here: rotate it with rtms-admin to get a new one.'];
}
