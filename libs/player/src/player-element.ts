import { Player } from './player.js';
import { isHttp, type PlayerSource } from './transports/player-source.js';
import type { PlayerStatus } from './player-status.js';
import type { MediaKind, PlayerStats, TransportKind } from './transports/transport.js';

/** Node.js has no HTMLElement. A server may import this file to render the tag. */
const Base = (typeof HTMLElement === 'undefined' ? class {} : HTMLElement) as typeof HTMLElement;

/**
 * `<rtms-player>`. Attributes are read, and properties are kept in the element alone: a token that is set as a property is in no
 * markup. Dispatches `statechange` and `transport`, whose `detail` is a `PlayerStatus`.
 */
export class RtmsPlayerElement extends Base {
  static readonly observedAttributes = [
    ...['whep', 'hls', 'token', 'tracks', 'prefer'],
    ...['autoplay', 'controls', 'muted', 'label'],
  ];

  // React sets a property only if the new element has it.
  /** Answers new addresses and tokens. Called when a token was refused, and when the playback has ended by `stop()`. */
  renew: (() => Promise<PlayerSource>) | undefined = undefined;

  private readonly video: HTMLVideoElement;
  private readonly given = { whep: '', hls: '', token: '', tracks: '', prefer: '' };
  private player: Player | undefined;
  private isChanged = false;
  private shallPlay = false;
  /** The playback has ended by the DELETE of a former player. */
  private needsRenewal = false;
  private transport: TransportKind | undefined;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    this.video = Object.assign(document.createElement('video'), { playsInline: true });
    this.video.setAttribute('part', 'video');
    root.append(this.video);
    addStyle(root);
  }

  /** The WHEP address. */
  get whep(): string {
    return this.given.whep;
  }
  set whep(value: string | null | undefined) {
    this.give('whep', value);
  }

  /** The HLS address with its token. */
  get hls(): string {
    return this.given.hls;
  }
  set hls(value: string | null | undefined) {
    this.give('hls', value);
  }

  /** The bearer token of the WHEP address. */
  get token(): string {
    return this.given.token;
  }
  set token(value: string | null | undefined) {
    this.give('token', value);
  }

  /** Kinds of the playback, separated by spaces. Default: `video audio`. */
  get tracks(): string {
    return this.given.tracks;
  }
  set tracks(value: string | null | undefined) {
    this.give('tracks', value);
  }

  /** The transport to play by while it works: `whep` (default) or `hls`. */
  get prefer(): TransportKind {
    return this.given.prefer === 'hls' ? 'hls' : 'whep';
  }
  set prefer(value: TransportKind | null | undefined) {
    this.give('prefer', value);
  }

  get autoplay(): boolean {
    return this.hasAttribute('autoplay');
  }
  set autoplay(value: boolean) {
    this.toggleAttribute('autoplay', value);
  }

  get controls(): boolean {
    return this.hasAttribute('controls');
  }
  set controls(value: boolean) {
    this.toggleAttribute('controls', value);
  }

  /** Whether the sound is off now. The attribute is the first value. */
  get muted(): boolean {
    return this.video.muted;
  }
  set muted(value: boolean) {
    this.video.muted = value;
  }

  /** Others may use the same playback. The player then leaves without ending it. */
  get shared(): boolean {
    return this.hasAttribute('shared');
  }
  set shared(value: boolean) {
    this.toggleAttribute('shared', value);
  }

  /** Requests for HLS do not report the quality of the playback (CMCD). */
  get nocmcd(): boolean {
    return this.hasAttribute('nocmcd');
  }
  set nocmcd(value: boolean) {
    this.toggleAttribute('nocmcd', value);
  }

  get status(): PlayerStatus {
    return this.player?.status ?? { state: 'idle', transport: undefined, reason: undefined, message: undefined };
  }

  get stats(): PlayerStats {
    return this.player?.stats ?? { transport: undefined };
  }

  /** Starts, and continues a paused video. Does nothing outside of a document. */
  play(): void {
    if (!this.isConnected) return;
    this.shallPlay = true;
    this.player ??= new Player({
      video: this.video,
      source: this.source,
      prefer: this.prefer,
      isShared: this.shared,
      sendsCmcd: !this.nocmcd,
      needsRenewal: this.needsRenewal,
      ...(this.renew && { renew: this.renew }),
      onChange: status => this.tell(status),
    });
    this.player.play();
  }

  /** Closes all connections. Resolves once the server knows. Stopping twice is safe. */
  async stop(): Promise<void> {
    this.shallPlay = false;
    await this.close();
  }

  connectedCallback(): void {
    window.addEventListener('pagehide', this.onPageHide);
    window.addEventListener('pageshow', this.onPageShow);
    this.shallPlay ||= this.autoplay;
    this.change();
  }

  disconnectedCallback(): void {
    window.removeEventListener('pagehide', this.onPageHide);
    window.removeEventListener('pageshow', this.onPageShow);
    // A move within the document takes the element out and puts it back at once.
    queueMicrotask(() => {
      if (!this.isConnected) void this.stop();
    });
  }

  attributeChangedCallback(name: string, _former: string | null, value: string | null): void {
    switch (name) {
      case 'label':
        if (value === null) return this.video.removeAttribute('aria-label');
        return this.video.setAttribute('aria-label', value);
      case 'muted':
        this.video.defaultMuted = this.video.muted = value !== null;
        return;
      case 'controls':
        this.video.controls = value !== null;
        return;
      case 'autoplay':
        this.shallPlay ||= value !== null;
        return this.change();
      default:
        this.give(name as keyof typeof this.given, value);
    }
  }

  private get source(): PlayerSource {
    const { whep, hls, token, tracks } = this.given;
    const kinds = (['video', 'audio'] satisfies MediaKind[]).filter(kind => tracks.split(/\s+/).includes(kind));
    return {
      ...(whep !== '' && { whep: { url: absolute(whep), token, ...(kinds.length > 0 && { tracks: kinds }) } }),
      ...(hls !== '' && { hls: absolute(hls) }),
    };
  }

  private give(name: keyof typeof this.given, value: string | null | undefined): void {
    const former = this.given[name];
    this.given[name] = value ?? '';
    if (former === this.given[name]) return;
    if (this.player && isOtherStream(name, former, this.given[name])) void this.close();
    if (name === 'whep') this.needsRenewal = false;
    this.change();
  }

  /** A page sets several attributes in a row. */
  private change(): void {
    if (this.isChanged) return;
    this.isChanged = true;
    queueMicrotask(() => {
      this.isChanged = false;
      if (this.player) this.player.update(this.source);
      else if (this.shallPlay && (this.whep !== '' || this.hls !== '')) this.play();
    });
  }

  private async close(): Promise<void> {
    const { player } = this;
    this.player = undefined;
    const stopped = player?.stop();
    if (player) this.needsRenewal = player.needsRenewal;
    await stopped;
  }

  private tell(status: PlayerStatus): void {
    if (status.transport !== undefined && status.transport !== this.transport) {
      this.transport = status.transport;
      this.dispatchEvent(new CustomEvent<PlayerStatus>('transport', { detail: status }));
    }
    this.dispatchEvent(new CustomEvent<PlayerStatus>('statechange', { detail: status }));
  }

  private readonly onPageHide = (): void => void this.close();
  /** A page that returns from the browser's cache plays again, by a new playback unless it is shared. */
  private readonly onPageShow = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) this.change();
  };
}

const css = ':host{display:block}:host([hidden]){display:none}video{display:block;width:100%;height:100%}';

/** A content policy may forbid style elements. It never forbids style sheets of a script. */
function addStyle(root: ShadowRoot): void {
  if ('adoptedStyleSheets' in root) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [sheet];
  } else (root as ShadowRoot).append(Object.assign(document.createElement('style'), { textContent: css }));
}

const absolute = (url: string): string => (isHttp(url, document.baseURI) ? new URL(url, document.baseURI).href : url);

/** A new token, or the address with a new token, is no reason to interrupt what plays. */
function isOtherStream(name: string, former: string, value: string): boolean {
  if (name === 'token') return false;
  const pathOf = (url: string): string => absolute(url).split('?')[0] ?? '';
  return (name !== 'whep' && name !== 'hls') || (former !== '' && pathOf(former) !== pathOf(value));
}
