import type { ParametersOf } from '../../../platform/export-kind.ts'
import type { List, RowsOf } from '../../../platform/keyset.ts'
import { Values } from '../../../platform/statements.ts'
import { customerMatches, findsCustomers, type SearchTerm, searchRows, searchTerm } from '../../billing/index.ts'
import { entryColumns } from './columns.ts'
import { deedOf, deedOutcomeOf, isFirstOfDeed } from './deeds.ts'

export type EntryFilters = ParametersOf<'audit'> & {
  /** Any of these kinds. */
  resources?: readonly string[] | undefined
}

/** A condition over an alias, and by what the entry is marked with: the marks of all conditions are found at once. */
type Condition = {
  text: (alias: string) => string
  marks: readonly string[]
  isAny?: boolean
  hasOrder: boolean
  /** Conditions of which an entry meets one, each with an index of its own. */
  ways?: readonly string[]
}

const allMarks = 'audit_marks(e.actor_type, e.actor_id, e.action, e.resource_type, e.resource_id, e.outcome, e.address)'
const indexText = 'audit_index_text(e.actor_name, e.action, e.resource_type, e.resource_id)'
const textOf = (alias: string): string =>
  `audit_text(${alias}.actor_name, ${alias}.action, ${alias}.resource_type, ${alias}.resource_id)`

const userMatches = (term: SearchTerm): string =>
  `search_fold(coalesce(u.name, '') || ' ' || u.email) like ${term.pattern}`

/** Words of the entry, or what its customer, its site or its people are called now: not looked up if nobody is called so. */
const finds = (term: SearchTerm) => (alias: string) =>
  `(${textOf(alias)} like ${term.pattern}
    or exists (select from customer_search cs where ${findsCustomers(term)})
      and (select true from customer_audit x join customer_search cs on cs.customer_id = x.customer_id
        where x.entry_id = ${alias}.id and ${customerMatches(term)})
    or (select true from sites s where s.doc like ${term.pattern}
      and s.id = case ${alias}.resource_type when 'site' then ${alias}.resource_id else ${alias}.after ->> 'site_id' end)
    or exists (select from users u where ${userMatches(term)})
      and (select true from users u where u.id in (${alias}.actor_id, ${alias}.resource_id) and ${userMatches(term)} limit 1))`

/** The same by indexes: an entry is found in one of these ways. */
const findsIndexed = (term: SearchTerm): string[] => [
  `${indexText} like ${indexPattern(term)}`,
  `e.id = any (array(select x.entry_id from customer_audit x
    where x.customer_id in (select cs.customer_id from customer_search cs where ${findsCustomers(term)})))`,
  `${allMarks} && array(
    select 'i:' || s.id from sites s where s.doc like ${term.pattern}
    union all select mark || u.id from users u, unnest(array['i:', 'u:']) mark where ${userMatches(term)})`,
  `e.after ->> 'site_id' is not null
    and e.after ->> 'site_id' = any (array(select s.id from sites s where s.doc like ${term.pattern}))`,
]

/** The same term in the letters of the index, where only the signs of LIKE need a backslash. */
const indexPattern = ({ text }: SearchTerm): string =>
  `('%' || regexp_replace(audit_digits(${text}), '([%_])', '\\\\\\1', 'g') || '%')`

/** What is set, the most telling first: the first that has an index in the order of the list leads through it. */
function conditionsOf(filters: EntryFilters, values: Values, byDeed: boolean): Condition[] {
  const found: Condition[] = []
  const equal = (column: string, letter: string, value: string | undefined, hasOrder = true) => {
    if (!value) return
    const wanted = values.add(value)
    found.push({ text: (alias) => `${alias}.${column} = ${wanted}`, marks: [`${letter}:${value}`], hasOrder })
  }
  const { resource, resource_id, outcome, resources } = filters
  if (resource && resource_id) {
    const [kind, id] = [values.add(resource), values.add(resource_id)]
    const text = (alias: string) => `${alias}.resource_type = ${kind} and ${alias}.resource_id = ${id}`
    found.push({ text, marks: [`r:${resource}`, `i:${resource_id}`], hasOrder: true })
  } else equal('resource_id', 'i', resource_id, false)
  equal('address', 'n', filters.address)
  equal('actor_id', 'u', filters.actor)
  equal('action', 'a', filters.action)
  if (!byDeed) equal('outcome', 'o', outcome, outcome !== 'done')
  if (!resource_id) equal('resource_type', 'r', resource)
  equal('actor_type', 't', filters.actor_type)
  if (resources) {
    const kinds = values.add(resources)
    const text = (alias: string) => `${alias}.resource_type = any (${kinds}::text[])`
    found.push({ text, marks: resources.map((kind) => `r:${kind}`), isAny: true, hasOrder: false })
  }
  if (byDeed && outcome) found.push(deedOutcome(outcome, found.length > 0 || Boolean(filters.search), values))
  return found
}

/** How a deed ended is known by its last entry; whoever else is looked for is told by an earlier one. */
function deedOutcome(outcome: NonNullable<EntryFilters['outcome']>, hasOthers: boolean, values: Values): Condition {
  const wanted = values.add(outcome)
  if (outcome === 'failed' && hasOthers)
    return {
      text: (alias) => `(${deedOutcomeOf(alias)}) = ${wanted}`,
      ...{ marks: [], hasOrder: false },
      ways: [
        `${allMarks} @> array['o:failed']`,
        `${deedOf('e')} = any (array(select ${deedOf('h')} from audit_entries h
          where h.outcome = 'failed' and ${deedOf('h')} is not null))`,
      ],
    }
  return {
    text: (alias) => `${alias}.outcome = ${wanted} and (${deedOutcomeOf(alias)}) = ${wanted}`,
    marks: [`o:${outcome}`],
    hasOrder: outcome !== 'done',
  }
}

function daysOf({ from, to }: EntryFilters, values: Values): (alias: string) => string[] {
  const start = (day: string) => `(${values.add(day)}::date)::timestamp at time zone 'UTC'`
  const [first, last] = [from && start(from), to && start(to)]
  return (alias) => [
    ...(first ? [`${alias}.at >= ${first}`] : []),
    ...(last ? [`${alias}.at < ${last} + interval '1 day'`] : []),
  ]
}

/**
 * The ways in which indexes find all that match, each as its conditions; only the list needs their values. Joined by OR
 * they would be one condition that no index answers together with the others.
 */
function indexed(conditions: readonly Condition[], term: SearchTerm | undefined, values: Values): string[][] {
  const array = (marks: readonly string[]) =>
    `${values.add(marks.map((mark) => mark.replaceAll('\0', '\ufffd')))}::text[]`
  const all = conditions.filter(({ isAny }) => !isAny).flatMap(({ marks }) => marks)
  const needed = [
    ...(all.length > 0 ? [`${allMarks} @> ${array(all)}`] : []),
    ...conditions.filter(({ isAny }) => isAny).map(({ marks }) => `${allMarks} && ${array(marks)}`),
  ]
  const choices = [...conditions.map(({ ways }) => ways), term && findsIndexed(term)].filter(
    (ways) => ways !== undefined,
  )
  return choices.reduce<string[][]>(
    (found, ways) => found.flatMap((way) => ways.map((next) => [...way, next])),
    [needed],
  )
}

/** What one index does not answer in order is looked for among the newest, and by its marks where it is rare. */
function rowsByMarks(conditions: string[], byIndex: () => string[][]): RowsOf {
  return searchRows({
    sample: 400,
    frequent: 8,
    atMost: 8000,
    scan: (_list, { where, orderBy }, limit) =>
      `select e.id, e.at as sort_key, coalesce(${conditions.join(' and ')}, false) as hit
      from audit_entries e ${where} order by ${orderBy} limit ${limit}`,
    // Without `offset 0` the planner would go along the order after all, and filter.
    indexed: (_list, { where, direction, take }, go) => `select id, sort_key from (
        ${byIndex()
          .map(
            (way) => `(select e.id, e.at as sort_key from audit_entries e
              ${where === '' ? 'where' : `${where} and`} ${[...conditions, ...way, go].join(' and ')} offset 0)`,
          )
          .join(' union ')}
      ) matching order by sort_key ${direction}, id ${direction} limit ${take}`,
  })
}

export type EntryList = { list: List; rowsOf: RowsOf | undefined; conditions: string[] }

/** The log as a list, newest first, of entries or of deeds; `conditions` are those that the list leaves to `rowsOf`. */
export function entryList(filters: EntryFilters, byDeed = false): EntryList {
  const values = new Values()
  const all = conditionsOf(filters, values, byDeed)
  const lead = all.find(({ hasOrder }) => hasOrder)
  const others = all.filter((condition) => condition !== lead)
  const days = daysOf(filters, values)
  const term = searchTerm(values, filters.search)
  const ordered = (alias: string) => [...(lead ? [lead.text(alias)] : []), ...days(alias)]
  const left = (alias: string) => [...others.map(({ text }) => text(alias)), ...(term ? [finds(term)(alias)] : [])]
  const [where, conditions] = [ordered('e'), left('e')]
  const isPlain = where.length === 0 && conditions.length === 0
  // What costs most is looked at last.
  if (byDeed)
    (conditions.length > 0 ? conditions : where).push(
      isFirstOfDeed('e', (alias) => [...ordered(alias), ...left(alias)]),
    )
  const list: List = {
    table: 'audit_entries',
    alias: 'e',
    order: { from: 'audit_entries e', key: 'e.at', id: 'e.id', isWhole: true },
    isDescending: true,
    where,
    columns: byDeed ? `${entryColumns}, ${deedOf('e')} as deed` : entryColumns,
    joins: '',
    total: null,
    values,
    isPrepared: isPlain,
  }
  const rowsOf = conditions.length > 0 ? rowsByMarks(conditions, () => indexed(all, term, values)) : undefined
  return { list, rowsOf, conditions }
}
