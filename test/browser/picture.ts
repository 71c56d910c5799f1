interface Size {
  width: number;
  height: number;
}

const framesPerSecond = 10;

/**
 * A canvas with a moving picture. Pages of one Chromium share its fake camera. After a while the camera gives no
 * picture as long as one page holds it.
 */
export function picture({ width, height }: Size = { width: 160, height: 90 }): MediaStreamTrack {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  document.body.append(canvas);
  const context = canvas.getContext('2d');
  let frame = 0;
  setInterval(() => {
    frame += 1;
    context?.fillRect((frame * 7) % width, (frame * 5) % height, 40, 40);
    if (context) context.fillStyle = `hsl(${frame % 360} 80% 50%)`;
  }, 1000 / framesPerSecond);
  const [track] = canvas.captureStream(framesPerSecond).getVideoTracks();
  if (!track) throw new Error('no picture');
  return track;
}
