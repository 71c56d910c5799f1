import { Button, Card, NumberInput, SimpleGrid, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { shownKey } from '../../api/query-keys.js';
import { LoadFailure } from '../../parts/load-failure.js';
import { Section } from '../../parts/section.js';
import { useAction } from '../../parts/use-action.js';
import { Waiting } from '../../parts/waiting.js';
import { administrationTexts as texts } from '../../texts/administration.js';
import { readLimits, setLimits, type Limit, type Limits } from './administration-api.js';

const names = Object.keys(texts.limitNames) as Limit[];

/** How much the account may have at a time, each limit to be set anew. */
export function AccountLimits({ accountID }: { accountID: string }) {
  const {
    data: limits,
    error,
    refetch,
  } = useQuery({
    queryKey: shownKey('admin', 'limits', accountID),
    queryFn: ({ signal }) => readLimits(accountID, signal),
  });
  return (
    <Section title={texts.limits}>
      <Text size="sm" c="dimmed">
        {texts.limitsText}
      </Text>
      {error && !limits && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!error && !limits && <Waiting h={120} />}
      {limits && <LimitsForm key={JSON.stringify(limits)} accountID={accountID} limits={limits} />}
    </Section>
  );
}

/** A number field gives an empty text when it is cleared. */
type Field = number | '';
type Fields = Record<Limit, Field>;

function forEachName<Value>(valueOf: (name: Limit) => Value): Record<Limit, Value> {
  return Object.fromEntries(names.map(name => [name, valueOf(name)])) as Record<Limit, Value>;
}

function problemOf(value: Field): string | null {
  return value === '' || (Number.isInteger(value) && value >= 0) ? null : texts.limitWrong;
}

function LimitsForm({ accountID, limits }: { accountID: string; limits: Limits }) {
  const fieldOf = (name: Limit): Field => (limits[name].value === limits[name].default ? '' : limits[name].value);
  const form = useForm<Fields>({ initialValues: forEachName(fieldOf), validate: forEachName(() => problemOf) });
  const { mutate, isPending } = useAction({
    run: (values: Fields) =>
      setLimits(
        accountID,
        forEachName(name => (values[name] === '' ? null : values[name])),
      ),
    success: texts.limitsSet,
    changes: ['admin'],
  });
  return (
    <Card>
      <form onSubmit={form.onSubmit(values => mutate(values))} noValidate aria-label={texts.limits}>
        <Stack>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {names.map(name => (
              <NumberInput
                key={name}
                label={texts.limitNames[name]}
                placeholder={texts.limitDefault(limits[name].default)}
                min={0}
                allowDecimal={false}
                thousandSeparator=","
                {...form.getInputProps(name)}
              />
            ))}
          </SimpleGrid>
          <Button type="submit" variant="light" disabled={!form.isDirty()} loading={isPending}>
            {texts.setLimits}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}
