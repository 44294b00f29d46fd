import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { api, expect, signIn, test } from './support/test.ts'

type Domain = { id: string; name: string; plan: { name?: string | null } | null }
type Screen = {
  what: string
  address: () => Promise<string> | string
  /** What a screen that is whole shows. */
  shown: (page: Page) => ReturnType<Page['locator']>
  /** A part that loads after the figures, with all that comes after it. */
  later?: string
}

const mostBytes = 180 * 1024

/** The list is read from Cloudflare soon after the start. */
async function analyticsAddress(): Promise<string> {
  let zone: Domain | undefined
  await expect
    .poll(async () => {
      const { domains = [] } = await api<{ domains?: Domain[] }>('/cloudflare/domains?limit=100')
      zone = domains.find(({ name, plan }) => /^[a-z.-]+$/.test(name) && plan?.name === 'Business Website')
      return zone
    })
    .toBeTruthy()
  return `/admin/domains/${zone?.id}/analytics?range=30d`
}

const screens: Screen[] = [
  { what: 'sites', address: () => '/admin/sites', shown: (page) => page.locator('tbody a').first() },
  {
    what: 'deployments',
    address: () => '/admin/deployments',
    shown: (page) => page.getByText(/^(\d+ deployments?|Nothing was deployed|No deployments)/).first(),
  },
  { what: 'domains', address: () => '/admin/domains', shown: (page) => page.locator('tbody a').first() },
  {
    what: "a domain's analytics",
    address: analyticsAddress,
    shown: (page) => page.locator('svg [data-series]').first(),
    later: 'TrafficChart',
  },
]

for (const { what, address, shown, later } of screens)
  test(`${what}: what is shown needs less than 180 KiB of script`, async ({ page }) => {
    await signIn(page, await address())
    await expect(shown(page)).toBeVisible()
    await page.reload()
    await expect(shown(page)).toBeVisible()
    const scripts = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.endsWith('.js'))
        .map(({ name, startTime }) => ({ name, startTime })),
    )
    const end = later ? scripts.find(({ name }) => name.includes(later))?.startTime : Number.POSITIVE_INFINITY
    expect(end).toBeGreaterThan(0)
    const first = scripts.filter(({ startTime }) => startTime < (end ?? 0))
    const sizes = await Promise.all(first.map(({ name }) => gzippedSize(name)))
    const own = await page.evaluate(() => [...document.scripts].map(({ textContent }) => textContent).join(''))
    const bytes = sizes.reduce((sum, size) => sum + size, gzipSync(own).length)
    expect(bytes).toBeGreaterThan(100 * 1024)
    expect(bytes).toBeLessThan(mostBytes)
  })

async function gzippedSize(address: string): Promise<number> {
  const { headers } = await fetch(address, { headers: { 'accept-encoding': 'gzip' } })
  expect(headers.get('content-encoding')).toBe('gzip')
  return Number(headers.get('content-length'))
}
