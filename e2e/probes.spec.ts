import type { Page } from '@playwright/test'
import { axe } from './support/axe.ts'
import { api, consoleUrl, expect, hosting, signIn, test } from './support/test.ts'

type Site = { id: string; domain: string; health_status: string; health_detail: string | null }

/** A demo site that no other test looks at. */
const label = 'barharborbrewing'

async function siteOf(domain: string): Promise<Site> {
  let found: Site | undefined
  await expect(async () => {
    const { sites } = await api<{ sites: Site[] }>(`/sites?search=${domain}`)
    found = sites.find((site) => site.domain === domain)
    expect(found).toBeDefined()
  }).toPass()
  return found!
}

const performanceOf = (id: string) => `/admin/sites?open=${id}&tab=performance`
const probe = async (page: Page) => {
  const answered = page.waitForResponse((response) => response.url().endsWith('/probe'))
  await page.getByRole('button', { name: 'Probe now' }).click()
  expect((await answered).status()).toBe(200)
}

/** A probe by the clock that began before the site changed may end between two of ours. */
async function probedUntil(page: Page, { domain }: Site, health: string): Promise<void> {
  await expect(async () => {
    await probe(page)
    expect((await siteOf(domain)).health_status).toBe(health)
  }).toPass()
}

test.afterEach(() => hosting('/behaviour', { label, behaviour: null }))

test('probes a site: what it answers decides its health, on the screen and in the list', async ({ page }) => {
  const site = await siteOf(`${label}.example`)
  await signIn(page, performanceOf(site.id))
  await probedUntil(page, site, 'healthy')
  const dialog = page.getByRole('dialog')
  const last = dialog.getByRole('region', { name: 'Last probe' })
  await expect(last.getByText('Answered with status 200')).toBeVisible()
  await expect(last.getByText(`https://${label}.example/`)).toBeVisible()
  await expect(dialog.getByRole('region', { name: 'Certificate' }).getByText('Sandbox Trust Services')).toBeVisible()
  expect((await axe(page).include('[role=dialog]').analyze()).violations).toEqual([])

  await hosting('/behaviour', { label, behaviour: 'failing' })
  await probedUntil(page, site, 'down')
  await expect(dialog.getByText('Answered with status 500').first()).toBeVisible()
  await expect(dialog.getByText('Down', { exact: true }).first()).toBeVisible()

  await hosting('/behaviour', { label, behaviour: null })
  await probedUntil(page, site, 'healthy')
  await expect(last.getByText('Answered with status 200')).toBeVisible()
})

test('asks for the health-check path that is set, and writes down who set it', async ({ page }) => {
  const site = await siteOf(`${label}.example`)
  const setPath = async (path: string) => {
    const field = page.getByRole('dialog').getByLabel('Health-check path')
    await page.goto(`${consoleUrl()}/admin/sites?open=${site.id}&tab=configuration`)
    await field.fill(path)
    await page.getByRole('button', { name: 'Save settings' }).click()
    await expect(page.getByText('Saved the settings of').first()).toBeVisible()
  }
  await signIn(page, '/admin/sites')
  await setPath('/menu')
  await page.goto(`${consoleUrl()}${performanceOf(site.id)}`)
  await probe(page)
  const last = page.getByRole('dialog').getByRole('region', { name: 'Last probe' })
  await expect(last.getByText(`https://${label}.example/menu`)).toBeVisible()
  const { entries } = await api<{ entries: { action: string }[] }>(
    `/admin/audit?resource=site&resource_id=${site.id}&limit=10`,
  )
  expect(entries.map(({ action }) => action)).toContain('site.update_settings')
  await setPath('/')
})

test('reads the measurements by keyboard: ranges with their own address, and the chart as a table', async ({
  page,
}) => {
  const site = await siteOf(`${label}.example`)
  await signIn(page, performanceOf(site.id))
  await probe(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('link', { name: '7 days' }).press('Enter')
  await expect(page).toHaveURL(/range=7d/)
  await expect(dialog.getByRole('link', { name: '7 days' })).toHaveAttribute('aria-current', 'page')
  await dialog.getByRole('button', { name: 'Show as table' }).press('Enter')
  const table = dialog.getByRole('region', { name: 'Response time as a table' })
  await expect(table.getByRole('row').nth(1)).toContainText('ms')
  await table.focus()
  await page.reload()
  await expect(dialog.getByRole('link', { name: '7 days' })).toHaveAttribute('aria-current', 'page')
})

test('tells of a certificate that ends soon', async ({ page }) => {
  const site = await siteOf('sokolova-ceramics.example')
  await signIn(page, performanceOf(site.id))
  await probe(page)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Degraded', { exact: true }).first()).toBeVisible()
  await expect(dialog.getByRole('region', { name: 'Certificate' }).getByText(/^\d days left$/)).toBeVisible()
})
