import type { QueryClient } from '@tanstack/react-query'
import { sessionKnown } from '../lib/session.ts'
import { load } from '../lib/storage.ts'
import { loadPage, startQueries } from './page.tsx'
import { routeOf } from './preload.ts'
import { makeQueryClient } from './query-client.ts'

// A console on the same machine answers sooner than that; whoever waits longer sees the page without its data.
const patienceMs = 150

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

let prepared: { client: QueryClient; key: string } | undefined

/**
 * Loads the code of the first page and starts its calls before anything renders: the first screen is then painted once,
 * with its data, instead of three times.
 */
export async function prepare(url: URL): Promise<void> {
  const loadIt = routeOf(url.pathname)?.load
  const module = loadIt && (await loadPage(loadIt))
  const key = load('adminKey')
  if (!module || !key) return
  const client = makeQueryClient()
  prepared = { client, key }
  // Together with the check of the key, where that is still under way.
  await Promise.all([sessionKnown(), Promise.race([startQueries(client, module, url), wait(patienceMs)])])
}

/** The prepared client goes to the console of the session it was made for; every other one starts empty. */
export function takeClient(): QueryClient {
  const client = prepared?.key === load('adminKey') ? prepared?.client : undefined
  return client ?? makeQueryClient()
}
