import {
  type Alert,
  activeAlerts,
  alertOf,
  type Incident,
  incidentOf,
  lookUntil,
  misbehave,
  repairSites,
  type WatchedSite,
} from './support/monitoring.ts'
import { api, consoleUrl, dataRows, expect, signIn, test } from './support/test.ts'

test.afterEach(repairSites)

type Way = { label: string; behaviour: string; health: 'Down' | 'Degraded'; words: RegExp; rule: string }

/** Few enough of them are down at once that they are no common cause. */
const ways: readonly Way[] = [
  ...(
    [
      ['pinecrestdental', 'failing', /^Answered with status 500$/],
      ['acadiakayak', 'reset', /^No answer: /],
      ['kennebectimber', 'endless_body', /^The answer did not end within 10 seconds$/],
      ['brunswicklaw', 'redirect_loop', /^More than 5 redirects$/],
    ] as const
  ).map(([label, behaviour, words]) => ({ label, behaviour, words, health: 'Down' as const, rule: 'site.down' })),
  ...(
    [
      ['harborviewmontessori', 'crawling', /^Answered in \d\.\d seconds$/, 'site.degraded'],
      ['fjordkeramikk', 'expired_certificate', /^The certificate has expired$/, 'site.certificate_invalid'],
      ['smithjones', 'wrong_name_certificate', /not trusted. Issued for another name$/, 'site.certificate_invalid'],
      ['bangorbooks', 'self_signed_certificate', /not trusted. Self-signed$/, 'site.certificate_invalid'],
    ] as const
  ).map(([label, behaviour, words, rule]) => ({ label, behaviour, words, rule, health: 'Degraded' as const })),
]

/** The median of an hour that is over may be a second matter of a site that crawls. */
const aboutItself = async (site: WatchedSite) => (await activeAlerts(site)).filter(({ rule }) => rule !== 'site.slow')

/** This incident, and all that were opened after it about the same. */
async function incidentsSince({ title, opened_at }: Incident): Promise<string[]> {
  const { incidents } = await api<{ incidents: Incident[] }>('/incidents?status=all&limit=100')
  return incidents.filter((each) => each.title === title && each.opened_at >= opened_at).map(({ id }) => id)
}

/** A demo site that answered late, on a busy machine, may have an alert of its own before it is broken. */
async function calm(label: string): Promise<void> {
  const site = await lookUntil(label, 'healthy')
  await expect.poll(async () => (await aboutItself(site)).length, label).toBe(0)
}

test('a site that breaks in any way has its words, one alert and one incident, and all end by themselves', {
  tag: '@long',
}, async ({ page }) => {
  await Promise.all(ways.map(({ label }) => calm(label)))
  await Promise.all(ways.map(({ label, behaviour }) => misbehave(label, behaviour)))
  const broken = await Promise.all(
    ways.map(async (way) => ({ ...way, site: await lookUntil(way.label, way.health.toLowerCase()) })),
  )
  await signIn(page, '/admin/monitoring/sites')
  const alerts = new Map<string, Alert>()
  for (const { site, label, health, words, rule } of broken) {
    expect(site.health_detail, label).toMatch(words)
    await expect.poll(async () => (await aboutItself(site)).map((alert) => alert.rule), label).toEqual([rule])
    alerts.set(label, (await aboutItself(site))[0]!)
    await page.goto(`${consoleUrl()}/admin/monitoring/sites?search=${site.domain}`)
    const row = dataRows(page).filter({ hasText: site.domain })
    await expect(row.getByText(health, { exact: true })).toBeVisible()
    await expect(row.getByTitle(words)).toBeVisible()
    await expect(row.getByRole('link', { name: '1 alert', exact: true })).toBeVisible()
  }

  const opened = new Map<string, Incident>()
  for (const { label, rule } of broken) {
    const { id, title } = alerts.get(label)!
    let of: string | null = null
    await expect.poll(async () => (of = (await alertOf(id)).incident_id), label).not.toBeNull()
    const incident = await incidentOf(of!)
    const severity = rule === 'site.down' ? 'sev3' : 'sev4'
    expect(incident, label).toMatchObject({ severity, status: 'open', title })
    opened.set(label, incident)
  }

  await repairSites()
  await Promise.all(broken.map(({ label }) => lookUntil(label, 'healthy')))
  for (const { label } of broken) {
    await expect.poll(async () => (await alertOf(alerts.get(label)!.id)).status, label).toBe('resolved')
    const incident = opened.get(label)!
    const { status, events } = await incidentOf(incident.id)
    expect(status, label).toBe('resolved')
    // What came back within minutes of its end is the same alert and the same incident, reopened.
    expect(events.map(({ kind }) => kind).join(' '), label).toMatch(
      /^opened (alert_resolved resolved reopened )*alert_resolved resolved$/,
    )
    expect(await incidentsSince(incident), label).toEqual([incident.id])
  }

  const { id, number, title } = opened.get('pinecrestdental')!
  await page.goto(`${consoleUrl()}/admin/incidents/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: `INC-${number} · ${title}` })).toBeVisible()
  const timeline = page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')
  await expect(timeline.first()).toContainText('Opened')
  await expect(timeline.nth(-2)).toContainText('Alert resolved')
  await expect(timeline.last()).toContainText('All alerts have ended')
})

/** A screen that has arrived takes the focus together with the title, so no key may be pressed before. */
const arrival = (title: string) => `${title} · Agency Console`

const cards = [
  ['System Overview', 'System health', '/admin/health'],
  ['Active Alerts', 'All alerts', '/admin/alerts'],
  ['Recent Incidents', 'All incidents', '/admin/incidents'],
  ['Service Health', 'All services', '/admin/monitoring/services'],
  ['Site Health', 'All sites', '/admin/monitoring/sites'],
  ['Performance Metrics', 'All metrics', '/admin/monitoring/performance'],
] as const

test('each of the six cards of the monitor leads to its screen, by keyboard', async ({ page }) => {
  await signIn(page, '/admin/monitor')
  await expect(page.getByText(/^Last updated /)).toBeVisible()
  for (const [card, link, path] of cards) {
    await page.getByRole('region', { name: card, exact: true }).getByRole('link', { name: link }).press('Enter')
    await expect(page, card).toHaveURL(`${consoleUrl()}${path}`)
    await expect(page.getByRole('heading', { level: 1 }), card).toBeVisible()
    await expect(page, card).not.toHaveTitle(arrival('Site Monitor'))
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: 'Site Monitor' }), card).toBeVisible()
    await expect(page, card).toHaveTitle(arrival('Site Monitor'))
  }
  const figures = page.getByRole('region', { name: 'System Overview' })
  await figures.getByRole('link', { name: 'Critical alerts' }).press('Enter')
  await expect(page).toHaveURL(/\/admin\/alerts\?severity=critical$/)
  await expect(page.getByRole('button', { name: /^Critical/ })).toHaveAttribute('aria-pressed', 'true')
})

test('auto-refresh and its interval stay in the address, and Refresh asks at once', async ({ page }) => {
  await signIn(page, '/admin/monitor')
  const auto = page.getByRole('checkbox', { name: 'Auto-refresh' })
  const interval = page.getByRole('combobox', { name: 'Refresh interval' })
  await expect(auto).toBeChecked()
  await expect(interval).toHaveValue('600')
  await expect(interval.getByRole('option')).toHaveText(['1m', '5m', '10m', '20m'])
  await interval.selectOption('1m')
  await expect(page).toHaveURL(/interval=60/)
  await auto.press('Space')
  await expect(page).toHaveURL(/auto=off/)
  await expect(interval).toBeDisabled()
  await page.reload()
  await expect(auto).not.toBeChecked()
  await expect(interval).toHaveValue('60')
  const asked = page.waitForResponse((response) => response.url().includes('/monitoring/dashboard/overview'))
  await page.getByRole('button', { name: 'Refresh', exact: true }).press('Enter')
  expect((await asked).status()).toBe(200)
})

test('the tabs of monitoring lead to each other by keyboard, and say where one is', async ({ page }) => {
  await signIn(page, '/admin/monitor')
  const tabs = page.getByRole('navigation', { name: 'Monitoring' })
  for (const [tab, heading] of [
    ['Services', 'Service Health'],
    ['Sites', 'Site Health'],
    ['Performance', 'Performance Metrics'],
    ['Overview', 'Site Monitor'],
  ] as const) {
    await tabs.getByRole('link', { name: tab, exact: true }).press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    await expect(page).toHaveTitle(arrival(heading))
    await expect(tabs.getByRole('link', { name: tab, exact: true })).toHaveAttribute('aria-current', 'page')
  }
})
