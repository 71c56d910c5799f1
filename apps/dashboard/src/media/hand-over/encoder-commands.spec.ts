import { browserScript, ffmpegCommand, ffmpegSendCommand, gstreamerCommand } from './encoder-commands.js';

const access = {
  url: 'https://sfu.example.com/whip/ext_1',
  token: 'head.body.mark',
  kinds: ['video', 'audio'] as const,
};
const both = { ...access, kinds: [...access.kinds] };

describe('the commands of an encoder', () => {
  it.each([
    ['FFmpeg', ffmpegCommand],
    ['GStreamer', gstreamerCommand],
    ['a browser', browserScript],
  ])('hold address and token, for %s', (_name, command) => {
    expect(command(both)).toContain("'https://sfu.example.com/whip/ext_1'");
    expect(command(both)).toMatch(/head\.body\.mark'/);
  });

  it('send only the tracks of the session', () => {
    expect(ffmpegCommand({ ...both, kinds: ['video'] })).toContain(' -an');
    expect(ffmpegCommand({ ...both, kinds: ['video'] })).not.toContain('libopus');
    expect(ffmpegCommand({ ...both, kinds: ['audio'] })).toContain(' -vn');
    const rtmp = { protocol: 'rtmp', url: 'rtmp://ingest.example.com/live', streamKey: 'key-1' } as const;
    expect(ffmpegSendCommand({ ...rtmp, tracks: ['audio'] })).toMatch(/ -vn .* -f flv 'rtmp:.*\/live\/key-1'$/s);
    expect(ffmpegSendCommand({ ...rtmp, tracks: ['video'] })).toContain(' -an');
    expect(gstreamerCommand({ ...both, kinds: ['audio'] })).not.toContain('videotestsrc');
    expect(browserScript({ ...both, kinds: ['audio'] })).toContain('getUserMedia({ audio: true })');
  });
});
