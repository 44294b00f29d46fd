import type { PurchasedSite } from '@agency/contract/types'
import { useState } from 'react'

/** As many as one bulk reset takes. */
export const mostSelected = 500

export type SiteSelection = {
  ids: ReadonlySet<string>
  select: (sites: readonly PurchasedSite[], selected: boolean) => void
  clear: () => void
}

/** The sites that are selected, over all pages. */
export function useSelection(): SiteSelection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  return {
    ids,
    select: (sites, selected) =>
      setIds((now) => {
        const next = new Set(now)
        for (const { id } of sites) {
          if (!selected) next.delete(id)
          else if (next.size < mostSelected) next.add(id)
        }
        return next
      }),
    clear: () => setIds(new Set()),
  }
}
