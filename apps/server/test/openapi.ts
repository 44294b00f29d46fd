import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** As far as the document of this folder goes. */
export type Schema = {
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean'
  nullable?: boolean
  enum?: unknown[]
  format?: string
  example?: unknown
  minLength?: number
  minimum?: number
  minItems?: number
  maxItems?: number
  required?: string[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema | false
  items?: Schema
  oneOf?: Schema[]
  allOf?: Schema[]
  $ref?: string
}
type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: Schema }
type Content = Record<string, { schema: Schema }>
type Written = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: { '200': { content: Content } }
}
type Document = {
  servers: [{ url: string }]
  paths: Record<string, { parameters?: Parameter[] } & Partial<Record<'get' | 'post' | 'patch' | 'delete', Written>>>
  components: { schemas: Record<string, Schema> }
}

export type Operation = {
  id: string
  method: string
  pattern: RegExp
  parameters: Parameter[]
  body: { type: string; accepts: z.ZodType } | undefined
  answer: Schema
}

/** References and `allOf` written out, so that a schema can be read from the top. */
function resolve(schema: Schema, known: Record<string, Schema>): Schema {
  const { $ref, allOf, ...own } = schema
  if ($ref !== undefined) {
    const found = known[$ref.replace('#/components/schemas/', '')]
    if (!found) throw new Error(`The document has no ${$ref}`)
    return { ...resolve(found, known), ...own }
  }
  const parts = (allOf ?? []).map((part) => resolve(part, known))
  const merged: Schema = {
    ...Object.assign({}, ...parts, own),
    ...(parts.length > 0 && {
      required: parts.flatMap((part) => part.required ?? []),
      properties: Object.assign({}, ...parts.map((part) => part.properties)),
    }),
  }
  const inner = (part: Schema) => resolve(part, known)
  return {
    ...merged,
    ...(merged.items && { items: inner(merged.items) }),
    ...(merged.oneOf && { oneOf: merged.oneOf.map(inner) }),
    ...(merged.additionalProperties && { additionalProperties: inner(merged.additionalProperties) }),
    ...(merged.properties && {
      properties: Object.fromEntries(Object.entries(merged.properties).map(([name, part]) => [name, inner(part)])),
    }),
  }
}

/** Says whether a value is what the schema describes. Formats of our own mean nothing to it. */
export const checkOf = (schema: Schema): z.ZodType =>
  z.fromJSONSchema(JSON.parse(JSON.stringify(schema, (key, value) => (ours(key, value) ? undefined : value))), {
    defaultTarget: 'openapi-3.0',
  })

const ours = (key: string, value: unknown): boolean =>
  key === 'example' || (key === 'format' && (value === 'cf-id' || value === 'project'))

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)

export function readDocument(file: URL): { prefix: string; operations: Operation[] } {
  const document = JSON.parse(readFileSync(file, 'utf8')) as Document
  const { schemas } = document.components
  const methods = ['get', 'post', 'patch', 'delete'] as const
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const written = item[method]
      if (!written) return []
      const [type, content] = Object.entries(written.requestBody?.content ?? {})[0] ?? []
      return {
        id: written.operationId,
        method: method.toUpperCase(),
        pattern: patternOf(path),
        parameters: [...(item.parameters ?? []), ...(written.parameters ?? [])],
        body: type && content ? { type, accepts: checkOf(resolve(content.schema, schemas)) } : undefined,
        answer: resolve(written.responses['200'].content['application/json']?.schema ?? {}, schemas),
      }
    }),
  )
  return { prefix: document.servers[0].url, operations }
}
