import * as probes from '@agency/contract/descriptors/probes'
import type { SitePerformance as Performance, ProbeRun } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockApi, problem } from '../../../../test/mock-api.ts'
import { aPerformance } from '../../../../test/performance.ts'
import { allPermissions, renderPage, testSession } from '../../../../test/render.tsx'
import { SitePerformance } from './SitePerformance.tsx'

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

function open(more: Partial<Performance> = {}, options: Parameters<typeof renderPage>[1] = {}) {
  const api = mockApi(probes, {
    getSitePerformance: () => ({ performance: aPerformance(more) }),
    probeSite: () => ({ run: aPerformance().last as ProbeRun, health: 'healthy' as const }),
  })
  return { api, ...renderPage(<SitePerformance siteId="site_1" />, options) }
}

const card = async (label: string) =>
  (await screen.findAllByText(label)).map((found) => found.closest('article')).find((found) => found !== null)!

test('shows the figures, the parts of the last probe and the certificate', async () => {
  open()
  expect((await card('Response time')).textContent).toContain('84 ms')
  expect((await card('Uptime')).textContent).toContain('99.95%')
  expect((await card('Uptime')).textContent).toContain('40 s down')
  expect((await card('Performance score')).textContent).toContain('97')
  const last = within(screen.getByRole('region', { name: 'Last probe' }))
  expect(last.getByText('TLS').closest('div')?.textContent).toBe('TLS23 ms')
  const certificate = within(screen.getByRole('region', { name: 'Certificate' }))
  expect(certificate.getByText('60 days left')).toBeTruthy()
  expect(certificate.getByText('harbour.example, www.harbour.example')).toBeTruthy()
})

test('reads the chart as a table, with the deployments and incidents', async () => {
  const performance = aPerformance()
  const { user } = open({
    deployments: [
      { id: 'dep_1', at: performance.series[0]!.at, kind: 'rollback', status: 'success', version: 'abc1234' },
    ],
    incidents: [
      {
        ...{ id: 'inc_1', number: 12, title: 'Harbour is down', severity: 'sev3', is_false_positive: false },
        ...{ opened_at: performance.series[0]!.at, resolved_at: performance.series[0]!.at },
      },
    ],
  })
  await user.click(await screen.findByRole('button', { name: 'Show as table' }))
  const row = within(screen.getByRole('region', { name: 'Response time as a table' })).getAllByRole('row')[1]!
  expect(
    within(row)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  ).toEqual([...['84 ms', '31 ms', '15', '1', '97', 'Rollback abc1234', 'INC-12 began, INC-12 ended']])
  expect(within(row).getAllByRole('link')[0]?.getAttribute('href')).toBe('/admin/incidents/inc_1')
})

test('without an answered probe there is no chart of nothing, yet a table of the probes', async () => {
  const { user } = open({
    series: aPerformance().series.map((point) => ({ ...point, response_ms: null, ttfb_ms: null })),
    uptime: { percent: null, known_seconds: 0, down_seconds: 0, unknown_seconds: 300, maintenance_seconds: 0 },
  })
  expect(await screen.findByText('No successful checks in this period.')).toBeTruthy()
  expect((await card('Uptime')).textContent).toContain('Unknown for 5 min')
  await user.click(screen.getByRole('button', { name: 'Show as table' }))
  expect(screen.getByRole('region', { name: 'Response time as a table' })).toBeTruthy()
})

test('a site that was never probed has no figures, only the way to get some', async () => {
  const { api, user } = open({
    last: null,
    certificate: null,
    series: [],
    health: { status: 'unknown', detail: null, checked_at: null },
    is_stale: true,
  })
  expect(await screen.findByText('Not checked yet')).toBeTruthy()
  expect(screen.queryByText('Uptime')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Probe now' }))
  await waitFor(() =>
    expect(api.calls().map(({ name }) => name)).toEqual(['getSitePerformance', 'probeSite', 'getSitePerformance']),
  )
})

test('says since when nothing is known, and why a site is down', async () => {
  const first = open({ is_stale: true, health: { status: 'unknown', detail: 'x', checked_at: ago(30) } })
  expect((await screen.findByText(/^Last checked/)).textContent).toContain('30 min ago')
  first.unmount()
  open({ health: { status: 'down', detail: 'Answered with status 503', checked_at: ago(0) }, response_ms: null })
  expect(await screen.findByText('Answered with status 503')).toBeTruthy()
  expect((await card('Response time')).textContent).toContain('Unavailable')
})

test('figures that are not known are not zero', async () => {
  open({
    score: null,
    scored_at: null,
    series: [],
    uptime: { percent: null, known_seconds: 0, down_seconds: 0, unknown_seconds: 60, maintenance_seconds: 0 },
  })
  expect((await card('Performance score')).textContent).toContain('Unavailable')
  expect((await card('Uptime')).textContent).not.toContain('%')
  expect(screen.getByText('No measurements in this period.')).toBeTruthy()
})

test('an expired and a foreign certificate say so', async () => {
  const certificate = aPerformance().certificate!
  const first = open({ certificate: { ...certificate, days_left: -3, is_trusted: false, problem: 'Expired' } })
  expect(await screen.findAllByText('Expired')).toHaveLength(2)
  first.unmount()
  open({ certificate: { ...certificate, is_trusted: false, problem: 'Issued for another name' } })
  expect(await screen.findByText('Not trusted')).toBeTruthy()
  expect(screen.getByText(/Issued for another name/)).toBeTruthy()
})

test('probing needs the permission, which the button names', async () => {
  open({}, { session: testSession(allPermissions.filter((permission) => permission !== 'sites.write')) })
  const button = await screen.findByRole('button', { name: 'Probe now' })
  expect(button.getAttribute('aria-description')).toContain('sites.write')
})

test('a failed probe keeps what was measured', async () => {
  const { user } = open()
  mockApi(probes, { probeSite: () => problem(409, { code: 'conflict', detail: 'The site was taken offline' }) })
  await user.click(await screen.findByRole('button', { name: 'Probe now' }))
  expect(await screen.findByText(/could not be checked now/)).toBeTruthy()
  expect((await card('Response time')).textContent).toContain('84 ms')
})
