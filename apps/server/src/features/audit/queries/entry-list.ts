import type { ParametersOf } from '../../../platform/export-kind.ts'
import type { List, RowsOf } from '../../../platform/keyset.ts'
import { Values } from '../../../platform/statements.ts'
import { type SearchTerm, searchRows, searchTerm } from '../../billing/index.ts'
import { entryColumns } from './columns.ts'

export type EntryFilters = ParametersOf<'audit'> & {
  /** Any of these kinds. */
  resources?: readonly string[] | undefined
}

/** A condition by columns, and by what the entry is marked with: the marks of all conditions are found at once. */
type Condition = { text: string; marks: readonly string[]; isAny?: boolean; hasOrder: boolean }

const allMarks = 'audit_marks(e.actor_type, e.actor_id, e.action, e.resource_type, e.resource_id, e.outcome, e.address)'
const indexText = 'audit_index_text(e.actor_name, e.action, e.resource_type, e.resource_id)'
const allText = 'audit_text(e.actor_name, e.action, e.resource_type, e.resource_id)'

/** The same term in the letters of the index, where only the signs of LIKE need a backslash. */
const indexPattern = ({ text }: SearchTerm): string =>
  `('%' || regexp_replace(audit_digits(${text}), '([%_])', '\\\\\\1', 'g') || '%')`

/** What is set, the most telling first: the first that has an index in the order of the list leads through it. */
function conditionsOf(filters: EntryFilters, values: Values): Condition[] {
  const found: Condition[] = []
  const equal = (column: string, letter: string, value: string | undefined, hasOrder = true) => {
    if (!value) return
    found.push({ text: `e.${column} = ${values.add(value)}`, marks: [`${letter}:${value}`], hasOrder })
  }
  const { resource, resource_id, outcome, resources } = filters
  if (resource && resource_id) {
    const text = `e.resource_type = ${values.add(resource)} and e.resource_id = ${values.add(resource_id)}`
    found.push({ text, marks: [`r:${resource}`, `i:${resource_id}`], hasOrder: true })
  } else equal('resource_id', 'i', resource_id, false)
  equal('address', 'n', filters.address)
  equal('actor_id', 'u', filters.actor)
  equal('action', 'a', filters.action)
  equal('outcome', 'o', outcome, outcome !== 'done')
  if (!resource_id) equal('resource_type', 'r', resource)
  equal('actor_type', 't', filters.actor_type)
  if (resources) {
    const text = `e.resource_type = any (${values.add(resources)}::text[])`
    found.push({ text, marks: resources.map((kind) => `r:${kind}`), isAny: true, hasOrder: false })
  }
  return found
}

function daysOf({ from, to }: EntryFilters, values: Values): string[] {
  const start = (day: string) => `(${values.add(day)}::date)::timestamp at time zone 'UTC'`
  return [...(from ? [`e.at >= ${start(from)}`] : []), ...(to ? [`e.at < ${start(to)} + interval '1 day'`] : [])]
}

/** Conditions that the index of marks and text answers; only the list needs their values. */
function indexed(conditions: readonly Condition[], term: SearchTerm | undefined, values: Values): string[] {
  const array = (marks: readonly string[]) =>
    `${values.add(marks.map((mark) => mark.replaceAll('\0', '\ufffd')))}::text[]`
  const all = conditions.filter(({ isAny }) => !isAny).flatMap(({ marks }) => marks)
  return [
    ...(all.length > 0 ? [`${allMarks} @> ${array(all)}`] : []),
    ...conditions.filter(({ isAny }) => isAny).map(({ marks }) => `${allMarks} && ${array(marks)}`),
    ...(term ? [`${indexText} like ${indexPattern(term)}`] : []),
  ]
}

/** What one index does not answer in order is looked for among the newest, and by its marks where it is rare. */
function rowsByMarks(conditions: string[], byIndex: () => string[]): RowsOf {
  return searchRows({
    sample: 400,
    frequent: 8,
    atMost: 8000,
    scan: (_list, { where, orderBy }, limit) =>
      `select e.id, e.at as sort_key, coalesce(${conditions.join(' and ')}, false) as hit
      from audit_entries e ${where} order by ${orderBy} limit ${limit}`,
    // Without `offset 0` the planner would go along the order after all, and filter.
    indexed: (_list, { where, direction, take }, go) => `select id, sort_key from (
        select e.id, e.at as sort_key from audit_entries e
        ${where === '' ? 'where' : `${where} and`} ${[...conditions, ...byIndex(), go].join(' and ')} offset 0
      ) matching order by sort_key ${direction}, id ${direction} limit ${take}`,
  })
}

export type EntryList = { list: List; rowsOf: RowsOf | undefined; conditions: string[] }

/** The log as a list, newest first; `conditions` are those that the list leaves to `rowsOf`. */
export function entryList(filters: EntryFilters): EntryList {
  const values = new Values()
  const all = conditionsOf(filters, values)
  const lead = all.find(({ hasOrder }) => hasOrder)
  const others = all.filter((condition) => condition !== lead)
  const where = [...(lead ? [lead.text] : []), ...daysOf(filters, values)]
  const term = searchTerm(values, filters.search)
  const conditions = [...others.map(({ text }) => text), ...(term ? [`${allText} like ${term.pattern}`] : [])]
  const list: List = {
    table: 'audit_entries',
    alias: 'e',
    order: { from: 'audit_entries e', key: 'e.at', id: 'e.id', isWhole: true },
    isDescending: true,
    where,
    columns: entryColumns,
    joins: '',
    total: null,
    values,
    isPrepared: where.length === 0 && conditions.length === 0,
  }
  const rowsOf = conditions.length > 0 ? rowsByMarks(conditions, () => indexed(all, term, values)) : undefined
  return { list, rowsOf, conditions }
}
