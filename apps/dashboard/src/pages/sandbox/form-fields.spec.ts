import type { Schema } from './endpoints.js';
import { exampleValues, fieldProblems, formFields, initialValues, inputsOf, type FieldValue } from './form-fields.js';

/** The form of a call with one field. */
function formOf(schema: Schema, isRequired = false) {
  const body = { properties: { field: schema }, ...(isRequired && { required: ['field'] }) };
  return formFields({
    id: '',
    resource: '',
    method: 'POST',
    path: '',
    action: '',
    description: '',
    parameters: [],
    body,
  });
}

const peer: Schema = {
  type: ['object', 'null'],
  properties: { host: { type: 'string' }, port: { type: 'integer', default: 5060 } },
  required: ['host'],
};

describe('the field of a schema', () => {
  it.each<[string, Schema, object]>([
    ['a text', { type: 'string', maxLength: 64 }, { kind: 'text', max: 64, initial: '' }],
    ['a long text', { type: ['string', 'null'], maxLength: 4096, default: '' }, { kind: 'longText', initial: '' }],
    [
      'a whole number',
      { type: ['integer', 'null'], minimum: 1, maximum: 120, default: 30 },
      { kind: 'integer', min: 1, max: 120, initial: '30' },
    ],
    ['a number', { type: 'number', maximum: 1, default: 0.7 }, { kind: 'number', initial: '0.7' }],
    [
      'true or false',
      { type: ['boolean', 'null'], default: false },
      { kind: 'choice', isBoolean: true, choices: ['true', 'false'], initial: 'false' },
    ],
    [
      'a choice',
      { type: ['string', 'null'], enum: ['sd', 'hd', null], default: 'hd' },
      { kind: 'choice', choices: ['sd', 'hd'], initial: 'hd' },
    ],
    [
      'a list of choices',
      { type: 'array', items: { enum: ['video', 'audio'] }, minItems: 1 },
      { kind: 'choices', choices: ['video', 'audio'], min: 1, initial: [] },
    ],
    ['a list of texts', { type: 'array', items: { type: 'string' } }, { kind: 'list', initial: [] }],
    ['an object of any form', { type: 'object', examples: [{ a: 1 }] }, { kind: 'json', example: '{\n  "a": 1\n}' }],
    ['a constant', { const: 'create' }, { kind: 'constant', value: 'create' }],
  ])('suits %s', (_case, schema, expected) => {
    expect(formOf(schema)[0]).toMatchObject({ key: 'body.field', ...expected });
  });

  it('holds the fields of an object, without defaults if the object is optional', () => {
    const values = (isRequired: boolean) => initialValues(formOf(peer, isRequired));
    expect(values(true)).toEqual({ 'body.field.host': '', 'body.field.port': '5060' });
    expect(values(false)).toEqual({ 'body.field.host': '', 'body.field.port': '' });
  });

  it('is filled with its example, or with its initial value', () => {
    expect(exampleValues(formOf({ type: 'string', examples: ['Ada'] }))).toEqual({ 'body.field': 'Ada' });
    expect(exampleValues(formOf({ type: 'integer', default: 5 }))).toEqual({ 'body.field': '5' });
  });
});

describe('a value', () => {
  const said = 'field must fit.';
  const integer: Schema = { type: 'integer', minimum: 1, maximum: 9 };

  it.each<[string, Schema, boolean, FieldValue, string | undefined]>([
    ['is left out', integer, false, '', undefined],
    ['is missing', integer, true, '', 'field is required.'],
    ['is within the bounds', integer, true, '9', undefined],
    ['is above the bounds', integer, true, '10', said],
    ['is not whole', integer, true, '1.5', said],
    ['is a fraction', { type: 'number', maximum: 1 }, true, '0.5', undefined],
    ['is no number', { type: 'number' }, true, 'one', said],
    ['is as long as it may be', { type: 'string', maxLength: 2 }, true, '😀😀', undefined],
    ['is too long', { type: 'string', maxLength: 2 }, true, 'abc', said],
    ['has another form', { type: 'string', pattern: '^https://' }, true, 'http://', said],
    ['is no JSON', { type: 'object' }, true, '{', said],
    ['is JSON', { type: 'object' }, true, '{}', undefined],
    ['has too many entries', { type: 'array', items: { type: 'string' }, maxItems: 1 }, true, ['a', 'b'], said],
    ['is an empty list', { type: 'array', items: { type: 'string' } }, true, [], 'field is required.'],
  ])('that %s gets its problem', (_case, schema, isRequired, value, problem) => {
    const fields = formOf({ ...schema, description: said }, isRequired);
    expect(fieldProblems(fields, { 'body.field': value })['body.field']).toBe(problem);
  });

  it('is required in an optional object only if the object has values', () => {
    const fields = formOf(peer);
    expect(inputsOf(fields).map(({ key }) => key)).toEqual(['body.field.host', 'body.field.port']);
    expect(fieldProblems(fields, initialValues(fields))).toEqual({});
    expect(fieldProblems(fields, { 'body.field.port': '1' })).toEqual({ 'body.field.host': 'host is required.' });
  });
});
