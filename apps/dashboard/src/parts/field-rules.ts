type Rule<Value> = (value: Value) => string | null;

/** For `validate` of a form. */
export function needed(message: string): Rule<string> {
  return value => (value.trim() === '' ? message : null);
}

/** Of a number field, which holds text while there is no number in it. */
export function wholeNumber(least: number, most: number, message: string): Rule<number | string> {
  return value =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most ? null : message;
}
