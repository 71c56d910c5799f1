import '@rtms/player/element';
import { WHIPClient } from 'whip-whep/whip.js';

const video = (/** @type {string} */ id) => /** @type {HTMLVideoElement} */ (document.getElementById(id));

/** An address and a token from the server of this page. @param {string} path */
async function ask(path) {
  const response = await fetch(path, { method: 'POST' });
  if (!response.ok) throw new Error(await response.text());
  return /** @type {Promise<{ url: string, token: string }>} */ (response.json());
}

async function publish() {
  const { url, token } = await ask('/publish');
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true, video: { width: 640, height: 360 } });
  video('camera').srcObject = stream;
  const connection = new RTCPeerConnection();
  for (const track of stream.getTracks())
    connection.addTransceiver(track, { direction: 'sendonly', streams: [stream] });
  await new WHIPClient().publish(connection, url, token);
}

async function watch() {
  const { url: whep, token } = await ask('/watch');
  const player = /** @type {import('@rtms/player').RtmsPlayerElement} */ (document.querySelector('rtms-player'));
  Object.assign(player, { whep, token });
  player.play();
}

for (const [id, act] of Object.entries({ publish, watch })) {
  document.getElementById(id)?.addEventListener('click', () => {
    const status = /** @type {HTMLElement} */ (document.getElementById('status'));
    act().then(
      () => (status.textContent = `${id}: connected`),
      error => (status.textContent = `${id}: ${error.message}`),
    );
  });
}
