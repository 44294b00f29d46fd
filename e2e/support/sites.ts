import type { Page } from '@playwright/test'
import { api } from './test.ts'

export type Site = {
  id: string
  site_name: string
  domain: string
  status: string
  at_provider: string
  status_reason: string | null
  customer_id: string | null
  deployment_url: string | null
  provider: string | null
}
type Entry = { action: string; before: unknown; after: unknown }

export const unique = () => crypto.randomUUID().slice(0, 8)
export const siteOf = async (id: string) => (await api<{ site: Site }>(`/sites/${id}`)).site
export const openId = (page: Page): string => new URL(page.url()).searchParams.get('open') ?? ''

export async function auditOf(query: string): Promise<Entry[]> {
  const { entries } = await api<{ entries: { id: string; action: string }[] }>(`/admin/audit?${query}`)
  const whole = entries.map(({ id }) => api<{ before: unknown; after: unknown }>(`/admin/audit/entries/${id}`))
  return (await Promise.all(whole)).map((details, index) => ({ ...details, action: entries[index]?.action ?? '' }))
}

export async function auditActions(id: string): Promise<string[]> {
  return (await auditOf(`resource=site&resource_id=${id}`)).map(({ action }) => action)
}

/** A site of the test's own, added by the API. */
export async function added(part: object = {}): Promise<Site> {
  const name = unique()
  const body = JSON.stringify({ site_name: `Guest ${name}`, domain: `guest-${name}.example`, ...part })
  return (await api<{ site: Site }>('/sites', { method: 'POST', body })).site
}

export async function choose(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}
