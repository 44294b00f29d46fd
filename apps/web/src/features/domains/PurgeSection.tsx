import * as domains from '@agency/contract/descriptors/domains'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { q } from '../../lib/api.ts'
import type { ApiError } from '../../lib/problems.ts'
import { useDenial } from '../../lib/session.ts'
import { FilterSelect } from '../../ui/FilterField.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import css from './domains.module.css'

const PurgeDialog = lazy(() => import('./PurgeDialog.tsx').then((module) => ({ default: module.PurgeDialog })))

/** Purges what Cloudflare keeps of one domain, without leaving for the list of domains. */
export function PurgeSection() {
  const readDenial = useDenial(domains.listDomains)
  const denial = useDenial(domains.purgeCache) ?? readDenial
  const list = useQuery({
    ...q(domains.listDomains, { query: { limit: 100, sort: 'name' } }),
    enabled: readDenial === undefined,
  })
  const [chosenId, setChosenId] = useState('')
  const [isOpen, setOpen] = useState(false)
  const found = list.data?.domains ?? []
  const chosen = found.find(({ id }) => id === chosenId) ?? found[0]
  return (
    <Panel
      title="Cloudflare cache"
      loading={list.isLoading}
      skeleton={<SkeletonLines count={1} />}
      error={list.error as ApiError | null}
      asOf={list.data?.fetched_at ?? null}
      onRetry={() => void list.refetch()}
    >
      <div className={css['purge']}>
        {chosen ? (
          <FilterSelect
            label="Domain"
            value={chosen.id}
            choices={found.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={setChosenId}
          />
        ) : null}
        <ReasonedButton
          variant="outlined"
          aria-haspopup="dialog"
          blocked={denial ?? (chosen ? undefined : 'There are no domains')}
          onClick={() => setOpen(true)}
        >
          Purge cache
        </ReasonedButton>
        {list.data?.has_more ? <p>The first 100 domains. The others are under Cloudflare Domains.</p> : null}
      </div>
      <Suspense>{isOpen && chosen ? <PurgeDialog domain={chosen} onClose={() => setOpen(false)} /> : null}</Suspense>
    </Panel>
  )
}
