/**
 * @typedef {object} ReadyFile
 * @property {string} gateway
 * @property {string} sfu
 * @property {string} transcoder
 * @property {string} ingest
 * @property {string} apiUserName
 * @property {string | undefined} apiKey
 * @property {string} adminToken
 * @property {string} dashboard
 * @property {string | undefined} lan address of the dashboard for other machines; absent when they cannot reach it
 * @property {string | undefined} email of the demo account's user of the dashboard
 * @property {string | undefined} password
 * @property {string | undefined} adminEmail of an administrator that an earlier version made
 * @property {string | undefined} adminPassword
 */

/**
 * The addresses as a table.
 * @param {ReadyFile} ready
 * @param {Readonly<Record<string, string>>} [health] by name of the service
 */
export function addressLines(ready, health = {}) {
  const rows = [
    ['dashboard', ready.dashboard],
    ['API reference', `${ready.gateway}/docs`],
    ['gateway', ready.gateway],
    ['sfu', ready.sfu],
    ['transcoder', ready.transcoder],
    ['ingest', ready.ingest],
    ['other machines', ready.lan ?? 'cannot reach it; `npm start -- --lan` lets them'],
  ];
  const width = Math.max(...rows.map(([, address = '']) => address.length));
  return rows.map(([name = '', address = '']) =>
    `  ${name.padEnd(14)}  ${address.padEnd(health[name] === undefined ? 0 : width)}  ${health[name] ?? ''}`.trimEnd(),
  );
}

/**
 * How to sign in to the dashboard, and the credential of the API.
 * @param {ReadyFile} ready
 * @param {string} home
 * @param {string | undefined} setupLink while the platform has no administrator
 */
export function signInLines(ready, home, setupLink) {
  const rows = [
    ['demo account', ready.email, ready.password],
    ['administrator', ready.adminEmail, ready.adminPassword],
  ].filter(([, email]) => email !== undefined);
  const key =
    ready.apiKey === undefined
      ? 'unknown: make one with `npx rtms-admin keys rotate`'
      : `${ready.apiUserName}:${ready.apiKey}`;
  return [
    `Sign in at ${ready.dashboard} (kept in ${home}/credentials.json):`,
    ...rows.map(([name = '', email = '', password = '']) => `  ${name.padEnd(14)}  ${email}  ${password}`),
    `  ${'API key'.padEnd(14)}  ${key}`,
    ...(setupLink === undefined
      ? []
      : ['Create the administrator in your browser (the link works once, within an hour):', `  ${setupLink}`]),
  ];
}

/**
 * Printed when everything runs. The credentials appear only when they are new: the terminal keeps what it shows.
 * @param {ReadyFile} ready
 * @param {{ took: string, home: string, isNew: boolean, caFile: string | undefined, setupLink: string | undefined }} start
 * `caFile`: of a private CA
 */
export function readyLines(ready, { took, home, isNew, caFile, setupLink }) {
  return [
    ...['', `RTMS is ready (${took}).`, ...addressLines(ready), ''],
    ...(isNew ? [...signInLines(ready, home, setupLink), '', ...apiLines(ready, caFile), ''] : []),
    'See a live picture by WHEP and HLS:       npm run demo   (in a second terminal)',
    'Show addresses, sign-in and health again: npx rtms status',
  ];
}

/**
 * Three commands that work as they stand.
 * @param {ReadyFile} ready
 * @param {string | undefined} caFile of a private CA
 */
function apiLines(ready, caFile) {
  const curl = caFile && ready.gateway.startsWith('https:') ? `curl -s --cacert '${caFile}'` : 'curl -s';
  const authorization = `-H 'Authorization: Bearer ${ready.apiUserName}:${ready.apiKey ?? ''}'`;
  const json = `-H 'Content-Type: application/json'`;
  const room = `{"action":"create","userName":"Ada"}`;
  const session = `{"displayName":"Encoder","ingest":{"protocol":"whip","tracks":["audio","video"]}}`;
  const pickRoom = `grep -o '"meetingID":"[^"]*"' | head -n 1 | cut -d '"' -f 4`;
  return [
    'Try the API: create a room, then an external session with its WHIP address and token, and list the sessions:',
    `ROOM=$(${curl} -X POST ${ready.gateway}/v1/rooms ${authorization} ${json} -d '${room}' | ${pickRoom}); echo "$ROOM"`,
    `${curl} -X POST "${ready.gateway}/v1/meetings/$ROOM/external-sessions" ${authorization} ${json} -d '${session}'`,
    `${curl} "${ready.gateway}/v1/meetings/$ROOM/external-sessions" ${authorization}`,
  ];
}
