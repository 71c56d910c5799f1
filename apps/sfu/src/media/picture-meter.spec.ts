import { PictureMeter, unknownPicture } from './picture-meter.js';

const packetOf = (timestamp: number, payload = [0x00, 0x01]): Buffer => {
  const header = Buffer.from([0x80, 0x60, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2]);
  header.writeUInt32BE(timestamp, 4);
  return Buffer.concat([header, Buffer.from(payload)]);
};
const keyframe = [0x10, 0x00, 0, 0, 0x9d, 0x01, 0x2a, 0x80, 0x02, 0x68, 0x01];

describe('what is seen of a video stream', () => {
  it('is how many pictures come in a second, however many packets each has', () => {
    const meter = new PictureMeter('video/VP9');
    for (let picture = 0; picture < 25; picture++) {
      for (let part = 0; part < 3; part++) meter.add(packetOf(picture * 3600), 1_000 + picture * 40);
    }
    expect(meter.picture(1_960)).toEqual({ width: null, height: null, frameRate: 25 });
  });

  it('is the size of the newest keyframe', () => {
    const meter = new PictureMeter('video/VP8');
    meter.add(packetOf(0, keyframe), 0);
    meter.add(packetOf(3000), 33);
    expect(meter.picture(1000)).toMatchObject({ width: 640, height: 360 });
  });

  it('is the largest layer of a VP9 keyframe, whatever the packets of its lower layers show', () => {
    const meter = new PictureMeter('video/VP9');
    const structure = [0x30, 0x02, 0x80, 0x01, 0x68, 0x05, 0x00, 0x02, 0xd0];
    const frame = [0x82, 0x49, 0x83, 0x42, 0x00, 0x27, 0xf0, 0x16, 0x70, 0x00];
    meter.add(packetOf(0, [0x0a, ...structure, ...frame]), 0);
    meter.add(packetOf(0, [0x48, 0x86, 0x00]), 0);
    expect(meter.picture(1000)).toMatchObject({ width: 1280, height: 720 });
  });

  it('is the former size while no keyframe comes', () => {
    const meter = new PictureMeter('video/VP8');
    meter.add(packetOf(0), 0);
    const former = { width: 320, height: 180, frameRate: 30 };
    expect(meter.picture(1000, former)).toEqual({ width: 320, height: 180, frameRate: 0 });
  });

  it('is nothing of a stream that sent nothing', () => {
    expect(new PictureMeter('video/VP8').picture(1000)).toEqual(unknownPicture);
  });
});
