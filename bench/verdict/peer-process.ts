// One publisher, viewer or player on a host of its own. Its parent sends the order, and later `hold` or `continue` to a publisher.
import { RtpPublisher, type Clip } from '../fanout/rtp-publisher.js';
import { CmcdPlayer } from './cmcd-player.js';
import type { PeerOrder, PeerMessage } from './peer.js';
import { ReportingViewer } from './reporting-viewer.js';

let publisher: RtpPublisher | undefined;

process.on('disconnect', () => process.exit());
process.on('message', (message: PeerOrder | 'hold' | 'continue') => {
  if (typeof message === 'string') return publisher?.hold(message === 'hold');
  join(message).then(
    place => tell({ place }),
    (error: unknown) => tell({ failure: String(error) }),
  );
});

function tell(message: PeerMessage): void {
  process.send?.(message);
}

/** Returns the answer, which tells the address of the node; empty of publishers and players. */
async function join(order: PeerOrder): Promise<string> {
  switch (order.role) {
    case 'publisher':
      publisher = new RtpPublisher(clipOf(order.clip));
      await publisher.publish(order.url, order.token);
      return '';
    case 'viewer': {
      const viewer = order.isBrowser ? await openBrowser() : new ReportingViewer();
      viewer.onSeen = seen => tell({ seen });
      return viewer.watchByWhep(order.url, order.token);
    }
    case 'player': {
      const player = order.isBrowser ? await openBrowser() : new CmcdPlayer();
      await player.watchByHls(order.url, order.sessionID);
      return '';
    }
    default:
      return order satisfies never;
  }
}

/** Only a browser's process loads its driver. */
async function openBrowser() {
  const { BrowserViewer } = await import('./browser-viewer.js');
  return BrowserViewer.open();
}

/** Messages between processes are JSON. */
function clipOf(clip: readonly (readonly string[])[]): Clip {
  return clip.map(frame => frame.map(payload => Buffer.from(payload, 'base64')));
}
