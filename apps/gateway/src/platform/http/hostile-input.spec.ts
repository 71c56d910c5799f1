import { randomBytes } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import { MemoryBus } from '@rtms/bus';
import { errorStatus, ServiceError } from '@rtms/contracts';
import { createLogger } from '@rtms/logging';
import fc from 'fast-check';
import type { DtoClass } from './dto.js';
import { loadGatewayConfig } from '../../gateway.config.js';
import { GatewayModule } from '../../gateway.module.js';
import { argumentsOf } from '../openapi/operations.js';
import { bodySchema, type JsonSchema } from '../openapi/json-schema.js';
import { hostileNames } from '../../testing/bad-bodies.js';
import { validValue } from '../../testing/request-samples.js';
import { parseQuery, parseStrictJSON } from './request-input.js';
import { collectRoutes } from './route-table.js';
import { DtoValidationPipe } from './validation.pipe.js';

type Place = 'body' | 'query';
type Fields = readonly (readonly [string, JsonSchema])[];

/** The nightly run uses 50,000 of each kind, which take about 90 s on a busy machine. */
const inputs = Number(process.env['RTMS_TEST_INPUTS'] ?? 3000);
const patienceMs = 300_000;

/** Classes of all bodies or queries. A preview of the application knows its controllers and opens nothing. */
async function declaredClasses(place: Place): Promise<DtoClass[]> {
  const config = loadGatewayConfig({
    DATABASE_URL: 'postgres://127.0.0.1/none',
    NATS_URL: 'none',
    RTMS_SECRET_KEY: randomBytes(32).toString('base64'),
    RTMS_ADMIN_TOKEN: randomBytes(16).toString('hex'),
  });
  const runtime = { config, bus: new MemoryBus(), logger: createLogger({ service: 'test', level: 'silent' }) };
  const app = await NestFactory.create(GatewayModule.forRoot(runtime), { preview: true, logger: false });
  const classes = collectRoutes(app).map(route => argumentsOf(route)[place]);
  return [...new Set(classes)].filter(each => each !== undefined);
}

const leaves = fc.oneof(
  fc.constantFrom('', 'x', ' ', '__proto__', 'constructor', 'a'.repeat(5000), '\u202e', 'null', '[object Object]'),
  fc.constantFrom(null, true, false, 0, -1, 7.5, 1e308, -0),
  // JavaScript cannot compare such a length.
  fc.constant({ length: { toString: '' } }),
  fc.string({ maxLength: 20 }),
  fc.integer(),
);
const names = fc.oneof(fc.constantFrom(...hostileNames, '__proto__', 'action', '0', ''), fc.string({ maxLength: 8 }));

/** JSON as text, because a JavaScript object cannot easily have a field `__proto__`. */
const objectText = (of: fc.Arbitrary<string>) =>
  fc
    .array(fc.tuple(names, of), { maxLength: 4 })
    .map(entries => `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`);
const { value: anyText } = fc.letrec<{ value: string; leaf: string }>(tie => ({
  leaf: leaves.map(value => JSON.stringify(value)),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc.array(tie('value'), { maxLength: 3 }).map(items => `[${items.join(',')}]`),
    objectText(tie('value')),
  ),
}));

/** A field that is valid, missing, null or anything else. Nested objects get such fields too. */
function fieldText([name, schema]: Fields[number]): fc.Arbitrary<string | undefined> {
  const valid = fc.constant(JSON.stringify(validValue(name, schema, {})));
  const inner = schema.properties ? [{ arbitrary: bodyText(Object.entries(schema.properties)), weight: 4 }] : [];
  return fc.oneof(
    { arbitrary: valid, weight: 8 },
    { arbitrary: fc.constant('null'), weight: 1 },
    { arbitrary: fc.constant(undefined), weight: 1 },
    { arbitrary: anyText, weight: 2 },
    ...inner,
  );
}

function bodyText(fields: Fields): fc.Arbitrary<string> {
  const declared = fc.tuple(...fields.map(fieldText));
  const more = fc.option(fc.tuple(names, anyText), { freq: 4, nil: undefined });
  return fc.tuple(declared, more).map(([values, extra]) => {
    const sent = fields
      .map(([name], index) => [name, values[index]] as const)
      .filter(([, value]) => value !== undefined);
    const all = extra ? [...sent, extra] : sent;
    return `{${all.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
  });
}

function queryText(fields: Fields): fc.Arbitrary<string> {
  const known = fields.map(([name]) => name);
  const name = fc.oneof(fc.constantFrom(...known), names).map(encodeURIComponent);
  const form = fc.constantFrom('', '[]', '[constructor]', '[__proto__][x]', '%5Bthen%5D');
  const value = fc.string({ maxLength: 20 }).map(encodeURIComponent);
  return fc
    .array(fc.tuple(name, form, value), { maxLength: 4 })
    .map(all => all.map(([key, suffix, text]) => `${key}${suffix}=${text}`).join('&'));
}

describe('generated input', () => {
  const pipe = new DtoValidationPipe();

  /** Counts the accepted inputs. A failure is an input that is neither accepted nor refused as the caller's fault. */
  const acceptedOf = async (place: Place, makeText: (fields: Fields) => fc.Arbitrary<string>) => {
    const classes = await declaredClasses(place);
    const read = (text: string): unknown => (place === 'body' ? parseStrictJSON(text) : parseQuery(text));
    const inputsOf = (dto: DtoClass) => makeText(Object.entries(bodySchema(dto).properties ?? {}));
    const cases = fc.oneof(...classes.map(dto => inputsOf(dto).map(text => ({ dto, text }))));
    let accepted = 0;
    const property = fc.asyncProperty(cases, async ({ dto, text }) => {
      try {
        const made = await pipe.transform(read(text), { type: place, metatype: dto });
        expect(made).toBeInstanceOf(dto);
        accepted += 1;
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        expect(errorStatus[error.code]).toBe(400);
        expect(error.message).toMatch(/^[^\n]+\.$/);
      }
    });
    await fc.assert(property, { numRuns: inputs });
    return accepted;
  };

  it(
    'is accepted or refused as a bad body, with any names and nulls at any depth',
    async () => {
      expect(await acceptedOf('body', bodyText)).toBeGreaterThan(inputs / 50);
    },
    patienceMs,
  );

  it(
    'is accepted or refused as a bad query, with any names and brackets',
    async () => {
      expect(await acceptedOf('query', queryText)).toBeGreaterThan(inputs / 50);
    },
    patienceMs,
  );
});
