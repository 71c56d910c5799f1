import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconBroadcast, IconShare } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { broadcasts, isOver, playbacks, type ExternalSession, type Playback } from '../../api/meetings.js';
import { shownKey } from '../../api/resource.js';
import { useAction } from '../../parts/actions.js';
import { CopyBlock, CopyField, Expiry } from '../../parts/hand-over.js';
import { Section } from '../../parts/page.js';
import { embedSnippet, watchLink, type WatchTarget } from './watch-link.js';

const newest = { startIndex: 0, pageSize: 10 };

/** HLS addresses are valid for five minutes, as playback tokens are. */
const refetchMs = 120_000;

/** The running broadcast of a session, with an address that was just signed. */
function useBroadcast({ meetingID, sessionID: sourceSessionID }: ExternalSession) {
  const { data } = useQuery({
    queryKey: shownKey('broadcast', 'running', meetingID, sourceSessionID),
    queryFn: ({ signal }) => broadcasts.list(meetingID, { ...newest, sourceSessionID }, signal),
    refetchInterval: refetchMs,
  });
  return data?.items.find(broadcast => !isOver(broadcast));
}

/** Addresses, a snippet and a link for viewers of an active session. */
export function PlayerSection({ session }: { session: ExternalSession }) {
  const { meetingID, sessionID: sourceSessionID, tracks } = session;
  const [playback, setPlayback] = useState<Playback>();
  const broadcast = useBroadcast(session);
  const kinds = [...new Set(tracks.filter(({ state }) => state !== 'ended').map(({ kind }) => kind))];
  const open = useAction({
    run: () => playbacks.create(meetingID, { sourceSessionID, tracks: kinds, payloadMatching: 'adaptive' }),
    changes: ['playback'],
    onDone: setPlayback,
  });
  const start = useAction({
    run: () => broadcasts.create(meetingID, { sourceSessionID }),
    success: 'The broadcast starts.',
    changes: ['broadcast'],
  });
  return (
    <Section
      title="For players"
      text="A link to a page that plays without sign-in, addresses, and a snippet for your page."
    >
      {playback ? (
        <Shared
          playback={playback}
          hls={broadcast?.playbackUrl ?? undefined}
          isRenewing={open.isPending}
          onRenew={() => open.mutate()}
        />
      ) : (
        <Group>
          <Button
            variant="light"
            leftSection={<IconShare size={16} aria-hidden />}
            loading={open.isPending}
            disabled={kinds.length === 0}
            onClick={() => open.mutate()}
          >
            Create a share link
          </Button>
        </Group>
      )}
      {!broadcast && kinds.includes('video') && (
        <Group>
          <Button
            variant="default"
            leftSection={<IconBroadcast size={16} aria-hidden />}
            loading={start.isPending}
            onClick={() => start.mutate()}
          >
            Start a broadcast for HLS players
          </Button>
        </Group>
      )}
    </Section>
  );
}

interface SharedProps {
  playback: Playback;
  hls: string | undefined;
  isRenewing: boolean;
  onRenew: () => void;
}

function Shared({ playback, hls, ...renewal }: SharedProps) {
  const { endpoint, token, tracks, tokenExpiresAt } = playback;
  const target: WatchTarget = {
    whep: { url: endpoint ?? '', token: token ?? '', kinds: tracks },
    ...(hls !== undefined && { hls }),
  };
  const link = watchLink(target);
  return (
    <Stack>
      <CopyField label="Share link" value={link} />
      <Expiry what="The link" expiresAt={tokenExpiresAt ?? ''} renewLabel="New link" {...renewal} />
      <Text size="sm" c="dimmed">
        Everybody with the link can watch. Who watches already goes on after the link has expired. In your application,
        create a playback for each viewer.{' '}
        <Anchor href={link} target="_blank" rel="noopener" underline="always" inherit>
          Open the link
        </Anchor>
      </Text>
      <CopyField label="WHEP address" value={endpoint ?? ''} />
      <CopyField label="Playback token" value={token ?? ''} />
      {hls !== undefined && (
        <CopyField
          label="HLS address"
          value={hls}
          description="For hls.js, Safari, VLC and FFmpeg. It includes its token."
        />
      )}
      <CopyBlock withLabel label="Embed snippet" value={embedSnippet(target)} />
    </Stack>
  );
}
