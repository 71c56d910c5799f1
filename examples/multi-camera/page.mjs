import { WHEPClient } from 'whip-whep/whep.js';

const player = /** @type {HTMLVideoElement} */ (document.getElementById('player'));
const shown = /** @type {HTMLElement} */ (document.getElementById('shown'));

/** The view on the screen. @type {{ client: WHEPClient, connection: RTCPeerConnection } | undefined} */
let current;
/** Counts clicks: an older one that connects late must not win. */
let newest = 0;

/** Opens a playback of the camera beside the present one, and switches when its first picture is there. @param {string} camera */
async function show(camera) {
  const turn = ++newest;
  const response = await fetch(`/watch?camera=${encodeURIComponent(camera)}`, { method: 'POST' });
  if (!response.ok) throw new Error(await response.text());
  const { url, token } = await response.json();
  const connection = new RTCPeerConnection();
  const client = new WHEPClient();
  const stream = new MediaStream();
  const { receiver } = connection.addTransceiver('video', { direction: 'recvonly' });
  stream.addTrack(receiver.track);
  const next = Object.assign(document.createElement('video'), { muted: true, autoplay: true, srcObject: stream });
  const firstPicture = new Promise(resolve => next.requestVideoFrameCallback(resolve));
  await client.view(connection, url, token);
  await firstPicture;
  if (turn !== newest) return void client.stop();
  const former = current;
  current = { client, connection };
  player.srcObject = stream;
  shown.textContent = camera;
  await former?.client.stop();
}

/** A button for each camera that sends. */
async function list() {
  /** @type {string[]} */
  const names = await (await fetch('/cameras')).json();
  const buttons = names.map(name => {
    const button = Object.assign(document.createElement('button'), { textContent: name });
    button.addEventListener('click', () => show(name).catch(error => (shown.textContent = error.message)));
    return button;
  });
  document.getElementById('cameras')?.replaceChildren(...buttons);
}

await list();
setInterval(list, 2_000);
