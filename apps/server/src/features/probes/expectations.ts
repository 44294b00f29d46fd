import type { CheckSettings } from '@agency/contract/checks'
import { parseJsonPath, valueAt } from './json-path.ts'

/** What came back, as far as it was read. */
export type Answer = {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: string
  isCut: boolean
  /** Where it redirects to, when that was not followed. */
  location: string | null
}

/** What the name leads to; null: not asked for, or not told. */
export type Names = readonly string[] | null

const shownLength = 80

/** Strangers wrote it: one short line of it is shown. */
function shown(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  const characters = Array.from(line)
  return characters.length <= shownLength ? line : `${characters.slice(0, shownLength - 1).join('')}…`
}

const quoted = (text: string) => `"${shown(text)}"`

/** `200-299, 301` as pairs; null when a range goes backwards. */
export function statusRanges(text: string): [from: number, to: number][] | null {
  const ranges = text.split(',').map((part): [number, number] => {
    const [from, to = from] = part.trim().split('-').map(Number)
    return [from ?? Number.NaN, to ?? Number.NaN]
  })
  return ranges.every(([from, to]) => from <= to) ? ranges : null
}

const isAmong = (status: number, text: string): boolean =>
  (statusRanges(text) ?? []).some(([from, to]) => status >= from && status <= to)

function unmetRedirect({ status, location }: Answer, redirect: CheckSettings['redirect']): string | null {
  if (redirect.mode === 'follow') return null
  if (redirect.mode === 'none') return location === null ? null : `Expected no redirect, got one to ${shown(location)}`
  if (location === null) return `Expected a redirect to ${shown(redirect.to)}, got status ${status}`
  const isSame = URL.parse(location)?.href === URL.parse(redirect.to)?.href
  return isSame ? null : `Expected a redirect to ${shown(redirect.to)}, got one to ${shown(location)}`
}

function unmetHeader({ headers }: Answer, header: NonNullable<CheckSettings['header']>): string | null {
  const values = headers[header.name.toLowerCase()]
  if (values === undefined) return `Expected the header ${header.name}, got none`
  const value = Array.isArray(values) ? values.join(', ') : values
  return value.toLowerCase().includes(header.contains.toLowerCase())
    ? null
    : `Expected the header ${header.name} to contain ${quoted(header.contains)}, got ${quoted(value)}`
}

function unmetKeyword({ body, isCut }: Answer, { text, mode }: NonNullable<CheckSettings['keyword']>): string | null {
  const isThere = body.toLowerCase().includes(text.toLowerCase())
  if (mode === 'lacks') return isThere ? `Found the forbidden text ${quoted(text)}` : null
  if (isThere) return null
  return `Expected ${quoted(text)}, not found${isCut ? ' in the first 256 KB' : ''}`
}

function unmetJson({ body, isCut }: Answer, { query, value }: NonNullable<CheckSettings['json']>): string | null {
  const expected = `Expected ${query} to be ${quoted(value)}`
  let document: unknown
  try {
    document = JSON.parse(body)
  } catch {
    return `${expected}, got ${isCut ? 'more than 256 KB' : 'no JSON'}`
  }
  const found = valueAt(document, parseJsonPath(query) ?? [])
  if (found === undefined) return `${expected}, got nothing`
  const text = typeof found === 'string' ? found : JSON.stringify(found)
  return text === value ? null : `${expected}, got ${quoted(text)}`
}

const nameOf = (text: string) => text.toLowerCase().replace(/\.$/, '')

/** The name leads somewhere else, in words. */
export function unmetName(names: Names, { dns }: Pick<CheckSettings, 'dns'>): string | null {
  if (dns === null || names === null || names.some((name) => nameOf(name) === nameOf(dns))) return null
  return `Expected DNS to point to ${dns}, got ${names.length === 0 ? 'nothing' : shown(names.join(', '))}`
}

/** What was expected and did not come, in words; null when all of it came. */
export function unmet(answer: Answer, settings: CheckSettings): string | null {
  const { statuses, header, keyword, json } = settings
  const redirect = unmetRedirect(answer, settings.redirect)
  if (redirect !== null) return redirect
  if (statuses !== null && !isAmong(answer.status, statuses)) return `Expected status ${statuses}, got ${answer.status}`
  return (
    (header && unmetHeader(answer, header)) ??
    (keyword && unmetKeyword(answer, keyword)) ??
    (json && unmetJson(answer, json))
  )
}

/** Whether the body has to be read for more than its length. */
export const readsBody = ({ keyword, json }: Pick<CheckSettings, 'keyword' | 'json'>): boolean =>
  keyword !== null || json !== null
