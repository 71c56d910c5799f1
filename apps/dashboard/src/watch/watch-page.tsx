import '@rtms/player/element';
import type { PlayerStatus, RtmsPlayerElement } from '@rtms/player';
import { Alert, Button, Container, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { lastingHls, readWatchTarget, type WatchTarget } from '../media/hand-over/watch-link.js';
import { playerText } from '../media/play-source.js';
import { usePageTitle } from '../parts/page.js';
import { LiveBadge } from '../parts/values.js';

const transports = ['whep', 'hls'] as const;
const transportNames = { whep: 'Low delay (WebRTC)', hls: 'HLS' } as const;

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

/** The player uses the other transport while the chosen one does not play. */
function Viewer({ target }: { target: WatchTarget }) {
  const { whep, hls } = target;
  const given = transports.filter(each => ({ whep, hls })[each] !== undefined);
  const [prefer, setPrefer] = useState(given[0] ?? 'whep');
  const [status, setStatus] = useState<PlayerStatus>();
  const player = useRef<RtmsPlayerElement>(null);
  const isOpen = status?.state === 'playing' || status?.state === 'stalled';
  const renew = useRenewal(target);
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={1} size="h4">
          Live stream
        </Title>
        {isOpen && <LiveBadge isLive={status.state === 'playing'} />}
      </Group>
      <rtms-player
        ref={player}
        label="Live stream"
        autoplay
        muted
        controls
        shared
        whep={whep?.url}
        token={whep?.token}
        tracks={whep?.kinds.join(' ')}
        hls={hls}
        prefer={prefer}
        renew={renew}
        onstatechange={({ detail }) => setStatus(detail)}
      />
      <Outcome status={status} prefer={prefer} onAgain={() => player.current?.play()} />
      {given.length > 1 && (
        <SegmentedControl
          aria-label="Player"
          data={given.map(value => ({ value, label: transportNames[value] }))}
          value={prefer}
          onChange={setPrefer}
        />
      )}
    </Stack>
  );
}

/**
 * New addresses for a viewer who connects again after the tokens of the link have expired: HLS alone, because only a key gets tokens for
 * WHEP. undefined: the link has no HLS.
 */
function useRenewal({ whep, hls }: WatchTarget): RtmsPlayerElement['renew'] {
  const lasting = useRef<string>(undefined);
  useEffect(() => {
    if (hls !== undefined) void lastingHls(hls).then(address => (lasting.current = address));
  }, [hls]);
  const renew = useCallback(() => {
    const ofWhep = whep && { whep: { url: whep.url, token: whep.token, tracks: whep.kinds } };
    return Promise.resolve({ ...ofWhep, hls: lasting.current ?? hls });
  }, [whep, hls]);
  return hls === undefined ? undefined : renew;
}

interface OutcomeProps {
  status: PlayerStatus | undefined;
  prefer: keyof typeof transportNames;
  onAgain: () => void;
}

/** Why nothing plays, with a button to try again, or why another transport plays. */
function Outcome({ status, prefer, onAgain }: OutcomeProps) {
  if (!status || status.state === 'connecting') {
    return (
      <Text size="sm" role="status">
        Connecting …
      </Text>
    );
  }
  if (status.state === 'ended' || status.state === 'failed') {
    const look =
      status.state === 'ended'
        ? { color: 'gray', role: 'status', title: 'Ended' }
        : { color: 'red', role: 'alert', title: 'The stream cannot be played' };
    return (
      <Alert {...look}>
        <Stack gap="sm" align="flex-start">
          {playerText(status)}
          <Button size="xs" variant="default" onClick={onAgain}>
            Play again
          </Button>
        </Stack>
      </Alert>
    );
  }
  if (status.transport === undefined || status.transport === prefer) return null;
  return (
    <Text size="sm" role="status">
      {transportNames[prefer]} does not play now. This is {transportNames[status.transport]}.
    </Text>
  );
}
