import { fieldsOf, type Group, groupsOf } from './groups.ts'
import type { Field } from './parse.ts'
import { type DatasetName, planOf } from './plans.ts'
import { type GraphqlPath, GraphqlRefusal } from './refusal.ts'
import { spanOf } from './span.ts'
import { characterOf } from './traffic.ts'

export type GraphqlZone = {
  id: string
  /** Its plan's `legacy_id`; '' when the zone has none. */
  plan: string
  name: string
  /** Milliseconds; there is no traffic before it. */
  createdAt: number
}

export type GraphqlContext = {
  /** World time in milliseconds. */
  now: number
  seed: string
  /** undefined when it does not exist or the token may not read its analytics. */
  zone(id: string): GraphqlZone | undefined
}

const zonesTogether = 10
const settingNames = ['enabled', 'maxDuration', 'maxPageSize', 'notOlderThan', 'maxNumberOfFields']

const isDataset = (name: string): name is DatasetName => name in fieldsOf

function checkField(field: Field, isObject: boolean, path: GraphqlPath): void {
  if (isObject && field.fields.length === 0)
    throw new GraphqlRefusal(`field "${field.name}" must have selections`, path)
  if (!isObject && field.fields.length > 0) throw new GraphqlRefusal('scalar fields must have not selections', path)
}

function zoneIds(filter: unknown): string[] {
  const { zoneTag, zoneTag_in: several } = (filter ?? {}) as { zoneTag?: unknown; zoneTag_in?: unknown }
  const ids = zoneTag === undefined ? several : [zoneTag]
  if (!Array.isArray(ids) || ids.length === 0 || !ids.every((id) => typeof id === 'string')) {
    throw new GraphqlRefusal('error parsing args for "zones": a zoneTag is required in filter', ['viewer', 'zones'])
  }
  if (ids.length > zonesTogether) {
    throw new GraphqlRefusal(`number of zones in filter cannot be more than ${zonesTogether}`, ['viewer', 'zones'])
  }
  return [...new Set(ids)]
}

function compare(order: unknown, path: GraphqlPath): (left: Group, right: Group) => number {
  const keys = (Array.isArray(order) ? order : order === undefined ? [] : [order]).map((key) => {
    const match = /^(?:(sum|avg|uniq)_)?(\w+)_(ASC|DESC)$/.exec(String(key))
    if (!match) throw new GraphqlRefusal(`error parsing args: unknown orderBy value "${String(key)}"`, path)
    const [, group, name = '', direction] = match
    const read = (row: Group) =>
      group === undefined ? (name === 'count' ? row.count : row.dimensions[name]) : row[group as 'sum'][name]
    return { read, sign: direction === 'ASC' ? 1 : -1 }
  })
  return (left, right) => {
    for (const { read, sign } of keys) {
      const [a, b] = [read(left) ?? 0, read(right) ?? 0]
      if (a !== b) return a < b ? -sign : sign
    }
    return 0
  }
}

function row(group: Group, field: Field): Record<string, unknown> {
  return Object.fromEntries(
    field.fields.map((part) => {
      if (part.name === 'count') return [part.alias, group.count]
      const values = group[part.name as 'sum']
      return [part.alias, Object.fromEntries(part.fields.map(({ name, alias }) => [alias, values[name]]))]
    }),
  )
}

function checkDataset(field: Field, dataset: DatasetName, zone: GraphqlZone, path: GraphqlPath): void {
  checkField(field, true, path)
  const known = fieldsOf[dataset]
  const refused = planOf(zone.plan).refused[dataset] ?? []
  for (const part of field.fields) {
    const names = known[part.name]
    if (!names) throw new GraphqlRefusal(`unknown field "${part.name}"`, path)
    checkField(part, names.length > 0, path)
    for (const { name } of part.fields) {
      if (!names.includes(name)) throw new GraphqlRefusal(`unknown field "${name}"`, path)
      if (refused.includes(name)) {
        throw new GraphqlRefusal(`zone '${zone.id}' does not have access to the field '${name}'`, path)
      }
    }
  }
}

function dataset(context: GraphqlContext, zone: GraphqlZone, field: Field, index: number): unknown {
  const name = field.name as DatasetName
  const path = ['viewer', 'zones', String(index), field.name]
  const limits = planOf(zone.plan).limits[name]
  if (!limits.enabled) throw new GraphqlRefusal(`zone '${zone.id}' does not have access to the path`, path)
  checkDataset(field, name, zone, path)
  const { limit, filter, orderBy } = field.args
  if (typeof limit !== 'number' || limit < 1 || limit > limits.maxPageSize) {
    throw new GraphqlRefusal(`limit must be positive number and not greater than ${limits.maxPageSize}`, path)
  }
  const span = spanOf(filter, name, limits, context.now, path)
  const dimensions = field.fields.find((part) => part.name === 'dimensions')?.fields.map((part) => part.name) ?? []
  const source = { character: characterOf(context.seed, zone.id), createdAt: zone.createdAt }
  const groups = groupsOf(name, source, span, dimensions)
  return groups
    .sort(compare(orderBy, path))
    .slice(0, limit)
    .map((group) => row(group, field))
}

function settings(zone: GraphqlZone, field: Field, index: number): unknown {
  const path = ['viewer', 'zones', String(index), 'settings']
  checkField(field, true, path)
  return Object.fromEntries(
    field.fields.map((part) => {
      if (!isDataset(part.name)) throw new GraphqlRefusal(`unknown field "${part.name}"`, path)
      checkField(part, true, path)
      const limits: Record<string, unknown> = planOf(zone.plan).limits[part.name]
      const shown = part.fields.map(({ name, alias }) => {
        if (!settingNames.includes(name)) throw new GraphqlRefusal(`unknown field "${name}"`, path)
        return [alias, limits[name]]
      })
      return [part.alias, Object.fromEntries(shown)]
    }),
  )
}

function zoneNode(context: GraphqlContext, zone: GraphqlZone, field: Field, index: number): unknown {
  return Object.fromEntries(
    field.fields.map((part) => {
      if (part.name === 'zoneTag') return [part.alias, zone.id]
      if (part.name === 'settings') return [part.alias, settings(zone, part, index)]
      if (isDataset(part.name)) return [part.alias, dataset(context, zone, part, index)]
      throw new GraphqlRefusal(`unknown field "${part.name}"`, ['viewer', 'zones', String(index)])
    }),
  )
}

function viewer(context: GraphqlContext, field: Field): unknown {
  return Object.fromEntries(
    field.fields.map((part) => {
      if (part.name !== 'zones') throw new GraphqlRefusal(`unknown field "${part.name}"`, ['viewer'])
      checkField(part, true, ['viewer', 'zones'])
      const zones = zoneIds(part.args['filter']).flatMap((id) => context.zone(id) ?? [])
      return [part.alias, zones.map((zone, index) => zoneNode(context, zone, part, index))]
    }),
  )
}

export function answerFields(context: GraphqlContext, fields: readonly Field[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.map((field) => {
      if (field.name !== 'viewer') throw new GraphqlRefusal(`unknown field "${field.name}"`)
      checkField(field, true, ['viewer'])
      return [field.alias, viewer(context, field)]
    }),
  )
}
