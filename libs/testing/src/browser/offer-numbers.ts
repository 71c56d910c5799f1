/* oxlint-disable typescript/no-deprecated, typescript/no-unnecessary-type-assertion -- the types name old overloads */
/**
 * Runs in a page before its scripts. The payload types of Chromium's default offer depend on its version. Version 150 offers H264
 * as 103, 109 and 117, version 156 as 102, 108 and 116. The script gives H264 and its RTX the numbers of version 156, as in
 * the fixed payload profile. So tests do not depend on Debian's version.
 */
export function offerNumbersOfNewerChromium(): void {
  const wanted: Record<string, [number, number]> = { '42001f': [102, 103], '42e01f': [108, 109], '4d001f': [116, 117] };

  const renumber = (sdp: string): string => {
    const order = new Map<number, number>();
    const swap = (from: number, to: number): void => {
      const current = [...order].find(([, number]) => number === to)?.[0] ?? to;
      const former = order.get(from) ?? from;
      order.set(from, to);
      if (current !== from) order.set(current, former);
    };
    for (const [, media = '', profile = ''] of sdp.matchAll(
      /^a=fmtp:(\d+) .*packetization-mode=1;profile-level-id=(\w+)/gm,
    )) {
      const [mediaNumber, rtxNumber] = wanted[profile] ?? [];
      if (mediaNumber === undefined || rtxNumber === undefined) continue;
      swap(Number(media), mediaNumber);
      const rtx = new RegExp(`^a=fmtp:(\\d+) apt=${media}\\r?$`, 'm').exec(sdp)?.[1];
      if (rtx !== undefined) swap(Number(rtx), rtxNumber);
    }
    const number = (text: string): string => String(order.get(Number(text)) ?? text);
    return sdp
      .replace(
        /^(m=video \d+ \S+ )(.*)$/gm,
        (_line, start: string, list: string) => start + list.replace(/\d+/g, number),
      )
      .replace(/^(a=(?:rtpmap|fmtp|rtcp-fb):)(\d+)( .*)$/gm, (_line, start: string, text: string, rest: string) =>
        [start, number(text), rest.replace(/apt=(\d+)/, (_apt, of: string) => `apt=${number(of)}`)].join(''),
      );
  };

  // oxlint-disable-next-line typescript/unbound-method -- called with the connection below
  const createOffer = RTCPeerConnection.prototype.createOffer as (
    this: RTCPeerConnection,
    options?: RTCOfferOptions,
  ) => Promise<RTCSessionDescriptionInit>;
  RTCPeerConnection.prototype.createOffer = async function (this: RTCPeerConnection, options?: RTCOfferOptions) {
    const { type, sdp = '' } = await createOffer.call(this, options);
    return { type, sdp: renumber(sdp) };
  } as typeof RTCPeerConnection.prototype.createOffer;

  // Without an argument a connection makes its offer itself.
  // oxlint-disable-next-line typescript/unbound-method -- called with the connection below
  const setLocalDescription = RTCPeerConnection.prototype.setLocalDescription as (
    this: RTCPeerConnection,
    description?: RTCLocalSessionDescriptionInit,
  ) => Promise<void>;
  RTCPeerConnection.prototype.setLocalDescription = async function (
    this: RTCPeerConnection,
    description?: RTCLocalSessionDescriptionInit,
  ) {
    const isOffer = description?.sdp === undefined && this.signalingState !== 'have-remote-offer';
    return setLocalDescription.call(this, isOffer ? await this.createOffer() : description);
  } as typeof RTCPeerConnection.prototype.setLocalDescription;
}
