import * as sites from '@agency/contract/descriptors/sites'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import type { SiteAct } from './site-actions.ts'
import type { SiteSearch } from './site-search.ts'

/** What the address asks to do, once the site that it is done to is known; nothing for whoever may not. */
export function useLinkedAct(
  { act, open, on }: Pick<SiteSearch, 'act' | 'open' | 'on'>,
  denial: string | undefined,
): SiteAct | undefined {
  const needsSite = act === 'suspend' || act === 'resume' || act === 'delete'
  const isAsked = denial === undefined && needsSite && open !== ''
  const { data } = useQuery({ ...q(sites.getSite, { params: { id: open } }), enabled: isAsked })
  if (denial !== undefined || act === '') return undefined
  if (act === 'add') return { kind: 'add', domain: on }
  if (open === '') return undefined
  if (act === 'edit') return { kind: 'edit', id: open }
  return data && { kind: act, site: data.site }
}
