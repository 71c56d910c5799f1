import { SegmentedControl, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import type { OverviewAnswer } from '@rtms/contracts';
import { useState } from 'react';
import { LoadFailure } from '../../parts/load-failure.js';
import { Page } from '../../parts/page.js';
import { frameTexts } from '../../texts/frame.js';
import { overviewTexts as texts } from '../../texts/overview.js';
import { BalanceCards } from './balance-cards.js';
import { NowCards } from './now-cards.js';
import { OverviewCharts } from './overview-charts.js';
import { rangeNames, useOverview, type Range } from './overview-api.js';

/** As high as what comes in their place, so that nothing jumps. */
const cardHeights = { now: 104, chart: 348 };

const rangeChoices = rangeNames.map(value => ({ value, label: texts.ranges[value] }));

export default function OverviewPage() {
  const [range, setRange] = useState<Range>('day');
  const { data, error, refetch } = useOverview(range);
  const choice = (
    <SegmentedControl aria-label={texts.range} data={rangeChoices} value={range} onChange={value => setRange(value)} />
  );
  return (
    <Page title={texts.title} description={texts.description} actions={choice}>
      {error && !data ? <LoadFailure error={error} onRetry={() => void refetch()} /> : <Content overview={data} />}
    </Page>
  );
}

function Content({ overview }: { overview: OverviewAnswer['overview'] | undefined }) {
  if (!overview) return <Loading />;
  return (
    <Stack gap="lg">
      <NowCards now={overview.now} />
      <OverviewCharts points={overview.points} bucket={overview.bucket} />
      <BalanceCards minutesLeft={overview.now.minutesLeft} />
    </Stack>
  );
}

function Loading() {
  return (
    <Stack gap="lg" role="progressbar" aria-label={frameTexts.loading}>
      <SimpleGrid cols={{ base: 2, sm: 3, xl: 6 }}>
        {[1, 2, 3, 4, 5, 6].map(each => (
          <Skeleton key={each} h={cardHeights.now} />
        ))}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Skeleton h={cardHeights.chart} />
        <Skeleton h={cardHeights.chart} />
      </SimpleGrid>
    </Stack>
  );
}
