import * as sites from '@agency/contract/descriptors/sites'
import type { SiteOwner } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { q } from '../../../lib/api.ts'
import { useSessionState } from '../../../lib/session.ts'
import { load, save } from '../../../lib/storage.ts'
import { useRested } from '../../../lib/use-rested.ts'

const most = 200

export type Owners = {
  owners: readonly SiteOwner[]
  /** More match than are offered. */
  hasMore: boolean
  isLoading: boolean
  /** They could not be asked for: those that were offered last stand in. */
  isSaved: boolean
}

/** The customers that fit what was typed; of all customers, unless they cannot be asked for. */
export function useOwners(term: string): Owners {
  const actor = useSessionState().actor.id
  const search = useRested(term.trim())
  const { data, error, isFetching } = useQuery({
    ...q(sites.listSiteOwners, { query: { search } }),
    placeholderData: keepPreviousData,
    retry: false,
  })
  const answered = error ? undefined : data?.owners
  useEffect(() => {
    if (answered) remember(actor, answered)
  }, [actor, answered])
  if (error) return { owners: matching(savedOwners(actor), term), hasMore: false, isLoading: false, isSaved: true }
  return { owners: answered ?? [], hasMore: data?.has_more ?? false, isLoading: isFetching, isSaved: false }
}

/** Names of customers are for whoever was offered them: another person of the same browser starts anew. */
function savedOwners(actor: string): readonly SiteOwner[] {
  const kept = load('siteOwners')
  return kept?.actor === actor && Array.isArray(kept.owners) ? kept.owners : []
}

function remember(actor: string, owners: readonly SiteOwner[]): void {
  const seen = new Set(owners.map(({ id }) => id))
  const others = savedOwners(actor).filter(({ id }) => !seen.has(id))
  save('siteOwners', { actor, owners: [...owners, ...others].slice(0, most) })
}

function matching(owners: readonly SiteOwner[], term: string): readonly SiteOwner[] {
  const wanted = term.trim().toLowerCase()
  return owners.filter(({ name, email }) => `${name ?? ''} ${email ?? ''}`.toLowerCase().includes(wanted))
}
