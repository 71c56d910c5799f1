import { IconDeviceTv, IconPlayerStop } from '@tabler/icons-react';
import { shownKey } from '../../api/query-keys.js';
import { ConfirmButton } from '../../parts/confirm-button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { Section } from '../../parts/section.js';
import { ShortID } from '../../parts/short-id.js';
import { StateBadge } from '../../parts/state-badge.js';
import { Time } from '../../parts/time.js';
import { roomTexts as texts } from '../../texts/rooms.js';
import { playbacks, type Playback } from './meeting-api.js';

const pageSize = 5;
/** Viewers come and go without an event. */
const refetchMs = 5_000;

const columns: readonly Column<Playback>[] = [
  { header: texts.playback, cell: ({ playbackID }) => <ShortID value={playbackID} what={texts.playback} /> },
  { header: texts.state, cell: ({ state }) => <StateBadge state={state} /> },
  { header: texts.viewers, cell: ({ viewerCount }) => viewerCount, visibleFrom: 'sm' },
  { header: texts.tracks, cell: ({ tracks }) => tracks.map(kind => texts.kinds[kind]).join(', '), visibleFrom: 'md' },
  { header: texts.created, cell: ({ createdAt }) => <Time value={createdAt} />, visibleFrom: 'md' },
];

export function PlaybacksSection({ meetingID }: { meetingID: string }) {
  return (
    <Section title={texts.playbacks}>
      <ResourceTable
        label={texts.playbacks}
        queryKey={shownKey('playback', 'list', meetingID)}
        list={(page, signal) => playbacks.list(meetingID, page, signal)}
        rowKey={({ playbackID }) => playbackID}
        columns={columns}
        rowActions={({ playbackID, state }) =>
          state !== 'ended' && (
            <ConfirmButton
              label={texts.endPlayback(playbackID)}
              icon={IconPlayerStop}
              title={texts.endPlaybackTitle}
              text={texts.endPlaybackText}
              confirmLabel={texts.endIt}
              run={() => playbacks.end(meetingID, playbackID)}
              success={texts.playbackEnded}
              changes={['playback']}
            />
          )
        }
        empty={<EmptyState icon={IconDeviceTv} title={texts.playbacksEmpty} text={texts.playbacksEmptyText} />}
        pageSize={pageSize}
        refetchMs={refetchMs}
      />
    </Section>
  );
}
