import type { CheckSettings } from '@agency/contract/checks'
import { type AskedSite, urlOf } from './check-settings.ts'
import { readsBody, statusRanges } from './expectations.ts'
import { parseJsonPath } from './json-path.ts'

export type Refusal = { parameter: string; message: string }

const isWebAddress = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:')
}

/** Why a site cannot be checked so; null when it can. */
export function refusalOf(settings: CheckSettings, site: AskedSite): Refusal | null {
  const refuse = (parameter: string, message: string): Refusal => ({ parameter: `body.${parameter}`, message })
  const { path, failures, of, timeout_seconds: timeout, retries, statuses, json, redirect } = settings
  if (path !== null && !path.startsWith('/') && !isWebAddress(path))
    return refuse('path', 'Enter a path that begins with /, or an address with http:// or https://')
  if (path !== null && urlOf(site, path) === null) return refuse('path', `The address must be on ${site.domain}`)
  if (failures > of) return refuse('failures', `At most ${of}: no more checks can fail than are counted`)
  if (timeout * (retries + 1) > settings.interval_seconds)
    return refuse('timeout_seconds', 'Time-out and retries together take longer than the interval')
  if (statuses !== null && statusRanges(statuses) === null)
    return refuse('statuses', 'A range goes from the lower to the higher status')
  if (json !== null && parseJsonPath(json.query) === null)
    return refuse('json.query', 'A JSON path looks like $.status or $.items[0].name')
  if (settings.method === 'HEAD' && readsBody(settings))
    return refuse('method', 'HEAD answers no content: choose GET to check a keyword or JSON')
  if (redirect.mode === 'expect' && !isWebAddress(redirect.to))
    return refuse('redirect.to', 'Enter an address with http:// or https://')
  return null
}

/** What differs, by the names of the settings. */
export const differing = (before: CheckSettings, after: CheckSettings): (keyof CheckSettings)[] =>
  (Object.keys(after) as (keyof CheckSettings)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
