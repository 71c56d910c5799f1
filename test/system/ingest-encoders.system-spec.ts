/** @weight 0.2 for 35 s */
import type { ExternalSession } from './harness/api-client.js';
import { IngestBench } from './harness/ingest-bench.js';
import { LiveEncoder } from './harness/live-encoder.js';

type Ingest = ExternalSession['ingest'];

/** A GStreamer pipeline with H264 and AAC of 44.1 kHz. */
const pipeline = (mux: string, sink: string) => [
  ...['-q', 'videotestsrc', 'is-live=true', '!', 'video/x-raw,width=320,height=180,framerate=25/1', '!'],
  ...['x264enc', 'tune=zerolatency', 'speed-preset=ultrafast', 'key-int-max=25', '!', 'h264parse', '!', 'mux.'],
  ...['audiotestsrc', 'is-live=true', '!', 'audio/x-raw,rate=44100,channels=2', '!', 'voaacenc', '!', 'aacparse'],
  ...['!', 'mux.', ...mux.split(' '), 'name=mux', '!', ...sink.split(' ')],
];
const gstreamer = (mux: string, sink: string) => LiveEncoder.program('gst-launch-1.0', pipeline(mux, sink));
const srtAddress = ({ url, passphrase = '' }: Ingest) => `${url}&mode=caller&passphrase=${passphrase}&pbkeylen=16`;
const flvmux = 'flvmux streamable=true';

describe('encoders other than FFmpeg', () => {
  let bench: IngestBench;

  beforeAll(async () => {
    bench = await IngestBench.with();
  });
  afterEach(() => bench?.vanishAll());
  afterAll(() => bench?.close());

  it.each<[string, 'srt' | 'rtmp', (ingest: Ingest) => LiveEncoder[]]>([
    [
      'GStreamer’s rtmp2sink',
      'rtmp',
      ({ url, streamKey }) => [gstreamer(flvmux, `rtmp2sink location=${url}/${streamKey}`)],
    ],
    ['librtmp', 'rtmp', ({ url, streamKey }) => [gstreamer(flvmux, `rtmpsink location=${url}/${streamKey}`)]],
    ['GStreamer’s srtsink', 'srt', ingest => [gstreamer('mpegtsmux alignment=7', `srtsink uri=${srtAddress(ingest)}`)]],
    [
      'srt-live-transmit',
      'srt',
      ingest => LiveEncoder.through('srt-live-transmit', ['file://con', srtAddress(ingest)]),
    ],
  ])('publish: %s', async (_, protocol, start) => {
    const opened = await bench.open(protocol);
    const { meetingID, session } = opened;
    const { active } = await bench.activate(opened, () => start(session.ingest));
    expect(active.tracks.map(({ kind, codec }) => `${kind} ${codec}`).sort()).toEqual(['audio opus', 'video H264']);
    await bench.soundBecomes(meetingID, session.sessionID);
  });
});
