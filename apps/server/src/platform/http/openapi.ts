import * as contract from '@agency/contract'
import type { EndpointConfig } from '@agency/contract/endpoint'
import { type ErrorCode, errorCodes, problem } from '@agency/contract/errors'
import type { z } from 'zod'
import { statusOf, titleOf } from '../errors.ts'
import { byName, createSchemas, type JsonSchema } from './openapi-schemas.ts'
import { isEndpoint } from './routes.ts'

type Named = { domain: string; name: string; endpoint: EndpointConfig }
type Schemas = ReturnType<typeof createSchemas>

function findEndpoints(): Named[] {
  return byName<object>(contract).flatMap(([domain, exported]) =>
    byName<unknown>({ ...exported }).flatMap(([name, value]) =>
      isEndpoint(value) ? [{ domain, name, endpoint: value as EndpointConfig }] : [],
    ),
  )
}

/** OpenAPI 3.1 of every call in the contract. */
export function describeApi(version: string): JsonSchema {
  const endpoints = findEndpoints()
  const answers = endpoints.filter(({ endpoint }) => !endpoint.produces)
  const schemas = createSchemas(answers.map(({ name, endpoint }) => ({ call: name, schema: endpoint.response })))
  const parameters = shareParameters(endpoints.flatMap(({ endpoint }) => parametersOf(endpoint, schemas)))
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const named of endpoints) {
    const path = named.endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [named.endpoint.method.toLowerCase()]: describeCall(named, schemas, parameters) }
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
      parameters: parameters.components,
      responses: describeRefusals(schemas),
      schemas: schemas.used(),
    },
  }
}

function describeCall({ domain, name, endpoint }: Named, schemas: Schemas, parameters: Shared): JsonSchema {
  const { permission, summary, body, produces, response } = endpoint
  const taken = parametersOf(endpoint, schemas).map(parameters.place)
  const content = produces
    ? { [produces]: { schema: { type: 'string' } } }
    : { 'application/json': { schema: schemas.describe(response, 'output') } }
  return {
    operationId: name,
    tags: [domain],
    summary,
    'x-permission': permission,
    ...(permission === 'public' && { security: [] }),
    ...(taken.length > 0 && { parameters: taken }),
    ...(body && {
      requestBody: {
        required: !body.safeParse(undefined).success,
        content: { 'application/json': { schema: schemas.describe(body, 'input') } },
      },
    }),
    responses: { 200: { description: 'Done', content }, ...refusalsOf(endpoint) },
  }
}

const responsesPath = '#/components/responses/'

/** The refusals that a call's declaration lets expect. Any call may be refused in a further way, which looks the same. */
const refusals: Record<number, { name: string; isExpected: (endpoint: EndpointConfig) => boolean }> = {
  401: { name: 'Unauthenticated', isExpected: ({ permission }) => permission !== 'public' },
  403: { name: 'Forbidden', isExpected: ({ permission }) => permission !== 'public' && permission !== 'signing_in' },
  404: { name: 'NotFound', isExpected: ({ params }) => params !== undefined },
  409: { name: 'Conflict', isExpected: ({ method }) => method !== 'GET' },
  422: { name: 'RefusedByProvider', isExpected: ({ idempotent }) => idempotent === true },
  429: { name: 'TooManyTries', isExpected: ({ permission }) => permission === 'public' || permission === 'signing_in' },
  503: { name: 'Unavailable', isExpected: () => true },
}

function refusalsOf(endpoint: EndpointConfig): JsonSchema {
  const expected = Object.entries(refusals).filter(([, { isExpected }]) => isExpected(endpoint))
  return {
    ...Object.fromEntries(expected.map(([status, { name }]) => [status, { $ref: responsesPath + name }])),
    default: { $ref: `${responsesPath}Problem` },
  }
}

function describeRefusals(schemas: Schemas): Record<string, JsonSchema> {
  const content = { 'application/problem+json': { schema: schemas.describe(problem, 'output') } }
  const describeCode = (code: ErrorCode) => `\`${code}\`: ${titleOf[code]}`
  const expected = Object.entries(refusals).map(([status, { name }]) => {
    const codes = errorCodes.filter((code) => statusOf[code] === Number(status))
    return [name, { description: codes.map(describeCode).join('. '), content }] as const
  })
  return { ...Object.fromEntries(expected), Problem: { description: 'A problem (RFC 9457)', content } }
}

type Parameter = { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: JsonSchema }

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A repeat with the same key gets the first answer again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
} as const

function parametersOf({ params, query, idempotent }: EndpointConfig, schemas: Schemas): Parameter[] {
  return [
    ...fieldsOf(params, 'path', schemas),
    ...fieldsOf(query, 'query', schemas),
    ...(idempotent ? [idempotencyKey] : []),
  ]
}

function fieldsOf(schema: z.ZodType | undefined, place: 'path' | 'query', schemas: Schemas): Parameter[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemas.spellOut(schema, 'input') as {
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

type Shared = { components: Record<string, JsonSchema>; place: (parameter: Parameter) => JsonSchema }

/** The usual form of a parameter that several calls take; one of another form stands where it is taken. */
function shareParameters(all: readonly Parameter[]): Shared {
  const counts = new Map<string, number>()
  for (const parameter of all) {
    const text = JSON.stringify(parameter)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const often = [...counts].filter(([, count]) => count > 1).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  const ids = new Map<string, string>()
  const components: Record<string, Parameter> = {}
  for (const [text] of often) {
    const parameter = JSON.parse(text) as Parameter
    const id = parameter.name.replace(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase())
    if (id in components) continue
    components[id] = parameter
    ids.set(text, id)
  }
  return {
    components: Object.fromEntries(byName(components)),
    place: (parameter) => {
      const id = ids.get(JSON.stringify(parameter))
      return id === undefined ? parameter : { $ref: `#/components/parameters/${id}` }
    },
  }
}
