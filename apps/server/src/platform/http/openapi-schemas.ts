import * as contract from '@agency/contract'
import * as errors from '@agency/contract/errors'
import * as permissions from '@agency/contract/permissions'
import * as primitives from '@agency/contract/primitives'
import * as site from '@agency/contract/site'
import { z } from 'zod'

export type JsonSchema = { [key: string]: unknown }
type Io = 'input' | 'output'
type Registry = z.core.$ZodRegistry<{ id: string }>
type Answer = { call: string; schema: z.ZodType }

const path = '#/components/schemas/'
const safeInteger = Number.MAX_SAFE_INTEGER
const options = {
  unrepresentable: 'any',
  // What the format and the type say already.
  override: ({ jsonSchema }: { jsonSchema: JsonSchema }) => {
    if (jsonSchema['format'] === 'date-time' || jsonSchema['format'] === 'date') delete jsonSchema['pattern']
    if (jsonSchema['maximum'] === safeInteger) delete jsonSchema['maximum']
    if (jsonSchema['minimum'] === -safeInteger) delete jsonSchema['minimum']
  },
} as const
const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

type Exported = { [name: string]: unknown }

/** By name: which of a module's exports comes first differs from loader to loader. */
export const byName = <T>(named: Record<string, T>): [string, T][] =>
  Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1))

/** The nouns of the contract under their own names, so that calls refer to them instead of repeating them. */
function nameNouns(): Map<z.ZodType, string> {
  const names = new Map<z.ZodType, string>()
  const taken = new Set<string>()
  const domains: Record<string, Exported> = { errors, permissions, primitives, site, ...contract }
  for (const [domain, exported] of byName(domains)) {
    for (const [name, value] of byName(exported)) {
      if (!(value instanceof z.ZodObject || value instanceof z.ZodEnum) || names.has(value as z.ZodType)) continue
      const id = taken.has(upperFirst(name)) ? upperFirst(domain) + upperFirst(name) : upperFirst(name)
      taken.add(id)
      names.set(value as z.ZodType, id)
    }
  }
  return names
}

/** An answer that a second call gives too, or holds as a part, is named after the first call that gives it. */
function nameAnswers(answers: readonly Answer[], nouns: ReadonlyMap<z.ZodType, string>): Map<z.ZodType, string> {
  const named = new Map<z.ZodType, string>()
  const repeated = new Set<z.ZodType>()
  for (const { call, schema } of answers) {
    if (named.has(schema)) repeated.add(schema)
    else if (!nouns.has(schema)) named.set(schema, `${upperFirst(call)}Answer`)
  }
  const everything = convertAll(registryOf([...nouns, ...named]), 'output')
  const parts = new Set(refsIn(everything).map(nounOf))
  return new Map([...named].filter(([schema, id]) => repeated.has(schema) || parts.has(id)))
}

function registryOf(names: Iterable<readonly [z.ZodType, string]>): Registry {
  const registry: Registry = z.registry()
  for (const [schema, id] of names) registry.add(schema, { id })
  return registry
}

const convertAll = (registry: Registry, io: Io) =>
  z.toJSONSchema(registry, { ...options, io, uri: (id) => path + id }).schemas as Record<string, JsonSchema>

function withoutMeta({ $schema: _, $id: __, id: ___, $defs: ____, ...schema }: JsonSchema): JsonSchema {
  return schema
}

/** Every object below a value, replaced from the inside out. */
function mapObjects(value: unknown, change: (object: JsonSchema) => JsonSchema): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change))
  if (typeof value !== 'object' || value === null) return value
  return change(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapObjects(inner, change)])))
}

/** `T or null` in its short form. */
function shortenNullable(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || anyOf[1].type !== 'null') return schema
  const { type, ...other } = anyOf[0] as JsonSchema
  return typeof type === 'string' && !('enum' in other || 'const' in other)
    ? { ...rest, type: [type, 'null'], ...other }
    : schema
}

function refsIn(value: unknown): string[] {
  const refs: string[] = []
  mapObjects(value, (object) => {
    if (typeof object['$ref'] === 'string') refs.push(object['$ref'])
    return object
  })
  return refs
}

const nounOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** Nouns that take another shape than they give, by a default or a conversion, or hold one that does. */
function findTwoSided(outputs: Record<string, JsonSchema>, inputs: Record<string, JsonSchema>): Set<string> {
  const differ = new Set(
    Object.keys(outputs).filter((id) => JSON.stringify(outputs[id]) !== JSON.stringify(inputs[id])),
  )
  for (let before = -1; before !== differ.size; ) {
    before = differ.size
    for (const [id, schema] of Object.entries(inputs))
      if (refsIn(schema).some((ref) => differ.has(nounOf(ref)))) differ.add(id)
  }
  return differ
}

/** Translates schemas of the contract, and collects those that are referred to. */
export function createSchemas(answers: readonly Answer[]) {
  const nouns = nameNouns()
  const names = registryOf([...nouns, ...nameAnswers(answers, nouns)])
  const plain = { output: convertAll(names, 'output'), input: convertAll(names, 'input') }
  const twoSided = findTwoSided(plain.output, plain.input)
  const used: Record<string, JsonSchema> = {}

  function refTo(id: string, io: Io): JsonSchema {
    const name = io === 'input' && twoSided.has(id) ? `${id}Input` : id
    if (!(name in used)) {
      used[name] = {}
      used[name] = tidy(plain[io][id]!, io)
    }
    return { $ref: path + name }
  }

  const tidy = (schema: JsonSchema, io: Io): JsonSchema =>
    mapObjects(withoutMeta(schema), (object) =>
      typeof object['$ref'] === 'string'
        ? { ...object, ...refTo(nounOf(object['$ref']), io) }
        : shortenNullable(object),
    ) as JsonSchema

  /** In place, even where it has a name. */
  function spellOut(schema: z.ZodType, io: Io): JsonSchema {
    const id = names.get(schema)?.id
    return tidy(id === undefined ? z.toJSONSchema(schema, { ...options, io, metadata: names }) : plain[io][id]!, io)
  }

  function describe(schema: z.ZodType, io: Io): JsonSchema {
    const id = names.get(schema)?.id
    return id === undefined ? spellOut(schema, io) : refTo(id, io)
  }

  return {
    describe,
    spellOut,
    used: () => Object.fromEntries(byName(used)),
  }
}
