import fc from 'fast-check'
import type { InjectOptions } from 'fastify'

/** As far as our own document goes. */
type Schema = {
  anyOf?: Schema[]
  const?: unknown
  enum?: unknown[]
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  format?: string
}
type Parameter = { name: string; in: 'path' | 'query' | 'header'; schema: Schema }
type Operation = { parameters?: Parameter[]; requestBody?: { content: Record<string, { schema: Schema }> } }
export type Document = { paths: Record<string, Record<string, Operation>> }

/** Real values by the name of their parameter or field, so that some requests get past the first check. */
export type KnownValues = Readonly<Record<string, readonly string[]>>

const oddTexts = [
  ...['', ' ', '0', '-1', '0x10', '1e1', 'NaN', 'null', 'undefined', 'true', '[object Object]', '\u0000', 'a\u0000b'],
  ...['\ud800', '\u202egnp.exe', '💥'.repeat(50), 'ß'.repeat(300), "'; drop table payments; --", '%00', '%', '..%2f..'],
  ...['../../etc/passwd', '<script>alert(1)</script>', '{{7*7}}', '__proto__', 'constructor', '-', '*', '\\', '"'],
  ...['9223372036854775808', '99999999999999999999', '1'.repeat(5000), 'x'.repeat(20_000), 'http://[::1', '::1'],
  ...['2026-02-30', '-271821-04-19T23:59:59Z', '+275760-09-13T00:00:01Z', '0000-00-00', '2026-11-23T25:61:61Z'],
]
const oddNumbers = [0, -1, 1, 0.5, -0, 1e308, -1e308, 2 ** 31, 2 ** 53, -(2 ** 63), 1e-7, 99_999_999_999]

const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...oddTexts, ...oddNumbers, null, true, false),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    nested(60),
    Array.from({ length: 2500 }, (_, index) => index),
    { __proto__: null, toString: 1 },
  ),
)

function nested(depth: number): unknown {
  return depth === 0 ? 1 : [nested(depth - 1)]
}

function textOf(schema: Schema, name: string, known: KnownValues): fc.Arbitrary<unknown> {
  const values = known[name] ?? []
  const fitting =
    schema.format === 'date'
      ? fc.constantFrom('2026-11-01', '2024-02-29', '1970-01-01', '9999-12-31')
      : schema.format === 'date-time'
        ? fc.constantFrom('2026-11-01T00:00:00Z', '1970-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z')
        : schema.format === 'email'
          ? fc.constantFrom('somebody@example.com', `${'a'.repeat(64)}@example.com`)
          : fc.string({
              unit: 'grapheme',
              minLength: schema.minLength ?? 0,
              maxLength: Math.max(schema.minLength ?? 0, Math.min(schema.maxLength ?? 30, 300)),
            })
  return values.length === 0 ? fitting : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values) }, fitting)
}

function objectOf(schema: Schema, known: KnownValues): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [name, anyValueOf(field, name, known)])
  const named = fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: schema.required ?? [],
  })
  if (typeof schema.additionalProperties !== 'object') return named
  const more = fc.dictionary(fc.string({ maxLength: 20 }), anyValueOf(schema.additionalProperties, '', known), {
    maxKeys: 4,
  })
  return fc.tuple(named, more).map(([fixed, others]) => ({ ...others, ...fixed }))
}

/** Mostly a value that the schema allows, now and then anything, at any depth. */
function anyValueOf(schema: Schema, name: string, known: KnownValues): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 7, arbitrary: fittingValue(schema, name, known) }, { weight: 1, arbitrary: oddValue })
}

function fittingValue(schema: Schema, name: string, known: KnownValues): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((part) => anyValueOf(part, name, known)))
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type) => anyValueOf({ ...schema, type }, name, known)))
  if (schema.type === 'null') return fc.constant(null)
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'integer' || schema.type === 'number')
    return fc.integer({
      min: schema.minimum ?? -1000,
      max: Math.min(schema.maximum ?? 1_000_000, Number.MAX_SAFE_INTEGER),
    })
  if (schema.type === 'array')
    return fc.array(anyValueOf(schema.items ?? {}, name, known), {
      minLength: schema.minItems ?? 0,
      maxLength: Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? 3, 3)),
    })
  if (schema.type === 'object') return objectOf(schema, known)
  if (schema.type === 'string') return textOf(schema, name, known)
  return oddValue
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
/** What a lone surrogate is sent as. */
const encode = (value: unknown): string => encodeURIComponent(asText(value).toWellFormed())

type Choice = { path: unknown[]; query: (readonly [string, unknown])[]; body: unknown; key: unknown; isBroken: boolean }

function requestOf(
  path: string,
  method: string,
  operation: Operation,
  known: KnownValues,
): fc.Arbitrary<InjectOptions> {
  const parameters = operation.parameters ?? []
  const named = (where: Parameter['in']) => parameters.filter((parameter) => parameter.in === where)
  const body = operation.requestBody?.content['application/json']?.schema
  const entity = path.split('/').findLast((part) => part !== '' && !part.startsWith('{') && known[part]) ?? ''
  const choice: fc.Arbitrary<Choice> = fc.record({
    path: fc.tuple(...named('path').map(({ schema, name }) => anyValueOf(schema, known[name] ? name : entity, known))),
    query: fc.tuple(
      ...[...named('query'), { name: 'unknown_parameter', schema: {} }].map(({ schema, name }) =>
        fc.oneof(
          { weight: 3, arbitrary: fc.constant([name, undefined] as const) },
          {
            weight: 2,
            arbitrary: anyValueOf(schema, name, known).map((value) => [name, value] as const),
          },
        ),
      ),
    ),
    body: body ? anyValueOf(body, '', known) : fc.constant(undefined),
    key: fc.oneof(
      { weight: 5, arbitrary: fc.uuid() as fc.Arbitrary<unknown> },
      fc.constantFrom('', 'x'.repeat(300), 'ä'),
    ),
    isBroken: fc.integer({ min: 0, max: 29 }).map((number) => number === 0),
  })
  return choice.map((made) => toRequest(path, method, made))
}

function toRequest(path: string, method: string, { path: places, query, body, key, isBroken }: Choice): InjectOptions {
  let place = 0
  const filled = path.replace(/\{\w+\}/g, () => encode(places[place++]) || '-')
  const search = query.filter(([, value]) => value !== undefined).map(([name, value]) => `${name}=${encode(value)}`)
  const text = isBroken ? '{"broken": [1,' : body === undefined ? undefined : JSON.stringify(body)
  return {
    method: method.toUpperCase() as NonNullable<InjectOptions['method']>,
    url: `/api${filled}${search.length > 0 ? `?${search.join('&')}` : ''}`,
    headers: {
      'idempotency-key': encode(key),
      ...(text !== undefined && { 'content-type': 'application/json' }),
    },
    ...(text !== undefined && { payload: text }),
  }
}

/** Requests to the calls of the document, each as likely as the other: some that fit, most of them a little wrong. */
export function hostileRequests(document: Document, known: KnownValues, without: ReadonlySet<string>) {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => !without.has(`${method.toUpperCase()} ${path}`))
      .map(([method, operation]) => requestOf(path, method, operation, known)),
  )
  return fc.oneof(...operations)
}

/** A copy of a JSON value in which something somewhere is gone, added or of another kind. */
export function damaged(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value !== 'object' || value === null) return oddValue
  const keys = Object.keys(value)
  if (keys.length === 0) return oddValue
  return fc.tuple(fc.constantFrom(...keys), fc.integer({ min: 0, max: 9 })).chain(([key, what]) => {
    const copy = structuredClone(value) as Record<string, unknown>
    if (what === 0) {
      delete copy[key]
      return fc.constant<unknown>(copy)
    }
    const inner = what < 4 ? oddValue : damaged(copy[key])
    return inner.map((changed) => ({ ...copy, [key]: changed }))
  })
}
