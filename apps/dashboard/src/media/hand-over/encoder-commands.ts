import type { ExternalSession } from '../../api/meetings.js';

type Ingest = ExternalSession['ingest'];

/** The address and the token of one publisher. */
export interface EncoderAccess {
  url: string;
  token: string;
  kinds: Ingest['tracks'];
}

/** FFmpeg 8 or later. Encodes as every browser decodes: H.264 baseline without B-frames, a keyframe every two seconds, Opus. */
export function ffmpegCommand({ url, token, kinds }: EncoderAccess): string {
  const video = '-c:v libx264 -profile:v baseline -pix_fmt yuv420p -bf 0 -g 60';
  const audio = '-c:a libopus -ar 48000 -ac 2';
  return [
    'ffmpeg -re -i input.mp4',
    kinds.includes('video') ? video : '-vn',
    kinds.includes('audio') ? audio : '-an',
    `-f whip -authorization '${token}' '${url}'`,
  ].join(' \\\n  ');
}

/** Whether the session has an address and a secret to give to its encoder. With SRT the service may call the encoder instead. */
export function isForEncoder({ ingest: { protocol, mode } }: ExternalSession): boolean {
  return protocol !== 'service-webrtc' && mode !== 'caller';
}

/** The address and the secret of an encoder of SRT, RTMP or RTMPS, as one address. */
export function wholeAddress({ url, passphrase, streamKey }: Ingest): string {
  if (passphrase !== undefined) return `${url}&passphrase=${passphrase}`;
  return streamKey === undefined ? (url ?? '') : `${url}/${streamKey}`;
}

/** FFmpeg of any version. The ingest node copies such video and converts AAC. */
export function ffmpegSendCommand(ingest: Ingest): string {
  return [
    'ffmpeg -re -i input.mp4',
    ingest.tracks.includes('video') ? '-c:v libx264 -pix_fmt yuv420p -bf 0 -g 60' : '-vn',
    ingest.tracks.includes('audio') ? '-c:a aac' : '-an',
    `-f ${ingest.protocol === 'srt' ? 'mpegts' : 'flv'} '${wholeAddress(ingest)}'`,
  ].join(' \\\n  ');
}

/** GStreamer with gst-plugins-rs. Sends a test picture and a tone. */
export function gstreamerCommand({ url, token, kinds }: EncoderAccess): string {
  return [
    'gst-launch-1.0 whipclientsink name=out',
    `signaller::whip-endpoint='${url}' signaller::auth-token='${token}'`,
    ...(kinds.includes('video')
      ? ['videotestsrc is-live=true ! video/x-raw,width=1280,height=720 ! queue ! out.']
      : []),
    ...(kinds.includes('audio') ? ['audiotestsrc is-live=true ! audioconvert ! queue ! out.'] : []),
  ].join(' \\\n  ');
}

/** A script for any page of yours. It runs as it is in the console of a browser, on HTTPS or localhost. */
export function browserScript({ url, token, kinds }: EncoderAccess): string {
  const wanted = kinds.map(kind => `${kind}: true`).join(', ');
  return `const media = await navigator.mediaDevices.getUserMedia({ ${wanted} });
const peer = new RTCPeerConnection();
for (const track of media.getTracks()) peer.addTransceiver(track, { direction: 'sendonly', streams: [media] });
const gathered = new Promise(done => peer.addEventListener('icecandidate', ({ candidate }) => candidate ?? done()));
await peer.setLocalDescription();
await gathered;
const answer = await fetch('${url}', {
  method: 'POST',
  headers: { 'Content-Type': 'application/sdp', Authorization: 'Bearer ${token}' },
  body: peer.localDescription.sdp,
});
if (!answer.ok) throw new Error(await answer.text());
await peer.setRemoteDescription({ type: 'answer', sdp: await answer.text() });`;
}
