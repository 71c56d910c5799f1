import { Button, Card, Group, Table, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { OverviewPoint } from '@rtms/contracts';
import type { ReactNode } from 'react';
import { overviewTexts as texts } from '../../texts/overview.js';

export interface Series {
  name: Exclude<keyof OverviewPoint, 'start'>;
  label: string;
  color: string;
}

interface ChartCardProps {
  title: string;
  rows: readonly OverviewPoint[];
  series: readonly Series[];
  children: ReactNode;
}

const format = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** A chart with its sums in words, and the same numbers as a table for who cannot read a chart. */
export function ChartCard({ title, rows, series, children }: ChartCardProps) {
  const [isTable, { toggle }] = useDisclosure();
  const sums = series.map(({ name, label }) => texts.total(label, format.format(sumOf(rows, name)))).join(' · ');
  return (
    <Card component="section" aria-label={title}>
      <Group justify="space-between" mb={4}>
        <Title order={2} size="h4">
          {title}
        </Title>
        <Button size="compact-xs" variant="subtle" onClick={toggle} aria-pressed={isTable}>
          {isTable ? texts.asChart : texts.asTable}
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mb="md">
        {sums}
      </Text>
      {isTable ? <NumbersTable title={title} rows={rows} series={series} /> : <div aria-hidden>{children}</div>}
    </Card>
  );
}

function sumOf(rows: readonly OverviewPoint[], name: Series['name']): number {
  return rows.reduce((sum, row) => sum + row[name], 0);
}

function NumbersTable({ title, rows, series }: Omit<ChartCardProps, 'children'>) {
  return (
    <Table.ScrollContainer minWidth={0} mah={240} type="native" tabIndex={0} role="region" aria-label={title}>
      <Table verticalSpacing={4} aria-label={title}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{texts.from}</Table.Th>
            {series.map(({ name, label }) => (
              <Table.Th key={name} scope="col">
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, index) => (
            <Table.Tr key={index}>
              <Table.Th scope="row" fw={400}>
                {row.start}
              </Table.Th>
              {series.map(({ name }) => (
                <Table.Td key={name}>{format.format(row[name])}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
