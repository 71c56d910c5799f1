import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@rtms/clock';
import { convert, findFfmpeg, type Ffmpeg } from '@rtms/ffmpeg';
import { slateLoader } from './slate-image.js';

describe('the image of a slate', () => {
  let ffmpeg: Ffmpeg;
  let server: Server;
  let base: string;
  const answers = new Map<string, { status?: number; body: Buffer }>();

  const run = (...args: string[]) =>
    convert(ffmpeg, ['-loglevel', 'error', ...args], {
      ...{ input: Buffer.alloc(0), timeoutMs: 60_000, mostOutputBytes: 64 * 1024 * 1024 },
    });
  const image = (size: string, format: 'mjpeg' | 'png') =>
    run('-f', 'lavfi', '-i', `color=red:size=${size}`, '-frames:v', '1', '-c:v', format, '-f', 'image2pipe', 'pipe:1');

  beforeAll(async () => {
    ffmpeg = await findFfmpeg();
    server = createServer(({ url = '' }, response) => {
      const { status = 200, body } = answers.get(url) ?? { status: 404, body: Buffer.alloc(0) };
      response.writeHead(status, { location: '/red.png' }).end(body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    answers.set('/red.jpg', { body: await image('641x361', 'mjpeg') });
    answers.set('/red.png', { body: await image('2560x1440', 'png') });
    answers.set('/moved', { status: 302, body: Buffer.alloc(0) });
    answers.set('/text', { body: Buffer.from('<html>') });
    answers.set('/broken', { body: Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47]), Buffer.alloc(1_000, 7)]) });
    answers.set('/heavy', { body: Buffer.alloc(5 * 1024 * 1024, 0xff) });
    answers.set('/wide', { body: await image('8000x4000', 'png') });
  });
  afterAll(() => server.close());

  const load = (imageUrl: string, allowsPrivate = true) =>
    slateLoader(ffmpeg, systemClock)({ imageUrl, allowsPrivate, accountID: 'acct_1' }, new AbortController().signal);

  it.each([
    ['/red.jpg', 641, 361],
    ['/red.png', 1920, 1080],
  ])('becomes a picture that a slate can show: %s', async (path, width, height) => {
    const { segment, isDimmed } = await load(`${base}${path}`);
    expect(isDimmed).toBe(false);
    const args = ['-loglevel', 'error', '-f', 'mp4', '-i', 'pipe:0', '-pix_fmt', 'rgb24', '-f', 'rawvideo', 'pipe:1'];
    const limits = { input: segment, timeoutMs: 60_000, mostOutputBytes: 64 * 1024 * 1024 };
    const pixels = await convert(ffmpeg, args, limits);
    // Even sides, as 4:2:0 needs them.
    expect(pixels.length).toBe(3 * (width & ~1) * (height & ~1));
    const [red = 0, green = 0, blue = 0] = pixels;
    expect([red > 240, green < 15, blue < 15]).toEqual([true, true, true]);
  });

  it.each([
    ['/missing', 'image_unreachable'],
    ['/moved', 'image_unreachable'],
    ['/text', 'image_unsupported'],
    ['/broken', 'image_unsupported'],
    ['/heavy', 'image_too_large'],
    ['/wide', 'image_too_large'],
  ])('at %s is refused: %s', async (path, problem) => {
    await expect(load(`${base}${path}`)).rejects.toMatchObject({ problem });
  });

  it('is not loaded from a private address', async () => {
    await expect(load(`${base.replace('http:', 'https:')}/red.png`, false)).rejects.toMatchObject({
      problem: 'address_not_allowed',
    });
  });
});
