import { gzipSync } from 'node:zlib'
import { api, expect, signIn, test } from './support/test.ts'

type Domain = { id: string; name: string; plan: { name?: string | null } | null }
type Screen = {
  what: string
  address: () => Promise<string>
  /** What a screen that is whole shows, as a CSS selector. */
  shown: string
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

/** The first rows are read from the providers soon after the start. */
const onceFilled = (path: string, list: string, address: string) => async () => {
  const rows = async () => (await api<Record<string, unknown[]>>(path))[list]?.length ?? 0
  await expect.poll(rows).toBeGreaterThan(0)
  return address
}

const screens: Screen[] = [
  { what: 'sites', address: onceFilled('/sites', 'sites', '/admin/sites'), shown: 'tbody a' },
  { what: 'deployments', address: onceFilled('/deployments', 'deployments', '/admin/deployments'), shown: 'tbody a' },
  { what: 'domains', address: onceFilled('/cloudflare/domains', 'domains', '/admin/domains'), shown: 'tbody a' },
  { what: "a domain's analytics", address: analyticsAddress, shown: 'svg [data-series]', later: 'LineFigure' },
]

/** Marks the moment in which the screen first shows it: what loads from then on is not waited for. */
function markWhenShown(selector: string): void {
  const observer = new MutationObserver(() => {
    if (document.querySelector(selector) === null) return
    performance.mark('shown')
    observer.disconnect()
  })
  observer.observe(document, { childList: true, subtree: true })
}

for (const { what, address, shown, later } of screens)
  test(`${what}: what is shown needs less than 180 KiB of script`, async ({ page }) => {
    await signIn(page, await address())
    await expect(page.locator(shown).first()).toBeVisible()
    await page.addInitScript(markWhenShown, shown)
    await page.reload()
    await expect(page.locator(shown).first()).toBeVisible()
    const scripts = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.endsWith('.js'))
        .map(({ name, startTime }) => ({ name, startTime })),
    )
    const shownAt = await page.evaluate(() => performance.getEntriesByName('shown')[0]?.startTime)
    const end = later ? scripts.find(({ name }) => name.includes(later))?.startTime : shownAt
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
