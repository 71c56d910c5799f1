import { Anchor, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconChevronLeft } from '@tabler/icons-react';
import { Link, useParams } from 'wouter';
import { shownKey } from '../../api/query-keys.js';
import { CopyButton } from '../../parts/copy-button.js';
import { LoadFailure } from '../../parts/load-failure.js';
import { Page } from '../../parts/page.js';
import { Section } from '../../parts/section.js';
import { StateBadge } from '../../parts/state-badge.js';
import { Waiting } from '../../parts/waiting.js';
import { administrationTexts as texts } from '../../texts/administration.js';
import { frameTexts } from '../../texts/frame.js';
import { AccountActions } from './account-actions.js';
import { AccountKeys } from './account-keys.js';
import { AccountLimits } from './account-limits.js';
import { AccountMinutes } from './account-minutes.js';
import {
  findAccount,
  readEntitlements,
  readFeatures,
  setEntitlement,
  setFeature,
  type Account,
} from './administration-api.js';
import { SwitchList } from './switch-list.js';

export default function AccountPage() {
  const { accountID = '' } = useParams();
  const {
    data: account,
    error,
    refetch,
  } = useQuery({
    queryKey: shownKey('admin', 'account', accountID),
    queryFn: ({ signal }) => findAccount(accountID, signal),
  });
  return (
    <Page
      title={account?.name ?? texts.account}
      description={<Description account={account} isLoading={!error} />}
      actions={account && <AccountActions account={account} />}
    >
      {error && !account ? (
        <LoadFailure error={error} onRetry={() => void refetch()} />
      ) : (
        <Parts accountID={accountID} />
      )}
    </Page>
  );
}

function Description({ account, isLoading }: { account: Account | undefined; isLoading: boolean }) {
  return (
    <Stack gap={4}>
      <Anchor component={Link} href="/accounts" size="sm">
        <IconChevronLeft size={14} aria-hidden /> {texts.backToAccounts}
      </Anchor>
      {account && (
        <Group gap="xs">
          <StateBadge state={account.state} />
          <Text ff="monospace" size="sm">
            {account.accountID}
          </Text>
          <CopyButton value={account.accountID} what={texts.accountID} />
        </Group>
      )}
      {!account && isLoading && <Waiting h={18} w={240} />}
    </Stack>
  );
}

function Parts({ accountID }: { accountID: string }) {
  return (
    <Stack gap="lg">
      <AccountMinutes accountID={accountID} />
      <AccountLimits accountID={accountID} />
      <AccountKeys accountID={accountID} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Section title={texts.entitlements}>
          <Text size="sm" c="dimmed">
            {texts.entitlementsText}
          </Text>
          <SwitchList
            label={texts.entitlements}
            queryKey={shownKey('admin', 'entitlements', accountID)}
            read={signal => readEntitlements(accountID, signal)}
            write={(entitlement, isGranted) => setEntitlement(accountID, entitlement, isGranted)}
            names={frameTexts.entitlements}
          />
        </Section>
        <Section title={texts.accountFeatures}>
          <Text size="sm" c="dimmed">
            {texts.accountFeaturesText}
          </Text>
          <SwitchList
            label={texts.accountFeatures}
            queryKey={shownKey('admin', 'features', accountID)}
            read={signal => readFeatures(accountID, signal)}
            write={(feature, isOn) => setFeature(accountID, feature, isOn)}
            names={texts.featureNames}
          />
        </Section>
      </SimpleGrid>
    </Stack>
  );
}
