import { readFileSync } from 'node:fs'
import type { LightMyRequestResponse } from 'fastify'
import { z } from 'zod'

type Json = Record<string, unknown>
type Content = Record<string, { schema: Json }>
type Call = { responses: Record<'200' | 'default', { content: Content }> }
type Known = { method: string; parts: string[]; call: Call }

const base = '/api'
const file = new URL('../../../openapi.json', import.meta.url)
// A schema refers to others of the document; for the check these are definitions beside it.
const document = JSON.parse(readFileSync(file, 'utf8').replaceAll('#/components/schemas/', '#/$defs/')) as {
  paths: Record<string, Record<string, Call>>
  components: { schemas: Record<string, Json> }
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
  const check = z.fromJSONSchema({ ...schema, $defs: document.components.schemas })
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

/** Throws when an answer of the API is not what `openapi.json` says about its call. */
export function expectDocumented(answer: LightMyRequestResponse): void {
  const { method = '', url = '' } = answer.raw.req
  const path = new URL(url, 'http://localhost').pathname
  const hasBody = method !== 'HEAD' && method !== 'OPTIONS' && answer.statusCode !== 304
  if (!path.startsWith(`${base}/`) || !hasBody || path === `${base}/openapi.json`) return
  const call = findCall(method, path.slice(base.length))
  const content = answer.statusCode < 400 ? call?.responses[200].content : calls[0]?.call.responses.default.content
  const type = String(answer.headers['content-type'] ?? '').split(';')[0] ?? ''
  const fault = content ? describeFault(content, type, answer.body) : 'the document has no such call'
  if (fault !== null) throw new Error(`${method} ${path} (${answer.statusCode}) contradicts openapi.json: ${fault}`)
}
