import { useSearchParams } from 'wouter';

interface AddressChoice<Value extends string> {
  /** The name of the parameter. */
  name: string;
  values: readonly Value[];
  /** Chosen without the parameter. */
  initial: Value;
  /** For choices in a dialog: they add nothing to the history. */
  replace?: boolean;
}

/**
 * A choice of a page, such as its tab or its period, in the query of the address: reload, Back and a copied address keep the choice.
 * Each change is an entry of the history.
 */
export function useAddressChoice<Value extends string>({
  name,
  values,
  initial,
  replace = false,
}: AddressChoice<Value>): [Value, (chosen: string | null) => void] {
  const [query, setQuery] = useSearchParams();
  const chosen = values.find(each => each === query.get(name)) ?? initial;
  const choose = (next: string | null) => {
    if (next === chosen) return;
    const change = (before: URLSearchParams) => {
      const after = new URLSearchParams(before);
      if (next === null || next === initial) after.delete(name);
      else after.set(name, next);
      return after;
    };
    setQuery(change, { replace });
  };
  return [chosen, choose];
}
