// One publisher or viewer on a host of its own. Its parent sends the order, and later `hold` or `continue` to a publisher.
import { RtpPublisher } from '../fanout/rtp-publisher.js';
import { ReportingViewer } from './reporting-viewer.js';

export interface PeerOrder {
  role: 'publisher' | 'viewer';
  url: string;
  token: string;
}

/** Video of 0.8 Mbit/s, so that a slow host of many viewers serves them. */
const packetsPerFrame = 3;

let publisher: RtpPublisher | undefined;

process.on('disconnect', () => process.exit());
process.on('message', (message: PeerOrder | 'hold' | 'continue') => {
  if (typeof message === 'string') return publisher?.hold(message === 'hold');
  join(message).then(
    place => process.send?.({ place }),
    (error: unknown) => process.send?.({ failure: String(error) }),
  );
});

/** Returns the answer, which tells the address of the node. */
async function join({ role, url, token }: PeerOrder): Promise<string> {
  if (role === 'viewer') {
    const viewer = new ReportingViewer();
    viewer.onSeen = seen => process.send?.({ seen });
    return viewer.watch(url, token);
  }
  publisher = new RtpPublisher(packetsPerFrame);
  await publisher.publish(url, token);
  return '';
}
