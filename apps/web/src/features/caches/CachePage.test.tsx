import * as caches from '@agency/contract/descriptors/caches'
import type { CacheOverview, CacheState } from '@agency/contract/types'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockApi } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { CachePage } from './CachePage.tsx'

const process = { id: 'p1', role: 'console', host: 'web-1', pid: 4711, started_at: '2026-11-25T09:00:00Z' } as const
const worker = { ...process, id: 'p2', role: 'worker', pid: 4712 } as const
const aCache = (part: Partial<CacheState> = {}): CacheState => ({
  ...{ id: 'p1 answers', name: 'answers', process, keys: 120, bytes: 3_145_728, hits: 900, misses: 100 },
  ...{ evictions: 4, last_eviction: new Date(Date.now() - 2.5 * 3_600_000).toISOString(), load_ms: 12 },
  as_of: new Date().toISOString(),
  ...part,
})
const overview = (part: Partial<CacheOverview> = {}): CacheOverview => ({
  stats: { total_keys: 1120, memory_usage: 3.25, hit_rate: 90, miss_rate: 10, last_eviction: null },
  caches: [
    aCache(),
    aCache({ id: 'domains', name: 'domains', process: null, keys: 1000, hits: 0, misses: 0, load_ms: null }),
  ],
  ...{ history: [], as_of: new Date().toISOString(), silent: [] },
  ...part,
})
const per = (name: CacheState['name'], keys: number, load_ms: number | null, of: CacheState['process'] = process) => ({
  ...{ name, keys, load_ms, process: of },
})

function open(at = '/admin/tools/cache', session = testSession()) {
  const api = mockApi(caches, {
    getCaches: () => overview(),
    refreshCaches: () => overview({ silent: [worker] }),
    findCacheKeys: ({ query }) => ({
      ...{ keys: 42, samples: ['/api/stripe/plans', '/api/stripe/stats'], silent: [] },
      caches: [per('answers', 40, 10), per('answers', 2, null, worker)],
      ...(query['pattern'] === 'none' && { keys: 0, samples: [], caches: [] }),
    }),
    clearCaches: () => ({
      ...{ id: 'c1', cleared: 43, silent: [worker] },
      caches: [per('answers', 42, 10), per('sessions', 1, 2)],
    }),
  })
  return { api, ...renderPage(<CachePage purge={<p>Purge here</p>} />, { route: at, session }) }
}

test('shows the specified statistics and each cache with its process', async () => {
  open()
  const stats = within(await screen.findByRole('region', { name: 'Cache statistics' }))
  for (const text of ['1,120', '3.25 MB', '90%', '10%', 'Never']) expect(await stats.findByText(text)).toBeTruthy()
  const row = within((await screen.findByText('Console 4711 on web-1')).closest('tr')!)
  for (const text of ['Answers', '120', '3 MB', '900', '100', '90%', '4', '2 hours ago', '12 ms'])
    expect(row.getByText(text)).toBeTruthy()
  expect(screen.getByText('Database, shared')).toBeTruthy()
  expect(screen.getByText('Purge here')).toBeTruthy()
})

test('asks for a pattern, counts and shows keys, and says after it what must be read again', async () => {
  const { api, user } = open('/admin/tools/cache?cache=answers')
  await user.click(await screen.findByRole('button', { name: 'Clear by Pattern' }))
  expect(screen.getByText('Enter a pattern first, such as /api/stripe/*')).toBeTruthy()
  await user.type(screen.getByLabelText('Pattern'), '/api/stripe/*')
  await user.click(screen.getByRole('button', { name: 'Clear by Pattern' }))
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Clear by pattern' }))
  expect(await dialog.findByText('42 keys like /api/stripe/*, in every process.')).toBeTruthy()
  expect(dialog.getByText(/^Answers, 42 keys: .* \(about 400 ms of work in total\)\.$/)).toBeTruthy()
  expect(within(dialog.getByRole('list', { name: '2 of the keys' })).getAllByRole('listitem')).toHaveLength(2)
  await user.click(dialog.getByRole('button', { name: 'Clear 42 keys' }))
  const outcome = await screen.findByText(/^Cleared 43 keys/)
  expect(outcome.textContent).toContain('Cleared 43 keys in one process.')
  expect(outcome.textContent).toContain('Sessions, 1 key: Everybody stays signed in')
  expect(outcome.textContent).toContain('Not answered: Worker 4712 on web-1. Clear again once it is back.')
  const sent = api.calls().find(({ name }) => name === 'clearCaches')
  expect(sent?.body).toEqual({ name: 'answers', pattern: '/api/stripe/*' })
  expect(sent?.headers.get('idempotency-key')).toBeTruthy()
})

test('a pattern that means nothing clears nothing', async () => {
  const { api, user } = open()
  await user.type(await screen.findByLabelText('Pattern'), 'none')
  await user.click(screen.getByRole('button', { name: 'Clear by Pattern' }))
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Clear by pattern' }))
  await user.click(await dialog.findByRole('button', { name: 'Clear 0 keys' }))
  expect(dialog.getByText('No key matches')).toBeTruthy()
  expect(api.calls().some(({ name }) => name === 'clearCaches')).toBe(false)
})

test('a refresh names who did not answer', async () => {
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Refresh Stats' }))
  expect(await screen.findByText(/^Not answered: Worker 4712 on web-1/)).toBeTruthy()
})

test('whoever may not see caches is told which permission is missing, and nothing is asked', async () => {
  const { api } = open(undefined, testSession(['customers.read']))
  expect(await screen.findByText('You may not see caches')).toBeTruthy()
  expect(screen.getByText('Needs the permission admin.system')).toBeTruthy()
  expect(api.calls()).toEqual([])
})
