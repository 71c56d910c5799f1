import { Player, type PlayerReason, type PlayerSource, type PlayerStatus } from '@rtms/player';
import type { Media, OpenMedia } from './use-media.js';

/** Why nothing plays, as a sentence. */
const playerTexts: Readonly<Record<PlayerReason, string>> = {
  unreachable: 'The media node cannot be reached.',
  unavailable: 'The media node is unavailable.',
  refused: 'The media node refused the player.',
  bad_answer: 'The media node gave no valid answer.',
  token_refused: 'The token is not valid any more. Ask for a new link, or start again.',
  renewal_failed: 'No new token could be fetched.',
  timeout: 'No media arrived in time.',
  connection_lost: 'The connection was lost.',
  no_media: 'No media arrives.',
  source_inactive: 'The source sends nothing.',
  node_leaving: 'The media node is taken out of service.',
  returned: 'WebRTC works again.',
  playback_ended: 'The stream has ended.',
  broadcast_ended: 'The broadcast ended.',
  media_error: 'The browser cannot decode the media.',
  hls_not_loaded: 'A part of the dashboard could not be loaded. Check your connection, then reload the page.',
  unsupported: 'This browser cannot play the stream.',
  no_source: 'There is no address to play.',
  play_blocked: 'The browser waits for a click before it plays sound.',
  stopped: 'It was stopped.',
};

export function playerText({ reason }: PlayerStatus): string {
  return playerTexts[reason ?? 'stopped'];
}

/** A user waits for the first picture. Later the player waits for another media node. */
const mostFirstFailures = 3;

type Place = Parameters<OpenMedia<unknown>>[1];

interface SourceToPlay {
  source: PlayerSource;
  /** For a later connection: new addresses and tokens. */
  renew: () => Promise<PlayerSource>;
}

/**
 * Resolves at the first media. The player connects again by itself. Its end is not told, because it may come before the service tells why.
 * The resources that the panel follows end it, with the reason.
 */
export function playSource({ source, renew }: SourceToPlay, place: Place): Promise<Media> {
  const { video, signal, onLost } = place;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const onChange = (status: PlayerStatus) => {
      if (status.state === 'playing') resolve(media);
      if (status.state === 'failed') onLost(playerText(status));
      // Changes nothing after the first media.
      if (status.state === 'ended' || status.state === 'failed') reject(new Error(playerText(status)));
    };
    const player = new Player({ video, source, renew, mostFirstFailures, onChange });
    const media = { close: () => player.stop() };
    signal.addEventListener('abort', () => {
      void player.stop();
      reject(new Error('It was stopped.'));
    });
    player.play();
  });
}
