interface Size {
  width: number;
  height: number;
}

/** The fake camera is one device: pages that use it at the same time, of whatever file, get one size of picture. */
const cameraSize: Size = { width: 160, height: 90 };

/** A picture of the fake camera where its size does; any other size is drawn. */
export async function picture({ width, height }: Size = cameraSize): Promise<MediaStreamTrack> {
  const isCamera = width === cameraSize.width && height === cameraSize.height;
  const stream = isCamera
    ? await navigator.mediaDevices.getUserMedia({ video: { ...cameraSize, frameRate: 10 } })
    : drawn({ width, height });
  const [track] = stream.getVideoTracks();
  if (!track) throw new Error('no picture');
  return track;
}

/** A canvas with something that moves, as a page shares its screen without the browser's dialogue. */
export function drawn({ width, height }: Size): MediaStream {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  document.body.append(canvas);
  const context = canvas.getContext('2d');
  let frame = 0;
  setInterval(() => {
    frame += 1;
    context?.fillRect((frame * 7) % width, (frame * 5) % height, 40, 40);
    if (context) context.fillStyle = `hsl(${frame % 360} 80% 50%)`;
  }, 66);
  return canvas.captureStream(15);
}
