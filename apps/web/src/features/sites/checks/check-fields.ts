import type * as checks from '@agency/contract/descriptors/checks'
import type { CheckSettings, SiteChecks } from '@agency/contract/types'
import type { Input } from '../../../lib/api.ts'
import type { Problems } from '../../../lib/form/use-edit-form.ts'

/** As they are typed: everything is text, and empty is none. */
export type CheckFields = {
  path: string
  method: string
  interval: string
  timeout: string
  retries: string
  failures: string
  of: string
  statuses: string
  keywordMode: 'none' | 'contains' | 'lacks'
  keyword: string
  jsonPath: string
  jsonValue: string
  headerName: string
  headerContains: string
  redirectMode: 'follow' | 'none' | 'expect'
  redirectTo: string
  dns: string
  certificateDays: string
}

export type CheckBody = Input<typeof checks.trySiteChecks>['body'] & object

export function checkFields(settings: SiteChecks): CheckFields {
  const { keyword, json, header, redirect } = settings
  return {
    path: settings.path ?? '',
    method: settings.method,
    interval: String(settings.interval_seconds),
    timeout: String(settings.timeout_seconds),
    retries: String(settings.retries),
    failures: String(settings.failures),
    of: String(settings.of),
    statuses: settings.statuses ?? '',
    keywordMode: keyword?.mode ?? 'none',
    keyword: keyword?.text ?? '',
    jsonPath: json?.query ?? '',
    jsonValue: json?.value ?? '',
    headerName: header?.name ?? '',
    headerContains: header?.contains ?? '',
    redirectMode: redirect.mode,
    redirectTo: redirect.mode === 'expect' ? redirect.to : '',
    dns: settings.dns ?? '',
    certificateDays: String(settings.certificate_days),
  }
}

const redirectOf = ({ redirectMode: mode, redirectTo }: CheckFields): CheckSettings['redirect'] =>
  mode === 'expect' ? { mode, to: redirectTo.trim() } : { mode }

/** The same as settings. */
function settingsOf(fields: CheckFields) {
  const { keywordMode: mode } = fields
  const jsonPath = fields.jsonPath.trim()
  const headerName = fields.headerName.trim()
  return {
    path: fields.path.trim() || null,
    method: fields.method as CheckSettings['method'],
    interval_seconds: Number(fields.interval),
    timeout_seconds: Number(fields.timeout),
    retries: Number(fields.retries),
    failures: Number(fields.failures),
    of: Number(fields.of),
    statuses: fields.statuses.trim() || null,
    keyword: mode === 'none' ? null : { text: fields.keyword.trim(), mode },
    json: jsonPath === '' ? null : { query: jsonPath, value: fields.jsonValue.trim() },
    header: headerName === '' ? null : { name: headerName, contains: fields.headerContains.trim() },
    redirect: redirectOf(fields),
    dns: fields.dns.trim() || null,
    certificate_days: Number(fields.certificateDays),
  }
}

/** What differs, as the server takes it; null when nothing does. */
export function checkChanges(fields: CheckFields, before: CheckFields): CheckBody | null {
  const was: Record<string, unknown> = settingsOf(before)
  const differing = Object.entries(settingsOf(fields)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name]),
  )
  return differing.length === 0 ? null : (Object.fromEntries(differing) as CheckBody)
}

const isWhole = (text: string, min: number, max: number): boolean =>
  /^\d+$/.test(text.trim()) && Number(text) >= min && Number(text) <= max

/** What is wrong, told when a button is pressed. The server says the rest. */
export function checkProblems(fields: CheckFields): Problems<CheckFields> {
  const problems: Problems<CheckFields> = {}
  if (!isWhole(fields.timeout, 1, 30)) problems.timeout = 'A whole number from 1 to 30'
  else if (Number(fields.timeout) * (Number(fields.retries) + 1) > Number(fields.interval))
    problems.timeout = 'With retries longer than the interval'
  if (Number(fields.failures) > Number(fields.of)) problems.failures = `At most ${fields.of}`
  if (fields.keywordMode !== 'none' && fields.keyword.trim() === '') problems.keyword = 'Enter the keyword'
  if (fields.jsonPath.trim() === '' && fields.jsonValue.trim() !== '') problems.jsonPath = 'Enter the path'
  if (fields.headerName.trim() === '' && fields.headerContains.trim() !== '') problems.headerName = 'Enter the name'
  if (fields.redirectMode === 'expect' && fields.redirectTo.trim() === '') problems.redirectTo = 'Enter the address'
  if (fields.method === 'HEAD' && (fields.keywordMode !== 'none' || fields.jsonPath.trim() !== ''))
    problems.method = 'HEAD has no content: choose GET'
  if (!isWhole(fields.certificateDays, 0, 90)) problems.certificateDays = 'A whole number from 0 to 90'
  return problems
}

/** The server names parts of its settings. */
export const checkNames = {
  interval_seconds: 'interval',
  timeout_seconds: 'timeout',
  certificate_days: 'certificateDays',
  text: 'keyword',
  json: 'jsonPath',
  query: 'jsonPath',
  value: 'jsonValue',
  header: 'headerName',
  name: 'headerName',
  contains: 'headerContains',
  redirect: 'redirectTo',
  to: 'redirectTo',
} as const satisfies Record<string, keyof CheckFields>
