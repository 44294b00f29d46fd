import type { LightMyRequestResponse } from 'fastify'
import { z } from 'zod'
import { readApiDocument } from './api-document.ts'

type Json = Record<string, unknown>
type Content = Record<string, { schema: Json }>
type Call = { responses: { [status: string]: { content: Content } } }
type Known = { method: string; parts: string[]; call: Call }

const base = '/api'
const document = readApiDocument() as {
  paths: Record<string, Record<string, Call>>
  components: { responses: Record<'Problem', { content: Content }> }
}
const calls: Known[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, call]) => ({ method: method.toUpperCase(), parts: path.split('/'), call })),
)

const isParameter = (part: string): boolean => part.startsWith('{')
const fits = (known: string[], asked: string[]): boolean =>
  known.length === asked.length && known.every((part, index) => isParameter(part) || part === asked[index])

/** A name wins over a parameter, as in the router. */
function findCall(method: string, path: string): Call | undefined {
  const asked = path.split('/')
  const found = calls.filter((known) => known.method === method && fits(known.parts, asked))
  const parameters = ({ parts }: Known) => parts.filter(isParameter).length
  return found.sort((a, b) => parameters(a) - parameters(b))[0]?.call
}

const checks = new Map<Json, z.ZodType>()

/** Made at the first answer of its kind, and kept. */
function checkOf(schema: Json): z.ZodType {
  const known = checks.get(schema)
  if (known) return known
  const check = z.fromJSONSchema(schema)
  checks.set(schema, check)
  return check
}

function describeFault(content: Content, type: string, body: string): string | null {
  const documented = content[type]
  if (!documented) return `it is ${type || 'without a type'} instead of ${Object.keys(content).join(' or ')}`
  if (!type.endsWith('json')) return null
  const checked = checkOf(documented.schema).safeParse(JSON.parse(body))
  return checked.success ? null : z.prettifyError(checked.error)
}

/** Throws when an answer of the API is not what `docs/openapi.json` says about its call. */
export function expectDocumented(answer: LightMyRequestResponse): void {
  const { method = '', url = '' } = answer.raw.req
  const path = new URL(url, 'http://localhost').pathname
  const hasBody = method !== 'HEAD' && method !== 'OPTIONS' && answer.statusCode !== 304
  if (!path.startsWith(`${base}/`) || !hasBody || path === `${base}/openapi.json`) return
  const { responses } = findCall(method, path.slice(base.length)) ?? {}
  const { Problem } = document.components.responses
  const refusal = responses?.[answer.statusCode] ?? responses?.['default'] ?? Problem
  const content = (answer.statusCode < 400 ? responses?.[200] : refusal)?.content
  const type = String(answer.headers['content-type'] ?? '').split(';')[0] ?? ''
  const fault = content ? describeFault(content, type, answer.body) : 'the document has no such call'
  if (fault !== null) throw new Error(`${method} ${path} (${answer.statusCode}) contradicts openapi.json: ${fault}`)
}
