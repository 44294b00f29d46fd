import type { Values } from '../../../platform/statements.ts'
import { escapePattern, jsonList, searchTerm } from '../../billing/index.ts'
import { kindOfId } from './kind-of-id.ts'
import { foldedText, placeOf } from './place.ts'
import { most, shown } from './rows.ts'

// Of these there are few enough to put all that match in their order.

/** What a search needs to know beside the term: which account's zones are shown. */
export type World = { connection: string }

/** Sites by name, address or customer. */
export function sites(values: Values, text: string): string {
  const { columns, table } = shown.site
  if (kindOfId(text) === 'site') {
    const beginning = values.add(`${escapePattern(text)}%`)
    return jsonList(
      columns,
      `${table} where s.id like ${beginning} and s.deleted_at is null order by s.id limit ${most}`,
    )
  }
  const pattern = searchTerm(values, text)?.pattern
  const place = `least(${placeOf(values, text, 's.site_name')}, ${placeOf(values, text, 's.domain')})`
  return jsonList(
    columns,
    `${table} where s.deleted_at is null and s.doc like ${pattern} order by ${place}, s.sort_name, s.id limit ${most}`,
  )
}

/** The zones of the account that is connected now. */
export function domains(values: Values, text: string, { connection }: World): string {
  const { columns, table } = shown.domain
  return jsonList(
    columns,
    `${table} where d.connection = ${values.add(connection)} and strpos(d.name, ${foldedText(values, text)}) > 0
    order by ${placeOf(values, text, 'd.name')}, d.name, d.id limit ${most}`,
  )
}

export function users(values: Values, text: string): string {
  const { columns, table } = shown.user
  const folded = foldedText(values, text)
  const place = `least(${placeOf(values, text, 'u.name')}, ${placeOf(values, text, 'u.email')})`
  return jsonList(
    columns,
    `${table} where strpos(search_fold(u.name), ${folded}) > 0 or strpos(u.email, ${folded}) > 0
    order by ${place}, lower(u.name), u.id limit ${most}`,
  )
}
