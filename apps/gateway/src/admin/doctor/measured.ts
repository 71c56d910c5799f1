import { messageOf } from '@rtms/logging';

/** A value, or why it could not be had. */
export type Measured<Value> = { value: Value } | { failure: string };

export async function measure<Value>(attempt: () => Promise<Value>): Promise<Measured<Value>> {
  try {
    return { value: await attempt() };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

/** A refused connection to a name with several addresses has its message inside alone. */
function failureOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return messageOf(first ?? error);
}
