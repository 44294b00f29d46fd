import * as contract from '@agency/contract'
import type { EndpointConfig } from '@agency/contract/endpoint'
import { problem } from '@agency/contract/errors'
import { z } from 'zod'
import { isEndpoint } from './routes.ts'

type JsonSchema = Record<string, unknown>
type Named = { domain: string; name: string; endpoint: EndpointConfig }

const schemasPath = '#/components/schemas/'
const safeInteger = Number.MAX_SAFE_INTEGER
const options = {
  unrepresentable: 'any',
  // What the format and the type say already.
  override: ({ jsonSchema }: { jsonSchema: JsonSchema }) => {
    if (jsonSchema['format'] === 'date-time') delete jsonSchema['pattern']
    if (jsonSchema['maximum'] === safeInteger) delete jsonSchema['maximum']
    if (jsonSchema['minimum'] === -safeInteger) delete jsonSchema['minimum']
  },
} as const
const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function findEndpoints(): Named[] {
  return Object.entries(contract).flatMap(([domain, exported]) =>
    Object.entries(exported).flatMap(([name, value]) =>
      isEndpoint(value) ? [{ domain, name, endpoint: value as EndpointConfig }] : [],
    ),
  )
}

/** The nouns of the contract under their own names, so that answers refer to them instead of repeating them. */
function nameSchemas(endpoints: readonly Named[]): z.core.$ZodRegistry<{ id: string }> {
  const registry = z.registry<{ id: string }>()
  const taken = new Set<string>()
  const add = (schema: z.ZodType, domain: string, name: string) => {
    if (registry.has(schema)) return
    const id = taken.has(upperFirst(name)) ? upperFirst(domain) + upperFirst(name) : upperFirst(name)
    taken.add(id)
    registry.add(schema, { id })
  }
  add(problem, 'errors', 'problem')
  for (const [domain, exported] of Object.entries(contract)) {
    for (const [name, value] of Object.entries(exported)) {
      if (value instanceof z.ZodObject || value instanceof z.ZodEnum) add(value as z.ZodType, domain, name)
    }
  }
  for (const { domain, name, endpoint } of endpoints) {
    if (!endpoint.produces) add(endpoint.response as z.ZodType, domain, `${name}Answer`)
  }
  return registry
}

/** OpenAPI 3.1 of every call in the contract. */
export function describeApi(version: string): JsonSchema {
  const endpoints = findEndpoints()
  const registry = nameSchemas(endpoints)
  const { schemas } = z.toJSONSchema(registry, { ...options, io: 'output', uri: (id) => schemasPath + id })
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const named of endpoints) {
    const path = named.endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [named.endpoint.method.toLowerCase()]: describeCall(named, registry) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Agency Console', version },
    servers: [{ url: '/api' }],
    security: [{ key: [] }, { bearer: [] }],
    tags: [...new Set(endpoints.map(({ domain }) => domain))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'x-admin-key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      schemas: Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutMeta(schema)])),
    },
  }
}

function describeCall({ domain, name, endpoint }: Named, registry: z.core.$ZodRegistry<{ id: string }>): JsonSchema {
  const { permission, summary, body, idempotent } = endpoint
  const id = endpoint.produces ? undefined : registry.get(endpoint.response as z.ZodType)?.id
  const content = endpoint.produces
    ? { [endpoint.produces]: { schema: { type: 'string' } } }
    : { 'application/json': { schema: { $ref: schemasPath + id } } }
  const parameters = [
    ...parametersOf(endpoint.params, 'path'),
    ...parametersOf(endpoint.query, 'query'),
    ...(idempotent ? [idempotencyKey] : []),
  ]
  return {
    operationId: name,
    tags: [domain],
    summary,
    'x-permission': permission,
    ...(permission === 'public' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: !body.safeParse(undefined).success,
        content: { 'application/json': { schema: inputSchema(body) } },
      },
    }),
    responses: {
      200: { description: 'Done', content },
      default: {
        description: 'A problem (RFC 9457)',
        content: { 'application/problem+json': { schema: { $ref: `${schemasPath}Problem` } } },
      },
    },
  }
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A repeat with the same key gets the first answer again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): JsonSchema[] {
  if (!schema) return []
  const { properties = {}, required = [] } = inputSchema(schema) as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

const inputSchema = (schema: z.ZodType): JsonSchema => withoutMeta(z.toJSONSchema(schema, { ...options, io: 'input' }))

function withoutMeta({ $schema: _, $id: __, ...schema }: JsonSchema): JsonSchema {
  return schema
}
