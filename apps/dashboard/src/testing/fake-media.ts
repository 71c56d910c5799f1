/** A camera, peer connections and media streams: jsdom lacks them. */
export class FakeMedia {
  readonly tracks: { kind: string; isStopped: boolean }[] = [];
  /** Refuses the camera. */
  refusal: Error | undefined;

  static install(): FakeMedia {
    const media = new FakeMedia();
    const getUserMedia = () => (media.refusal ? Promise.reject(media.refusal) : Promise.resolve(media.#stream()));
    Object.defineProperty(navigator, 'mediaDevices', { value: { getUserMedia }, configurable: true });
    Object.assign(window, { RTCPeerConnection: FakeConnection });
    Object.defineProperty(HTMLMediaElement.prototype, 'srcObject', { value: null, writable: true, configurable: true });
    return media;
  }

  get isCameraOn(): boolean {
    return this.tracks.some(({ isStopped }) => !isStopped);
  }

  #stream() {
    const tracks = ['video', 'audio'].map(kind => {
      const track = { kind, isStopped: false, stop: () => void (track.isStopped = true) };
      return track;
    });
    this.tracks.push(...tracks);
    return { getTracks: () => tracks };
  }
}

class FakeConnection extends EventTarget {
  readonly connectionState = 'connected';
  addTransceiver(): void {
    /* The fake answers any offer. */
  }
  createOffer(): Promise<RTCSessionDescriptionInit> {
    return Promise.resolve({ type: 'offer', sdp: 'v=0 offer' });
  }
  setLocalDescription(): Promise<void> {
    return Promise.resolve();
  }
  setRemoteDescription(): Promise<void> {
    return Promise.resolve();
  }
  close(): void {
    /* Nothing is open. */
  }
}
