import { type Answer, type Asked, refused } from './cloudflare.ts'
import { checkOf, type Operation, readDocument, type Schema } from './openapi.ts'

/** Of what may be left out or be null: everything is there, or nothing is. */
export type Fill = 'full' | 'sparse'

const second = 1000

/** Values that their format asks for; identifiers are of no form that Cloudflare's own have. */
const formats: Record<string, (key: string, index: number) => string> = {
  'cf-id': (key, index) => `Mock_${key}~${index}`,
  project: (_key, index) => `project-${index}`,
  hostname: (_key, index) => `host-${index}.example`,
  'date-time': (_key, index) => new Date(Date.UTC(2026, 9, 1 + index, 10) + 30 * second).toISOString(),
  uri: (key, index) => `https://host-${index}.example/${key}`,
  ipv4: (_key, index) => `192.0.2.${index + 1}`,
}

type At = { fill: Fill; key: string; index: number }

function textOf({ format, minLength }: Schema, { fill, key, index }: At): string {
  const made = format === undefined ? undefined : formats[format]
  if (made) return made(key, index)
  return fill === 'sparse' && !minLength ? '' : `${key} <b>${index}</b>`
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema, at: At): object {
  const shown = Object.entries(properties).filter(([key]) => at.fill === 'full' || required.includes(key))
  const more = additionalProperties && at.fill === 'full' ? { KEY: additionalProperties } : {}
  return Object.fromEntries(
    [...shown, ...Object.entries(more)].map(([key, of]) => [key, makeValue(of, { ...at, key })]),
  )
}

/** A value that the schema describes. The rows of a list differ by their place. */
function makeValue(schema: Schema, at: At): unknown {
  const { fill, index } = at
  if (schema.nullable && fill === 'sparse') return null
  if (schema.example !== undefined) return schema.example
  if (schema.enum) return schema.enum[index % schema.enum.length]
  if (schema.oneOf) return makeValue(schema.oneOf[index % schema.oneOf.length] ?? {}, at)
  if (schema.type === 'object') return objectOf(schema, at)
  if (schema.type === 'array') {
    const length = schema.minItems ?? (fill === 'full' ? Math.min(2, schema.maxItems ?? 2) : 0)
    return Array.from({ length }, (_, place) => makeValue(schema.items ?? {}, { ...at, index: place }))
  }
  if (schema.type === 'integer' || schema.type === 'number') return (schema.minimum ?? 0) + 7 + index
  return schema.type === 'boolean' ? index % 2 === 1 : textOf(schema, at)
}

/** A parameter comes as text; whatever is not of its type stays what it is, and is refused for that. */
function typed(text: string, { type }: Schema): unknown {
  if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text)
  return type === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text
}

async function bodyOf({ headers, body }: Asked): Promise<unknown> {
  const type = headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data')) return JSON.parse(body)
  return Object.fromEntries(await new Response(body, { headers: { 'content-type': type } }).formData())
}

/** What the document does not allow about a request, or null. */
async function whyRefused({ parameters, body, pattern }: Operation, asked: Asked, path: string) {
  if (!/^Bearer \S+$/.test(asked.headers.authorization ?? '')) return 'A bearer token is missing'
  const places = pattern.exec(path)?.groups ?? {}
  for (const { name, in: where, required, schema } of parameters) {
    const text = where === 'path' ? decodeURIComponent(places[name] ?? '') : asked.query.get(name)
    if (text === null && required) return `${name} is missing`
    if (text !== null && !checkOf(schema).safeParse(typed(text, schema)).success) return `${name} is not ${schema.type}`
  }
  const odd = [...asked.query.keys()].find((name) => !parameters.some((known) => known.name === name))
  if (odd !== undefined) return `${odd} is not known`
  if (!body) return asked.body === '' ? null : 'No body is taken'
  if (!(asked.headers['content-type'] ?? '').startsWith(body.type)) return `The body must be ${body.type}`
  const read = body.accepts.safeParse(await bodyOf(asked).catch(() => undefined))
  return read.success ? null : `The body is not what it must be: ${read.error.message}`
}

/**
 * Plays an API by nothing but its OpenAPI document: it routes by it, refuses with 400 what it does not allow, and answers
 * with values made from its schemas. It keeps nothing, tells no limits, and pages only as far as the document says.
 */
export function createOpenApiMock(file: URL, fill: Fill) {
  const { prefix, operations } = readDocument(file)
  const answers = new Map(
    operations.map(({ id, answer }) => [id, makeValue(answer, { fill, key: '', index: 0 }) as { result: unknown }]),
  )
  const used = new Set<string>()
  const refusals: string[] = []
  const answer: Answer = async (asked) => {
    const path = asked.path.startsWith(`${prefix}/`) ? asked.path.slice(prefix.length) : ''
    const found = operations.find(({ method, pattern }) => method === asked.method && pattern.test(path))
    const why = found ? await whyRefused(found, asked, path) : `There is no ${asked.method} ${asked.path}`
    if (found && why === null) {
      used.add(found.id)
      return { json: answers.get(found.id) }
    }
    refusals.push(`${found?.id ?? 'nothing'}: ${why}`)
    return refused(400, 7003, why ?? '')
  }
  return { prefix, operations, answers, used, refusals, answer }
}
