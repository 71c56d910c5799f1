import { Alert, Button, Container, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { watch } from '../media/http-signalling.js';
import { playHls } from '../media/play-hls.js';
import { usePageTitle } from '../parts/page.js';
import { readWatchTarget, type WatchTarget } from '../media/hand-over/watch-link.js';
import { useMedia, type MediaControls, type OpenMedia } from '../media/use-media.js';
import { followViewer } from './viewer-events.js';
import { LiveBadge } from '../parts/values.js';

type Player = 'whep' | 'hls';
const playerNames = { whep: 'Low delay (WebRTC)', hls: 'HLS' } as const;

/** The page of a share link. It needs no sign-in: the fragment of the link has the addresses and their short-lived tokens. */
export default function WatchPage() {
  usePageTitle('Watch');
  const [target] = useState(() => readWatchTarget(window.location.hash));
  return (
    <Container component="main" size="lg" px="md" py="sm">
      {target ? (
        <Viewer target={target} />
      ) : (
        <Stack gap="sm">
          <Title order={1} size="h4">
            Live stream
          </Title>
          <Alert color="red" role="alert" title="This link is not complete">
            Ask for a new link.
          </Alert>
        </Stack>
      )}
    </Container>
  );
}

function Viewer({ target }: { target: WatchTarget }) {
  const players = (['whep', 'hls'] as const).filter(each => target[each] !== undefined);
  const [player, setPlayer] = useState<Player>(players[0] ?? 'whep');
  const [isWaiting, setWaiting] = useState(false);
  const open: OpenMedia<Player> = useCallback(
    (wanted, place) => {
      setWaiting(false);
      return wanted === 'whep' ? playWhep(target, place, setWaiting) : playHlsOf(target, place);
    },
    [target],
  );
  const { video, phase, problem, ended, start, stop } = useMedia(open);
  const begin = useEffectEvent(() => start(player));
  useEffect(() => begin(), []);
  const choose = (next: Player) => {
    setPlayer(next);
    stop();
    start(next);
  };
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={1} size="h4">
          Live stream
        </Title>
        {phase === 'open' && <LiveBadge isLive={!isWaiting} />}
      </Group>
      <video ref={video} aria-label="Live stream" autoPlay playsInline muted controls />
      <Outcome phase={phase} problem={problem} ended={ended} onAgain={() => start(player)} />
      {players.length > 1 && (
        <SegmentedControl
          aria-label="Player"
          data={players.map(value => ({ value, label: playerNames[value] }))}
          value={player}
          onChange={choose}
        />
      )}
    </Stack>
  );
}

interface OutcomeProps extends Pick<MediaControls<Player>, 'phase' | 'problem' | 'ended'> {
  onAgain: () => void;
}

/** Why nothing plays, and a button to try again. */
function Outcome({ phase, problem, ended, onAgain }: OutcomeProps) {
  if (phase === 'opening') {
    return (
      <Text size="sm" role="status">
        Connecting …
      </Text>
    );
  }
  const why = problem ?? ended;
  if (phase === 'open' || why === undefined) return null;
  const look =
    problem === undefined
      ? { color: 'gray', role: 'status', title: 'Ended' }
      : { color: 'red', role: 'alert', title: 'The stream cannot be played' };
  return (
    <Alert {...look}>
      <Stack gap="sm" align="flex-start">
        {why}
        <Button size="xs" variant="default" onClick={onAgain}>
          Play again
        </Button>
      </Stack>
    </Alert>
  );
}

type Place = Parameters<OpenMedia<Player>>[1];

async function playWhep(
  { whep }: WatchTarget,
  { video, signal, onLost, onEnd }: Place,
  setWaiting: (is: boolean) => void,
) {
  if (!whep) throw new Error('The link has no WHEP address.');
  const { url, token, kinds } = whep;
  const watching = await watch(kinds, { url, token, onLost, isShared: true });
  video.srcObject = watching.stream;
  void followViewer(
    { location: watching.location, token, signal },
    { onActive: isActive => setWaiting(!isActive), onClosed: () => onEnd('The stream has ended, or it moved.') },
  );
  return watching;
}

function playHlsOf({ hls = '' }: WatchTarget, { video, onLost, onEnd }: Place) {
  return playHls(video, hls, {
    onEnd: () => onEnd('The broadcast ended.'),
    onFatal: what => onLost(`The player stopped: ${what}. The link may have expired: ask for a new one.`),
  });
}
