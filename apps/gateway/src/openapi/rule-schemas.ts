/** A JSON Schema (2020-12), as far as this API needs one. */
export interface JsonSchema {
  [keyword: string]: unknown;
  type?: string | string[];
  enum?: unknown[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

type RuleSchema = (...constraints: never[]) => JsonSchema;

function patternOf({ source, flags }: RegExp): JsonSchema {
  if (flags.replace('u', '') !== '') throw new Error(`/${source}/${flags}: JSON Schema knows no flags of patterns.`);
  return { type: 'string', pattern: source };
}

const textList = (maxLength: number) => (maxItems: number) => ({
  type: 'array',
  maxItems,
  items: { type: 'string', maxLength },
});

/** What each class-validator rule says in JSON Schema; rules of our own stand in fields/ and domains/. */
const ruleSchemas: Readonly<Record<string, RuleSchema>> = {
  isString: () => ({ type: 'string' }),
  isLength: (minLength: number, maxLength: number) => ({ type: 'string', minLength, maxLength }),
  isText: (minLength: number, maxLength: number) => ({
    type: 'string',
    minLength,
    maxLength,
    ...(minLength > 0 && { pattern: '\\S' }),
  }),
  matches: (pattern: RegExp) => patternOf(pattern),
  isIn: (values: readonly unknown[]) => ({ type: 'string', enum: [...values] }),
  isBoolean: () => ({ type: 'boolean' }),
  isInt: () => ({ type: 'integer' }),
  isNumber: () => ({ type: 'number' }),
  min: (minimum: number) => ({ minimum }),
  max: (maximum: number) => ({ maximum }),
  isObject: () => ({ type: 'object' }),
  isArray: () => ({ type: 'array' }),
  arrayNotEmpty: () => ({ minItems: 1 }),
  arrayMinSize: (minItems: number) => ({ minItems }),
  arrayMaxSize: (maxItems: number) => ({ maxItems }),
  arrayUnique: () => ({ uniqueItems: true }),
  isDefined: () => ({}),
  isEmail: () => ({ type: 'string', format: 'email' }),
  isISO8601: () => ({ type: 'string', format: 'date-time' }),
  maxJsonBytes: () => ({ type: 'object' }),
  isDomain: () => ({ type: 'string', maxLength: 255 }),
  maxLength: (maxLength: number) => ({ type: 'string', maxLength }),
  isTime: () => ({ type: 'string', format: 'date-time' }),
  isHost: () => ({ type: 'string', maxLength: 253 }),
  isHttpsUrl: () => ({ type: 'string', maxLength: 2048, pattern: '^[hH][tT][tT][pP][sS]://' }),
  isLanguages: textList(64),
  isNetworks: textList(43),
};

export function ruleSchema(name: string, constraints: readonly unknown[]): JsonSchema {
  const rule = ruleSchemas[name];
  if (!rule) throw new Error(`The rule ${name} has no description in JSON Schema yet.`);
  return rule(...(constraints as never[]));
}
