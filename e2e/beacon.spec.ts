import { added, auditActions } from './support/sites.ts'
import { consoleUrl, expect, openSession, test } from './support/test.ts'

test('a site opts in to its beacon, and is heard from its own pages alone', async ({ page, request }) => {
  const site = await added()
  const tell = (origin: string) =>
    request.post(`${consoleUrl()}/beacon/${site.id}`, {
      headers: { origin, 'content-type': 'text/plain', 'user-agent': 'Mozilla/5.0 Firefox/140.0' },
      data: 'view',
    })
  expect((await tell(`https://${site.domain}`)).status()).toBe(404)
  await openSession(page)
  await page.goto(`${consoleUrl()}/admin/sites?open=${site.id}&tab=configuration`)
  await page.getByRole('button', { name: 'Switch beacon on' }).click()
  await expect(page.getByText('On, no data yet')).toBeVisible()
  expect(await auditActions(site.id)).toContain('site.update_beacon')
  expect((await tell(`https://${site.domain}`)).status()).toBe(204)
  expect((await tell('https://elsewhere.example')).status()).toBe(404)
  const script = await request.get(`${consoleUrl()}/beacon.js`)
  expect((await script.body()).byteLength).toBeLessThanOrEqual(1024)
})
