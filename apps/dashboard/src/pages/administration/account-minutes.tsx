import { Button, Card, NumberInput, SimpleGrid, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { shownKey } from '../../api/query-keys.js';
import { LoadFailure } from '../../parts/load-failure.js';
import { Section } from '../../parts/section.js';
import { useAction } from '../../parts/use-action.js';
import { Waiting } from '../../parts/waiting.js';
import { administrationTexts as texts } from '../../texts/administration.js';
import { readBalance, setMinutes, type Balance } from './administration-api.js';

const mostMinutes = 1_000_000_000;
const types = ['sandbox', 'production'] as const satisfies readonly (keyof Balance)[];

/** What is left, each kind to be set anew. */
export function AccountMinutes({ accountID }: { accountID: string }) {
  const {
    data: balance,
    error,
    refetch,
  } = useQuery({
    queryKey: shownKey('admin', 'balance', accountID),
    queryFn: ({ signal }) => readBalance(accountID, signal),
  });
  return (
    <Section title={texts.balance}>
      <Text size="sm" c="dimmed">
        {texts.balanceText}
      </Text>
      {error && !balance && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!error && !balance && <Waiting h={160} />}
      {balance && (
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          {types.map(type => {
            const { meetingMinutes, recordingMinutes } = balance[type];
            const key = `${type} ${meetingMinutes} ${recordingMinutes}`;
            return <MinutesForm key={key} accountID={accountID} type={type} minutes={balance[type]} />;
          })}
        </SimpleGrid>
      )}
    </Section>
  );
}

interface MinutesFormProps {
  accountID: string;
  type: keyof Balance;
  minutes: Balance['sandbox'];
}

function problemOf(minutes: number): string | null {
  return Number.isInteger(minutes) && minutes >= 0 && minutes <= mostMinutes ? null : texts.minutesWrong;
}

function MinutesForm({ accountID, type, minutes }: MinutesFormProps) {
  const form = useForm({
    initialValues: { ...minutes },
    validate: { meetingMinutes: problemOf, recordingMinutes: problemOf },
  });
  const { mutate, isPending } = useAction({
    run: (values: Balance['sandbox']) => setMinutes(accountID, { type, ...values }),
    success: texts.minutesSet,
    changes: ['admin'],
  });
  const bounds = { min: 0, max: mostMinutes, allowDecimal: false, thousandSeparator: ',' };
  return (
    <Card>
      <form onSubmit={form.onSubmit(values => mutate(values))} noValidate aria-label={texts.types[type]}>
        <Stack>
          <Text fw={600}>{texts.types[type]}</Text>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <NumberInput label={texts.meetingMinutes} {...bounds} {...form.getInputProps('meetingMinutes')} />
            <NumberInput label={texts.recordingMinutes} {...bounds} {...form.getInputProps('recordingMinutes')} />
          </SimpleGrid>
          <Button type="submit" variant="light" disabled={!form.isDirty()} loading={isPending}>
            {texts.setMinutes(texts.types[type])}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}
