import '@rtms/player/element';

const place = /** @type {HTMLElement} */ (document.getElementById('place'));
const shown = /** @type {HTMLElement} */ (document.getElementById('shown'));

/** Counts clicks: an older one that connects late must not win. */
let newest = 0;

/** Opens a playback of the camera beside the present one, and switches when its media arrives. @param {string} camera */
async function show(camera) {
  const turn = ++newest;
  const response = await fetch(`/watch?camera=${encodeURIComponent(camera)}`, { method: 'POST' });
  if (!response.ok) throw new Error(await response.text());
  const { url: whep, token } = await response.json();
  const next = document.createElement('rtms-player');
  Object.assign(next, { whep, token, tracks: 'video', muted: true, autoplay: true, hidden: true });
  next.addEventListener('statechange', () => {
    if (next.status.state !== 'playing' || !next.hidden) return;
    // A player that leaves the document closes its connection.
    if (turn !== newest) return next.remove();
    next.hidden = false;
    for (const former of [...place.children]) if (former !== next) former.remove();
    shown.textContent = camera;
  });
  place.append(next);
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
