import { Card, Grid, SimpleGrid, Text } from '@mantine/core';
import { useSignedIn } from '../../api/session.js';
import { Page } from '../../parts/page.js';
import { Section } from '../../parts/section.js';
import { Time } from '../../parts/time.js';
import { profileTexts as texts } from '../../texts/profile.js';
import { PasswordForm } from './password-form.js';
import { SecondFactor } from './second-factor.js';

export default function ProfilePage() {
  return (
    <Page title={texts.title} description={texts.description}>
      <Identity />
      <Grid>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title={texts.password}>
            <PasswordForm />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title={texts.secondFactor}>
            <SecondFactor />
          </Section>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Identity() {
  const { user, account, expiresAt } = useSignedIn();
  const facts = [
    { label: texts.email, value: user.email },
    ...(account ? [{ label: texts.account, value: account.name }] : []),
    { label: texts.role, value: texts.roles[user.role] },
    { label: texts.signedInUntil, value: <Time value={expiresAt} /> },
  ];
  return (
    <Card>
      <SimpleGrid component="dl" m={0} cols={{ base: 1, xs: 2, md: 4 }}>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <Text component="dt" size="sm" c="dimmed">
              {label}
            </Text>
            <Text component="dd" m={0} fw={500} truncate>
              {value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Card>
  );
}
