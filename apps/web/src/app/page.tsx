import type { Access } from '@agency/contract/types'
import type { QueryClient, QueryFunctionContext } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense } from 'react'
import { currentSession } from '../lib/session.ts'
import { PageSkeleton } from './shell/PageSkeleton.tsx'

type FirstQuery = {
  queryKey: readonly unknown[]
  queryFn: (context: QueryFunctionContext) => Promise<unknown>
  meta: { permission: Access }
}

export type PageModule = {
  Page: ComponentType
  /** The calls that the page will make for an address, so that they can start before it renders. */
  queriesFor?: (params: URLSearchParams, pathname: string) => readonly FirstQuery[]
}

export type LoadPage = () => Promise<PageModule>

type Known = { Later: ComponentType; loaded?: ComponentType; chosen?: ComponentType }
const pages = new Map<LoadPage, Known>()

function knownOf(load: LoadPage): Known {
  const known = pages.get(load) ?? { Later: lazy(async () => ({ default: (await loadPage(load)).Page })) }
  pages.set(load, known)
  return known
}

export async function loadPage(load: LoadPage): Promise<PageModule> {
  const module = await load()
  knownOf(load).loaded = module.Page
  return module
}

/** A page at once if its code is there, else as soon as it is. */
export function LoadedPage({ load }: { load: LoadPage }) {
  const known = knownOf(load)
  // Going through lazy costs a commit, a paint and React's own throttle. Chosen once, so that the page stays mounted.
  known.chosen ??= known.loaded ?? known.Later
  const Page = known.chosen
  return (
    <Suspense fallback={<PageSkeleton />}>
      <Page />
    </Suspense>
  )
}

/** Starts the calls of a page; resolves once all have settled. */
export async function startQueries(client: QueryClient, module: PageModule, url: URL): Promise<void> {
  const session = currentSession()
  const permissions: readonly Access[] | undefined =
    session.phase === 'signed-in' ? ['any', ...session.state.actor.permissions] : undefined
  const queries = module.queriesFor?.(url.searchParams, url.pathname) ?? []
  // A call that is known to be refused is not made: refusals are written to the audit log.
  const allowed = queries.filter(({ meta }) => permissions?.includes(meta.permission) ?? true)
  await Promise.all(allowed.map((options) => client.prefetchQuery(options)))
}
