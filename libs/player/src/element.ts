import { RtmsPlayerElement } from './player-element.js';

// The only side effect of this package. A second import, or a second copy of the package, changes nothing.
if (!customElements.get('rtms-player')) customElements.define('rtms-player', RtmsPlayerElement);

declare global {
  interface HTMLElementTagNameMap {
    'rtms-player': RtmsPlayerElement;
  }
}

export { RtmsPlayerElement };
