import { SimpleGrid } from '@mantine/core';
import type { OverviewNow } from '@rtms/contracts';
import {
  IconBroadcast,
  IconCircleDot,
  IconDeviceTv,
  IconPlugConnected,
  IconUsers,
  IconVideo,
  type Icon,
} from '@tabler/icons-react';
import { NumberCard } from '../../parts/number-card.js';
import { overviewTexts as texts } from '../../texts/overview.js';

const icons = {
  roomsActive: IconVideo,
  participants: IconUsers,
  externalSessionsActive: IconPlugConnected,
  viewers: IconDeviceTv,
  broadcastsActive: IconBroadcast,
  recordingsRunning: IconCircleDot,
} as const satisfies Partial<Record<keyof OverviewNow, Icon>>;
const shown = Object.keys(icons) as (keyof typeof icons)[];

export function NowCards({ now }: { now: OverviewNow }) {
  return (
    <SimpleGrid component="section" aria-label={texts.now} cols={{ base: 2, sm: 3, xl: 6 }}>
      {shown.map(name => (
        <NumberCard key={name} label={texts[name]} value={now[name]} icon={icons[name]} />
      ))}
    </SimpleGrid>
  );
}
